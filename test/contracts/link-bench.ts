import type { Link, LinkOptions, Publication, Session } from '../../world/link.ts';

/** Who may sign in: the client id of a box is its box id. */
export interface LinkAccount {
  readonly clientId: string;
  readonly username: string;
  readonly password: string;
}

/**
 * A broker and a link to it, for one test. The suite itself waits for nothing by the clock: `until` and `settle` are
 * the world's own way to let time pass.
 */
export interface LinkStage {
  readonly link: Link;
  /** A box: publishes on its `up` and `presence`, subscribes its `down`. */
  readonly box: LinkAccount;
  readonly otherBox: LinkAccount;
  /** The backend: subscribes `boxes/+/up` and `boxes/+/presence`, publishes on any `boxes/<id>/down`. */
  readonly backend: LinkAccount;
  /** A second client id of the backend's account. */
  readonly witness: LinkAccount;
  /** A link to an address where nobody listens. */
  readonly deadLink: Link;
  /** A filter that this broker refuses to the box, or why there is none here. */
  readonly forbiddenFilter: string | { readonly none: string };
  /** Resolves once `condition` holds; rejects where it does not within the stage's patience. */
  until(condition: () => boolean): Promise<void>;
  /** Resolves when everything that is under way has had ample time to arrive. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** What one session was handed, and a brake: while `holding`, messages are not acknowledged. */
export interface Inbox {
  readonly topics: string[];
  readonly texts: string[];
  readonly retained: boolean[];
  readonly closings: string[];
  holding: boolean;
  release(): void;
}

/** What the parts of the link contract share: the stage of the test that runs, and ways to say things short. */
export interface LinkBench {
  readonly stage: LinkStage;
  /** Opens a session (clean, unless `more` says otherwise) that is dropped after the test. */
  open(
    account: LinkAccount,
    more?: Partial<LinkOptions>,
    holding?: boolean,
  ): Promise<{ readonly session: Session; readonly inbox: Inbox }>;
  /** Has a session dropped after the test. */
  keep(session: Session): void;
  /** The topics of `stage.box`. */
  up(): string;
  down(): string;
  presence(): string;
}

/** A bench over the stage that `stageOf` gives while a test runs. */
export function linkBench(stageOf: () => LinkStage, keep: (session: Session) => void): LinkBench {
  const topic = (channel: string) => `boxes/${stageOf().box.clientId}/${channel}`;
  return {
    get stage() {
      return stageOf();
    },
    keep,
    up: () => topic('up'),
    down: () => topic('down'),
    presence: () => topic('presence'),
    async open(account: LinkAccount, more: Partial<LinkOptions> = {}, holding = false) {
      const inbox: Inbox & { held: (() => void)[] } = {
        topics: [],
        texts: [],
        retained: [],
        closings: [],
        held: [],
        holding,
        release() {
          for (const acknowledge of this.held.splice(0)) acknowledge();
        },
      };
      const session = await stageOf().link.open(
        { ...account, clean: true, keepAliveS: 60, connectTimeoutMs: 5_000, ...more },
        {
          message(topic, payload, retained, acknowledge) {
            inbox.topics.push(topic);
            inbox.texts.push(text(payload));
            inbox.retained.push(retained);
            if (inbox.holding) inbox.held.push(acknowledge);
            else acknowledge();
          },
          closed: (reason) => inbox.closings.push(reason),
        },
      );
      keep(session);
      return { session, inbox };
    },
  };
}

export const bytes = (text: string) => new TextEncoder().encode(text);
export const text = (payload: Uint8Array) => new TextDecoder().decode(payload);
export const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);
export const say = (topic: string, words: string, retain = false): Publication => ({
  topic,
  payload: bytes(words),
  retain,
});
