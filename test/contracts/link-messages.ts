import { describe, expect, test } from 'vitest';
import { LinkLost, LinkRefused } from '../../world/link.ts';
import { type LinkBench, numbers, say, text } from './link-bench.ts';

/** What a link does with messages: publishing, subscribing, acknowledging. */
export function linkMessages(bench: LinkBench): void {
  const { open, up, down, presence } = bench;

  describe('publishing', () => {
    test('a message reaches a subscriber with its topic and its bytes', async () => {
      const backend = await open(bench.stage.backend);
      await backend.session.subscribe('boxes/+/up');
      const box = await open(bench.stage.box);
      await box.session.publish({ topic: up(), payload: Uint8Array.of(0, 1, 0xff), retain: false });
      await bench.stage.until(() => backend.inbox.topics.length === 1);
      expect(backend.inbox.topics).toEqual([up()]);
      expect(backend.inbox.retained).toEqual([false]);
    });

    test('bytes come as they went, also none at all and 60,000 of them', async () => {
      const arrived: Uint8Array[] = [];
      const backend = await bench.stage.link.open(
        { ...bench.stage.backend, clean: true, keepAliveS: 60, connectTimeoutMs: 5_000 },
        {
          message(_topic, payload, _retained, acknowledge) {
            arrived.push(Uint8Array.from(payload));
            acknowledge();
          },
          closed: () => undefined,
        },
      );
      bench.keep(backend);
      await backend.subscribe('boxes/+/up');
      const box = await open(bench.stage.box);
      const sent = [
        new Uint8Array(0),
        Uint8Array.from({ length: 256 }, (_, index) => index),
        new Uint8Array(60_000).fill(0xa5),
      ];
      for (const payload of sent) await box.session.publish({ topic: up(), payload, retain: false });
      await bench.stage.until(() => arrived.length === sent.length);
      expect(arrived).toEqual(sent);
    });

    test('messages are acknowledged and delivered in the order of the calls', async () => {
      const backend = await open(bench.stage.backend);
      await backend.session.subscribe('boxes/+/up');
      const box = await open(bench.stage.box);
      const acknowledged: string[] = [];
      await Promise.all(
        numbers(100).map(async (word) => {
          await box.session.publish(say(up(), word));
          acknowledged.push(word);
        }),
      );
      await bench.stage.until(() => backend.inbox.texts.length >= 100);
      expect(acknowledged).toEqual(numbers(100));
      expect(backend.inbox.texts).toEqual(numbers(100));
    });

    test('a box is handed what the backend says to it, and nothing that is said to another', async () => {
      const box = await open(bench.stage.box);
      const other = await open(bench.stage.otherBox);
      await box.session.subscribe(down());
      await other.session.subscribe(`boxes/${bench.stage.otherBox.clientId}/down`);
      const backend = await open(bench.stage.backend);
      await backend.session.publish(say(`boxes/${bench.stage.otherBox.clientId}/down`, 'other'));
      await backend.session.publish(say(down(), 'mine'));
      await bench.stage.until(() => box.inbox.texts.length === 1 && other.inbox.texts.length === 1);
      await bench.stage.settle();
      expect(box.inbox.texts).toEqual(['mine']);
      expect(other.inbox.texts).toEqual(['other']);
    });

    test('a publication that has no answer when the connection is severed is in doubt: LinkLost', async () => {
      const box = await open(bench.stage.box);
      const publishing = expect(box.session.publish(say(up(), 'x'))).rejects.toBeInstanceOf(LinkLost);
      box.session.drop();
      await publishing;
    });

    test('every publication settles when the session ends', async () => {
      const box = await open(bench.stage.box);
      const publishing = Promise.allSettled(numbers(20).map((word) => box.session.publish(say(up(), word))));
      await box.session.end();
      for (const outcome of await publishing) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(LinkLost);
      }
    });

    test('publishing and subscribing on a session that has ended is LinkLost', async () => {
      const box = await open(bench.stage.box);
      await box.session.end();
      await expect(box.session.publish(say(up(), 'x'))).rejects.toBeInstanceOf(LinkLost);
      await expect(box.session.subscribe(down())).rejects.toBeInstanceOf(LinkLost);
    });
  });

  describe('subscribing', () => {
    test('a filter that the broker refuses is LinkRefused, and the session lives on', async (context) => {
      const filter = bench.stage.forbiddenFilter;
      if (typeof filter !== 'string') return context.skip(filter.none);
      const box = await open(bench.stage.box);
      await expect(box.session.subscribe(filter)).rejects.toBeInstanceOf(LinkRefused);
      await box.session.subscribe(down());
      const backend = await open(bench.stage.backend);
      await backend.session.publish(say(down(), 'still here'));
      await bench.stage.until(() => box.inbox.texts.length === 1);
      expect(box.inbox.texts).toEqual(['still here']);
      expect(box.inbox.closings).toEqual([]);
    });

    test('a retained birth is handed to who subscribes later, marked as retained, the last one only', async () => {
      const box = await open(bench.stage.box);
      await box.session.publish(say(presence(), 'first', true));
      await box.session.publish(say(presence(), 'second', true));
      const backend = await open(bench.stage.backend);
      await backend.session.subscribe('boxes/+/presence');
      await bench.stage.until(() => backend.inbox.texts.length >= 1);
      await bench.stage.settle();
      expect(backend.inbox.texts).toEqual(['second']);
      expect(backend.inbox.retained).toEqual([true]);
    });

    test('a retained birth is handed to who subscribes later to that very topic', async () => {
      const box = await open(bench.stage.box);
      await box.session.publish(say(presence(), 'birth', true));
      const backend = await open(bench.stage.backend);
      await backend.session.subscribe(presence());
      await bench.stage.until(() => backend.inbox.texts.length >= 1);
      expect(backend.inbox.texts).toEqual(['birth']);
      expect(backend.inbox.retained).toEqual([true]);
    });

    test('a retained message that arrives live is not marked as retained', async () => {
      const backend = await open(bench.stage.backend);
      await backend.session.subscribe('boxes/+/presence');
      const box = await open(bench.stage.box);
      await box.session.publish(say(presence(), 'birth', true));
      await bench.stage.until(() => backend.inbox.texts.length === 1);
      expect(backend.inbox.retained).toEqual([false]);
    });
  });

  describe('acknowledging', () => {
    test('with one message held nothing more is handed over, and all of it once it is released', async () => {
      const backend = await open(bench.stage.backend, {}, true);
      await backend.session.subscribe('boxes/+/up');
      const witness = await open(bench.stage.witness);
      await witness.session.subscribe('boxes/+/up');
      const box = await open(bench.stage.box);
      await Promise.all(numbers(50).map((word) => box.session.publish(say(up(), word))));
      await bench.stage.until(() => witness.inbox.texts.length === 50);
      await bench.stage.settle();
      expect(backend.inbox.texts).toEqual(['0']);
      backend.inbox.holding = false;
      backend.inbox.release();
      await bench.stage.until(() => backend.inbox.texts.length >= 50);
      expect(backend.inbox.texts).toEqual(numbers(50));
    });

    test('a persistent session gets again what it had not acknowledged', async () => {
      const first = await open(bench.stage.backend, { clean: false }, true);
      await first.session.subscribe('boxes/+/up');
      const box = await open(bench.stage.box);
      await Promise.all(numbers(10).map((word) => box.session.publish(say(up(), word))));
      await bench.stage.until(() => first.inbox.texts.length === 1);
      first.session.drop();
      await bench.stage.until(() => first.inbox.closings.length === 1);
      const second = await open(bench.stage.backend, { clean: false });
      expect(second.session.present).toBe(true);
      await bench.stage.until(() => second.inbox.texts.length >= 10);
      expect(second.inbox.texts).toEqual(numbers(10));
      // What was handed over before the end stays without effect: the connection it belonged to is gone.
      expect(first.inbox.texts).toEqual(['0']);
      first.inbox.release();
    });

    test('an acknowledgement may be given long after, and a second one does nothing', async () => {
      const given: (() => void)[] = [];
      const texts: string[] = [];
      const backend = await bench.stage.link.open(
        { ...bench.stage.backend, clean: true, keepAliveS: 60, connectTimeoutMs: 5_000 },
        {
          message(_topic, payload, _retained, acknowledge) {
            texts.push(text(payload));
            given.push(acknowledge);
          },
          closed: () => undefined,
        },
      );
      bench.keep(backend);
      await backend.subscribe('boxes/+/up');
      const box = await open(bench.stage.box);
      for (const word of numbers(3)) await box.session.publish(say(up(), word));
      await bench.stage.until(() => texts.length === 1);
      given[0]?.();
      given[0]?.();
      await bench.stage.until(() => texts.length === 2);
      await bench.stage.settle();
      expect(texts).toEqual(['0', '1']);
    });
  });
}
