import { describe, expect, test } from 'vitest';
import { topics } from '../../protocol/topics.ts';
import { MqttConnectionLost, MqttRefused } from '../../world/mqtt/mqtt-client.ts';
import {
  type MqttContractParts,
  numberTexts,
  publication,
  text,
} from '../support/mqtt/mqtt-contract-parts.ts';

/** Messages of an MQTT client: publishing, subscribing, acknowledging. */
export function mqttClientMessages(bench: MqttContractParts): void {
  const { open, up, down, presence } = bench;

  describe('publishing', () => {
    test('a message reaches a subscriber with its topic and its bytes', async () => {
      const backend = await open(bench.fixture.backend);
      await backend.session.subscribe('boxes/+/+/up');
      const box = await open(bench.fixture.box);
      await box.session.publish({ topic: up(), payload: Uint8Array.of(0, 1, 0xff), retain: false });
      await bench.fixture.until(() => backend.inbox.topics.length === 1);
      expect(backend.inbox.topics).toEqual([up()]);
      expect(backend.inbox.retained).toEqual([false]);
    });

    test('bytes arrive unchanged, also none at all and 60,000 of them', async () => {
      const arrived: Uint8Array[] = [];
      const backend = await bench.fixture.mqtt.open(
        { ...bench.fixture.backend, clean: true, keepAliveS: 60, connectTimeoutMs: 5_000 },
        {
          message(_topic, payload, _retained, acknowledge) {
            arrived.push(Uint8Array.from(payload));
            acknowledge();
          },
          closed: () => undefined,
        },
      );
      bench.keep(backend);
      await backend.subscribe('boxes/+/+/up');
      const box = await open(bench.fixture.box);
      const sent = [
        new Uint8Array(0),
        Uint8Array.from({ length: 256 }, (_, index) => index),
        new Uint8Array(60_000).fill(0xa5),
      ];
      for (const payload of sent) await box.session.publish({ topic: up(), payload, retain: false });
      await bench.fixture.until(() => arrived.length === sent.length);
      expect(arrived).toEqual(sent);
    });

    test('messages are acknowledged and delivered in the order of the calls', async () => {
      const backend = await open(bench.fixture.backend);
      await backend.session.subscribe('boxes/+/+/up');
      const box = await open(bench.fixture.box);
      const acknowledged: string[] = [];
      await Promise.all(
        numberTexts(100).map(async (word) => {
          await box.session.publish(publication(up(), word));
          acknowledged.push(word);
        }),
      );
      await bench.fixture.until(() => backend.inbox.texts.length >= 100);
      expect(acknowledged).toEqual(numberTexts(100));
      expect(backend.inbox.texts).toEqual(numberTexts(100));
    });

    test('a box is handed what the backend says to it, and nothing that is said to another', async () => {
      const box = await open(bench.fixture.box);
      const other = await open(bench.fixture.otherBox);
      await box.session.subscribe(down());
      await other.session.subscribe(topics.down(bench.fixture.otherBox.clientId));
      const backend = await open(bench.fixture.backend);
      await backend.session.publish(publication(topics.down(bench.fixture.otherBox.clientId), 'other'));
      await backend.session.publish(publication(down(), 'mine'));
      await bench.fixture.until(() => box.inbox.texts.length === 1 && other.inbox.texts.length === 1);
      await bench.fixture.settle();
      expect(box.inbox.texts).toEqual(['mine']);
      expect(other.inbox.texts).toEqual(['other']);
    });

    test('a publication without an answer when the connection is severed is MqttConnectionLost: it may have arrived or not', async () => {
      const box = await open(bench.fixture.box);
      const publishing = expect(box.session.publish(publication(up(), 'x'))).rejects.toBeInstanceOf(
        MqttConnectionLost,
      );
      box.session.drop();
      await publishing;
    });

    test('every publication settles when the session ends', async () => {
      const box = await open(bench.fixture.box);
      const publishing = Promise.allSettled(
        numberTexts(20).map((word) => box.session.publish(publication(up(), word))),
      );
      await box.session.end();
      for (const outcome of await publishing) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(MqttConnectionLost);
      }
    });

    test('publishing and subscribing on a session that has ended is MqttConnectionLost', async () => {
      const box = await open(bench.fixture.box);
      await box.session.end();
      await expect(box.session.publish(publication(up(), 'x'))).rejects.toBeInstanceOf(MqttConnectionLost);
      await expect(box.session.subscribe(down())).rejects.toBeInstanceOf(MqttConnectionLost);
    });
  });

  describe('subscribing', () => {
    test('a filter that the broker refuses is MqttRefused, and the session stays open', async (context) => {
      const filter = bench.fixture.forbiddenFilter;
      if (typeof filter !== 'string') return context.skip(filter.none);
      const box = await open(bench.fixture.box);
      await expect(box.session.subscribe(filter)).rejects.toBeInstanceOf(MqttRefused);
      await box.session.subscribe(down());
      const backend = await open(bench.fixture.backend);
      await backend.session.publish(publication(down(), 'still here'));
      await bench.fixture.until(() => box.inbox.texts.length === 1);
      expect(box.inbox.texts).toEqual(['still here']);
      expect(box.inbox.closings).toEqual([]);
    });

    test('a retained birth is sent to a later subscriber, marked as retained, only the last one', async () => {
      const box = await open(bench.fixture.box);
      await box.session.publish(publication(presence(), 'first', true));
      await box.session.publish(publication(presence(), 'second', true));
      const backend = await open(bench.fixture.backend);
      await backend.session.subscribe('boxes/+/+/presence');
      await bench.fixture.until(() => backend.inbox.texts.length >= 1);
      await bench.fixture.settle();
      expect(backend.inbox.texts).toEqual(['second']);
      expect(backend.inbox.retained).toEqual([true]);
    });

    test('a retained birth is sent to a later subscriber to exactly that topic', async () => {
      const box = await open(bench.fixture.box);
      await box.session.publish(publication(presence(), 'birth', true));
      const backend = await open(bench.fixture.backend);
      await backend.session.subscribe(presence());
      await bench.fixture.until(() => backend.inbox.texts.length >= 1);
      expect(backend.inbox.texts).toEqual(['birth']);
      expect(backend.inbox.retained).toEqual([true]);
    });

    test('a retained message that arrives live is not marked as retained', async () => {
      const backend = await open(bench.fixture.backend);
      await backend.session.subscribe('boxes/+/+/presence');
      const box = await open(bench.fixture.box);
      await box.session.publish(publication(presence(), 'birth', true));
      await bench.fixture.until(() => backend.inbox.texts.length === 1);
      expect(backend.inbox.retained).toEqual([false]);
    });
  });

  describe('acknowledging', () => {
    test('while one message is unacknowledged no other is delivered, and all are once it is acknowledged', async () => {
      const backend = await open(bench.fixture.backend, {}, true);
      await backend.session.subscribe('boxes/+/+/up');
      const witness = await open(bench.fixture.witness);
      await witness.session.subscribe('boxes/+/+/up');
      const box = await open(bench.fixture.box);
      await Promise.all(numberTexts(50).map((word) => box.session.publish(publication(up(), word))));
      await bench.fixture.until(() => witness.inbox.texts.length === 50);
      await bench.fixture.settle();
      expect(backend.inbox.texts).toEqual(['0']);
      backend.inbox.holding = false;
      backend.inbox.release();
      await bench.fixture.until(() => backend.inbox.texts.length >= 50);
      expect(backend.inbox.texts).toEqual(numberTexts(50));
    });

    test('a persistent session gets unacknowledged messages again', async () => {
      const first = await open(bench.fixture.backend, { clean: false }, true);
      await first.session.subscribe('boxes/+/+/up');
      const box = await open(bench.fixture.box);
      await Promise.all(numberTexts(10).map((word) => box.session.publish(publication(up(), word))));
      await bench.fixture.until(() => first.inbox.texts.length === 1);
      first.session.drop();
      await bench.fixture.until(() => first.inbox.closings.length === 1);
      const second = await open(bench.fixture.backend, { clean: false });
      expect(second.session.present).toBe(true);
      await bench.fixture.until(() => second.inbox.texts.length >= 10);
      expect(second.inbox.texts).toEqual(numberTexts(10));
      // Acknowledging a message from before the end has no effect: its connection has ended.
      expect(first.inbox.texts).toEqual(['0']);
      first.inbox.release();
    });

    test('an acknowledgement may be given much later, and a second one does nothing', async () => {
      const given: (() => void)[] = [];
      const texts: string[] = [];
      const backend = await bench.fixture.mqtt.open(
        { ...bench.fixture.backend, clean: true, keepAliveS: 60, connectTimeoutMs: 5_000 },
        {
          message(_topic, payload, _retained, acknowledge) {
            texts.push(text(payload));
            given.push(acknowledge);
          },
          closed: () => undefined,
        },
      );
      bench.keep(backend);
      await backend.subscribe('boxes/+/+/up');
      const box = await open(bench.fixture.box);
      for (const word of numberTexts(3)) await box.session.publish(publication(up(), word));
      await bench.fixture.until(() => texts.length === 1);
      given[0]?.();
      given[0]?.();
      await bench.fixture.until(() => texts.length === 2);
      await bench.fixture.settle();
      expect(texts).toEqual(['0', '1']);
    });
  });
}
