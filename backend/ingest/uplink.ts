import { topics } from '../../protocol/topics.ts';
import type { LinkEvents, Session } from '../../world/link.ts';
import type { World } from '../../world/world.ts';
import { NotSent } from '../commands/desk.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import { makeRetry } from '../retry.ts';

export interface UplinkParts {
  readonly world: Pick<World, 'time' | 'random' | 'link' | 'log'>;
  readonly account: { readonly clientId: string; readonly username: string; readonly password: string };
  readonly counters: Counters;
  message: LinkEvents['message'];
  /** A session has ended; held acknowledgements belong to it. */
  lost(): void;
}

/** The backend's session with the MQTT broker, opened anew whenever it ends. */
export interface Uplink {
  /** Resolves once a session is open and subscribed for the first time. */
  readonly started: Promise<void>;
  /** Resolves at the broker's acknowledgement. Rejects with `NotSent` without a session, else with `LinkLost`. */
  send(topic: string, payload: Uint8Array): Promise<void>;
  /** A session is open and subscribed. */
  isOpen(): boolean;
  /** Says goodbye; no session is opened any more. */
  stop(): Promise<void>;
  sever(): void;
}

/**
 * - opening: connecting, then subscribing.
 * - open: subscribed.
 * - waiting: until the next attempt.
 * - over: stopped or severed; what comes late is dropped.
 */
type State = 'opening' | 'open' | 'waiting' | 'over';

/** Opens the session and keeps it. It is persistent: while it is away the broker keeps what the boxes publish. */
export function startUplink(parts: UplinkParts): Uplink {
  const { world, account, counters } = parts;
  let state: State = 'opening';
  let isSevered = false;
  let session: Session | undefined;
  const again = makeRetry({
    world,
    chance: world.random.stream('backend/uplink'),
    counters,
    counter: 'uplink.lost',
    complaint: 'no session with the MQTT broker',
    open,
  });
  let resolveStarted = (): void => undefined;
  const started = new Promise<void>((resolve) => {
    resolveStarted = resolve;
  });

  function open(): void {
    state = 'opening';
    // The events of a session that was given up must not touch its successor.
    let isOver = false;
    const giveUp = (reason: string): void => {
      if (isOver) return;
      isOver = true;
      session = undefined;
      parts.lost();
      retry(reason);
    };
    const events: LinkEvents = {
      message: (topic, payload, retained, acknowledge) => {
        if (!isOver && state !== 'over') parts.message(topic, payload, retained, acknowledge);
      },
      closed: giveUp,
    };
    const options = {
      ...account,
      clean: false,
      keepAliveS: limits.linkKeepAliveS,
      connectTimeoutMs: limits.linkConnectTimeoutMs,
    };
    begin(options, events, () => isOver).catch((error: unknown) => giveUp(String(error)));
  }

  async function begin(
    options: Parameters<World['link']['open']>[0],
    events: LinkEvents,
    isOver: () => boolean,
  ): Promise<void> {
    const opened = await world.link.open(options, events);
    if (isOver() || state === 'over') {
      opened.drop();
      return;
    }
    session = opened;
    try {
      await opened.subscribe(topics.everyUp);
      await opened.subscribe(topics.everyPresence);
    } catch (error) {
      // Its end is told by `closed`, unless the broker refused the filter and keeps the session.
      opened.drop();
      throw error;
    }
    if (isOver() || isEnded()) return;
    state = 'open';
    again.reset();
    counters.add('uplink.opened');
    world.log.info({ resumed: opened.present }, 'connected to the MQTT broker');
    resolveStarted();
  }

  const isEnded = (): boolean => state === 'over';

  function retry(reason: string): void {
    if (state === 'over') return;
    state = 'waiting';
    again.later(reason);
  }

  open();
  return {
    started,
    isOpen: () => state === 'open',
    send(topic, payload) {
      // What is cut off never learns what became of it.
      if (isSevered) return new Promise(() => undefined);
      if (session === undefined) return Promise.reject(new NotSent('There is no session with the broker.'));
      return session.publish({ topic, payload, retain: false });
    },
    async stop() {
      state = 'over';
      again.cancel();
      await session?.end();
    },
    sever() {
      state = 'over';
      isSevered = true;
      again.cancel();
      session?.drop();
    },
  };
}
