import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Link, LinkLost, type LinkOptions, LinkRefused, type Session } from '../../world/link.ts';

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
interface Inbox {
  readonly topics: string[];
  readonly texts: string[];
  readonly retained: boolean[];
  readonly closings: string[];
  holding: boolean;
  release(): void;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (payload: Uint8Array) => new TextDecoder().decode(payload);
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `${from + index}`);

/** The behaviour that every fulfilment of `Link` has in common. `setUp` is called for each test. */
export function linkContract(name: string, setUp: () => Promise<LinkStage>): void {
  describe(`link: ${name}`, () => {
    let stage: LinkStage;
    let sessions: Session[];

    beforeEach(async () => {
      stage = await setUp();
      sessions = [];
    });
    afterEach(async () => {
      for (const session of sessions) session.drop();
      await stage.close();
    });

    async function open(account: LinkAccount, more: Partial<LinkOptions> = {}, holding = false) {
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
      const session = await stage.link.open(
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
      sessions.push(session);
      return { session, inbox };
    }

    const up = () => `boxes/${stage.box.clientId}/up`;
    const down = () => `boxes/${stage.box.clientId}/down`;
    const presence = () => `boxes/${stage.box.clientId}/presence`;
    const say = (topic: string, words: string, retain = false) => ({ topic, payload: bytes(words), retain });

    describe('signing in', () => {
      test('opens with the right password, and a new session has nothing to resume', async () => {
        const { session, inbox } = await open(stage.box);
        expect(session.present).toBe(false);
        expect(inbox.closings).toEqual([]);
      });

      test('refuses a wrong password', async () => {
        await expect(open({ ...stage.box, password: 'wrong' })).rejects.toBeInstanceOf(LinkRefused);
      });

      test('refuses where nobody listens', async () => {
        const options = { ...stage.box, clean: true, keepAliveS: 60, connectTimeoutMs: 5_000 };
        const closings: string[] = [];
        const opening = stage.deadLink.open(options, {
          message: () => undefined,
          closed: (reason) => closings.push(reason),
        });
        await expect(opening).rejects.toBeInstanceOf(LinkRefused);
        await stage.settle();
        // What was never open cannot close.
        expect(closings).toEqual([]);
      });
    });

    describe('publishing', () => {
      test('a message reaches a subscriber with its topic and its bytes', async () => {
        const backend = await open(stage.backend);
        await backend.session.subscribe('boxes/+/up');
        const box = await open(stage.box);
        await box.session.publish({ topic: up(), payload: Uint8Array.of(0, 1, 0xff), retain: false });
        await stage.until(() => backend.inbox.topics.length === 1);
        expect(backend.inbox.topics).toEqual([up()]);
        expect(backend.inbox.retained).toEqual([false]);
      });

      test('bytes come as they went, also none at all and 60,000 of them', async () => {
        const arrived: Uint8Array[] = [];
        const backend = await stage.link.open(
          { ...stage.backend, clean: true, keepAliveS: 60, connectTimeoutMs: 5_000 },
          {
            message(_topic, payload, _retained, acknowledge) {
              arrived.push(Uint8Array.from(payload));
              acknowledge();
            },
            closed: () => undefined,
          },
        );
        sessions.push(backend);
        await backend.subscribe('boxes/+/up');
        const box = await open(stage.box);
        const sent = [
          new Uint8Array(0),
          Uint8Array.from({ length: 256 }, (_, index) => index),
          new Uint8Array(60_000).fill(0xa5),
        ];
        for (const payload of sent) await box.session.publish({ topic: up(), payload, retain: false });
        await stage.until(() => arrived.length === sent.length);
        expect(arrived).toEqual(sent);
      });

      test('messages are acknowledged and delivered in the order of the calls', async () => {
        const backend = await open(stage.backend);
        await backend.session.subscribe('boxes/+/up');
        const box = await open(stage.box);
        const acknowledged: string[] = [];
        await Promise.all(
          numbers(100).map(async (word) => {
            await box.session.publish(say(up(), word));
            acknowledged.push(word);
          }),
        );
        await stage.until(() => backend.inbox.texts.length >= 100);
        expect(acknowledged).toEqual(numbers(100));
        expect(backend.inbox.texts).toEqual(numbers(100));
      });

      test('a box is handed what the backend says to it, and nothing that is said to another', async () => {
        const box = await open(stage.box);
        const other = await open(stage.otherBox);
        await box.session.subscribe(down());
        await other.session.subscribe(`boxes/${stage.otherBox.clientId}/down`);
        const backend = await open(stage.backend);
        await backend.session.publish(say(`boxes/${stage.otherBox.clientId}/down`, 'other'));
        await backend.session.publish(say(down(), 'mine'));
        await stage.until(() => box.inbox.texts.length === 1 && other.inbox.texts.length === 1);
        await stage.settle();
        expect(box.inbox.texts).toEqual(['mine']);
        expect(other.inbox.texts).toEqual(['other']);
      });

      test('a publication that has no answer when the connection is severed is in doubt: LinkLost', async () => {
        const box = await open(stage.box);
        const publishing = expect(box.session.publish(say(up(), 'x'))).rejects.toBeInstanceOf(LinkLost);
        box.session.drop();
        await publishing;
      });

      test('every publication settles when the session ends', async () => {
        const box = await open(stage.box);
        const publishing = Promise.allSettled(
          numbers(20).map((word) => box.session.publish(say(up(), word))),
        );
        await box.session.end();
        for (const outcome of await publishing) {
          if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(LinkLost);
        }
      });

      test('publishing and subscribing on a session that has ended is LinkLost', async () => {
        const box = await open(stage.box);
        await box.session.end();
        await expect(box.session.publish(say(up(), 'x'))).rejects.toBeInstanceOf(LinkLost);
        await expect(box.session.subscribe(down())).rejects.toBeInstanceOf(LinkLost);
      });
    });

    describe('subscribing', () => {
      test('a filter that the broker refuses is LinkRefused, and the session lives on', async (context) => {
        const filter = stage.forbiddenFilter;
        if (typeof filter !== 'string') return context.skip(filter.none);
        const box = await open(stage.box);
        await expect(box.session.subscribe(filter)).rejects.toBeInstanceOf(LinkRefused);
        await box.session.subscribe(down());
        const backend = await open(stage.backend);
        await backend.session.publish(say(down(), 'still here'));
        await stage.until(() => box.inbox.texts.length === 1);
        expect(box.inbox.texts).toEqual(['still here']);
        expect(box.inbox.closings).toEqual([]);
      });

      test('a retained birth is handed to who subscribes later, marked as retained, the last one only', async () => {
        const box = await open(stage.box);
        await box.session.publish(say(presence(), 'first', true));
        await box.session.publish(say(presence(), 'second', true));
        const backend = await open(stage.backend);
        await backend.session.subscribe('boxes/+/presence');
        await stage.until(() => backend.inbox.texts.length >= 1);
        await stage.settle();
        expect(backend.inbox.texts).toEqual(['second']);
        expect(backend.inbox.retained).toEqual([true]);
      });

      test('a retained message that arrives live is not marked as retained', async () => {
        const backend = await open(stage.backend);
        await backend.session.subscribe('boxes/+/presence');
        const box = await open(stage.box);
        await box.session.publish(say(presence(), 'birth', true));
        await stage.until(() => backend.inbox.texts.length === 1);
        expect(backend.inbox.retained).toEqual([false]);
      });
    });

    describe('sessions', () => {
      test('a persistent session is resumed, and what was said meanwhile is delivered in order', async () => {
        const first = await open(stage.backend, { clean: false });
        expect(first.session.present).toBe(false);
        await first.session.subscribe('boxes/+/up');
        await first.session.end();
        const box = await open(stage.box);
        for (const word of numbers(20)) await box.session.publish(say(up(), word));
        const second = await open(stage.backend, { clean: false });
        expect(second.session.present).toBe(true);
        await stage.until(() => second.inbox.texts.length >= 20);
        expect(second.inbox.texts).toEqual(numbers(20));
      });

      test('a clean session forgets: nothing is resumed and nothing kept', async () => {
        const first = await open(stage.backend, { clean: true });
        await first.session.subscribe('boxes/+/up');
        await first.session.end();
        const box = await open(stage.box);
        await box.session.publish(say(up(), 'missed'));
        const second = await open(stage.backend, { clean: true });
        expect(second.session.present).toBe(false);
        await stage.settle();
        expect(second.inbox.texts).toEqual([]);
      });

      test('a clean connect wipes what an earlier persistent session had', async () => {
        const first = await open(stage.backend, { clean: false });
        await first.session.subscribe('boxes/+/up');
        await first.session.end();
        const wiping = await open(stage.backend, { clean: true });
        expect(wiping.session.present).toBe(false);
        await wiping.session.end();
        const third = await open(stage.backend, { clean: false });
        expect(third.session.present).toBe(false);
      });

      test('the same client id elsewhere closes the older connection, once', async () => {
        const older = await open(stage.box);
        const newer = await open(stage.box);
        await stage.until(() => older.inbox.closings.length > 0);
        await expect(older.session.publish(say(up(), 'x'))).rejects.toBeInstanceOf(LinkLost);
        await newer.session.publish(say(up(), 'y'));
        await stage.settle();
        expect(older.inbox.closings).toHaveLength(1);
        expect(newer.inbox.closings).toEqual([]);
      });

      test('nothing is handed over before open has resolved', async () => {
        const first = await open(stage.backend, { clean: false });
        await first.session.subscribe('boxes/+/up');
        await first.session.end();
        const box = await open(stage.box);
        for (const word of numbers(3)) await box.session.publish(say(up(), word));
        const order: string[] = [];
        const session = await stage.link.open(
          { ...stage.backend, clean: false, keepAliveS: 60, connectTimeoutMs: 5_000 },
          {
            message(_topic, payload, _retained, acknowledge) {
              order.push(text(payload));
              acknowledge();
            },
            closed: () => undefined,
          },
        );
        order.push('open');
        sessions.push(session);
        await stage.until(() => order.length >= 4);
        expect(order).toEqual(['open', ...numbers(3)]);
      });
    });

    describe('the will', () => {
      const withWill = () => ({ will: say(presence(), 'gone', true) });

      test('is published when the connection is severed, and kept where it is retained', async () => {
        const backend = await open(stage.backend);
        await backend.session.subscribe('boxes/+/presence');
        const box = await open(stage.box, withWill());
        box.session.drop();
        await stage.until(() => backend.inbox.texts.length === 1);
        expect(backend.inbox.texts).toEqual(['gone']);
        const later = await open(stage.witness);
        await later.session.subscribe('boxes/+/presence');
        await stage.until(() => later.inbox.texts.length === 1);
        expect(later.inbox.retained).toEqual([true]);
      });

      test('is not published after a goodbye', async () => {
        const backend = await open(stage.backend);
        await backend.session.subscribe('boxes/+/presence');
        const box = await open(stage.box, withWill());
        await box.session.end();
        const again = await open(stage.box);
        await again.session.publish(say(presence(), 'back', true));
        await stage.until(() => backend.inbox.texts.length >= 1);
        await stage.settle();
        expect(backend.inbox.texts).toEqual(['back']);
      });

      test('of a connection that is taken over is published', async () => {
        const backend = await open(stage.backend);
        await backend.session.subscribe('boxes/+/presence');
        await open(stage.box, withWill());
        await open(stage.box);
        await stage.until(() => backend.inbox.texts.length === 1);
        expect(backend.inbox.texts).toEqual(['gone']);
      });
    });

    describe('acknowledging', () => {
      test('with one message held nothing more is handed over, and all of it once it is released', async () => {
        const backend = await open(stage.backend, {}, true);
        await backend.session.subscribe('boxes/+/up');
        const witness = await open(stage.witness);
        await witness.session.subscribe('boxes/+/up');
        const box = await open(stage.box);
        await Promise.all(numbers(50).map((word) => box.session.publish(say(up(), word))));
        await stage.until(() => witness.inbox.texts.length === 50);
        await stage.settle();
        expect(backend.inbox.texts).toEqual(['0']);
        backend.inbox.holding = false;
        backend.inbox.release();
        await stage.until(() => backend.inbox.texts.length >= 50);
        expect(backend.inbox.texts).toEqual(numbers(50));
      });

      test('a persistent session gets again what it had not acknowledged', async () => {
        const first = await open(stage.backend, { clean: false }, true);
        await first.session.subscribe('boxes/+/up');
        const box = await open(stage.box);
        await Promise.all(numbers(10).map((word) => box.session.publish(say(up(), word))));
        await stage.until(() => first.inbox.texts.length === 1);
        first.session.drop();
        await stage.until(() => first.inbox.closings.length === 1);
        const second = await open(stage.backend, { clean: false });
        expect(second.session.present).toBe(true);
        await stage.until(() => second.inbox.texts.length >= 10);
        expect(second.inbox.texts).toEqual(numbers(10));
        // What was handed over before the end stays without effect: the connection it belonged to is gone.
        expect(first.inbox.texts).toEqual(['0']);
        first.inbox.release();
      });

      test('an acknowledgement may be given long after, and a second one does nothing', async () => {
        const given: (() => void)[] = [];
        const texts: string[] = [];
        const backend = await stage.link.open(
          { ...stage.backend, clean: true, keepAliveS: 60, connectTimeoutMs: 5_000 },
          {
            message(_topic, payload, _retained, acknowledge) {
              texts.push(text(payload));
              given.push(acknowledge);
            },
            closed: () => undefined,
          },
        );
        sessions.push(backend);
        await backend.subscribe('boxes/+/up');
        const box = await open(stage.box);
        for (const word of numbers(3)) await box.session.publish(say(up(), word));
        await stage.until(() => texts.length === 1);
        given[0]?.();
        given[0]?.();
        await stage.until(() => texts.length === 2);
        await stage.settle();
        expect(texts).toEqual(['0', '1']);
      });
    });

    describe('the end', () => {
      test('closed is told once after end, and nothing is handed over afterwards', async () => {
        const box = await open(stage.box);
        await box.session.subscribe(down());
        await box.session.end();
        await stage.until(() => box.inbox.closings.length === 1);
        const backend = await open(stage.backend);
        await backend.session.publish(say(down(), 'too late'));
        box.session.drop();
        await box.session.end();
        await stage.settle();
        expect(box.inbox.closings).toHaveLength(1);
        expect(box.inbox.texts).toEqual([]);
      });

      test('closed is told once after drop', async () => {
        const box = await open(stage.box);
        box.session.drop();
        box.session.drop();
        await stage.until(() => box.inbox.closings.length === 1);
        await stage.settle();
        expect(box.inbox.closings).toHaveLength(1);
      });
    });
  });
}
