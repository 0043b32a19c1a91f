import { describe, expect, test } from 'vitest';
import { MqttConnectionLost, MqttRefused } from '../../world/mqtt/mqtt-client.ts';
import {
  type MqttContractParts,
  numberTexts,
  publication,
  text,
} from '../support/mqtt/mqtt-contract-parts.ts';

/** How sessions of an MQTT client begin, are resumed, and end, and when wills are published. */
export function mqttClientSessions(bench: MqttContractParts): void {
  const { open, up, down, presence } = bench;

  describe('signing in', () => {
    test('opens with the right password, and a new session has nothing to resume', async () => {
      const { session, inbox } = await open(bench.fixture.box);
      expect(session.present).toBe(false);
      expect(inbox.closings).toEqual([]);
    });

    test('refuses a wrong password', async () => {
      await expect(open({ ...bench.fixture.box, password: 'wrong' })).rejects.toBeInstanceOf(MqttRefused);
    });

    test('refuses an address without a server', async () => {
      const options = { ...bench.fixture.box, clean: true, keepAliveS: 60, connectTimeoutMs: 5_000 };
      const closings: string[] = [];
      const opening = bench.fixture.unreachableMqtt.open(options, {
        message: () => undefined,
        closed: (reason) => closings.push(reason),
      });
      await expect(opening).rejects.toBeInstanceOf(MqttRefused);
      await bench.fixture.settle();
      // A session that was never open does not close.
      expect(closings).toEqual([]);
    });
  });

  describe('sessions', () => {
    test('a persistent session is resumed, and messages sent meanwhile are delivered in order', async () => {
      const first = await open(bench.fixture.backend, { clean: false });
      expect(first.session.present).toBe(false);
      await first.session.subscribe('boxes/+/+/up');
      await first.session.end();
      const box = await open(bench.fixture.box);
      for (const word of numberTexts(20)) await box.session.publish(publication(up(), word));
      const second = await open(bench.fixture.backend, { clean: false });
      expect(second.session.present).toBe(true);
      await bench.fixture.until(() => second.inbox.texts.length >= 20);
      expect(second.inbox.texts).toEqual(numberTexts(20));
    });

    test('a clean session is not resumed, and nothing is kept for it', async () => {
      const first = await open(bench.fixture.backend, { clean: true });
      await first.session.subscribe('boxes/+/+/up');
      await first.session.end();
      const box = await open(bench.fixture.box);
      await box.session.publish(publication(up(), 'missed'));
      const second = await open(bench.fixture.backend, { clean: true });
      expect(second.session.present).toBe(false);
      await bench.fixture.settle();
      expect(second.inbox.texts).toEqual([]);
    });

    test('a clean connect deletes an earlier persistent session', async () => {
      const first = await open(bench.fixture.backend, { clean: false });
      await first.session.subscribe('boxes/+/+/up');
      await first.session.end();
      const wiping = await open(bench.fixture.backend, { clean: true });
      expect(wiping.session.present).toBe(false);
      await wiping.session.end();
      const third = await open(bench.fixture.backend, { clean: false });
      expect(third.session.present).toBe(false);
    });

    test('the same client id elsewhere closes the older connection, once', async () => {
      const older = await open(bench.fixture.box);
      const newer = await open(bench.fixture.box);
      await bench.fixture.until(() => older.inbox.closings.length > 0);
      await expect(older.session.publish(publication(up(), 'x'))).rejects.toBeInstanceOf(MqttConnectionLost);
      await newer.session.publish(publication(up(), 'y'));
      await bench.fixture.settle();
      expect(older.inbox.closings).toHaveLength(1);
      expect(newer.inbox.closings).toEqual([]);
    });

    test('no message is delivered before open has resolved', async () => {
      const first = await open(bench.fixture.backend, { clean: false });
      await first.session.subscribe('boxes/+/+/up');
      await first.session.end();
      const box = await open(bench.fixture.box);
      for (const word of numberTexts(3)) await box.session.publish(publication(up(), word));
      const order: string[] = [];
      const session = await bench.fixture.mqtt.open(
        { ...bench.fixture.backend, clean: false, keepAliveS: 60, connectTimeoutMs: 5_000 },
        {
          message(_topic, payload, _retained, acknowledge) {
            order.push(text(payload));
            acknowledge();
          },
          closed: () => undefined,
        },
      );
      order.push('open');
      bench.keep(session);
      await bench.fixture.until(() => order.length >= 4);
      expect(order).toEqual(['open', ...numberTexts(3)]);
    });
  });

  describe('the will', () => {
    const withWill = () => ({ will: publication(presence(), 'gone', true) });

    test('is published when the connection is severed, and kept if it is retained', async () => {
      const backend = await open(bench.fixture.backend);
      await backend.session.subscribe('boxes/+/+/presence');
      const box = await open(bench.fixture.box, withWill());
      box.session.drop();
      await bench.fixture.until(() => backend.inbox.texts.length === 1);
      expect(backend.inbox.texts).toEqual(['gone']);
      const later = await open(bench.fixture.witness);
      await later.session.subscribe('boxes/+/+/presence');
      await bench.fixture.until(() => later.inbox.texts.length === 1);
      expect(later.inbox.retained).toEqual([true]);
    });

    test('is not published after a DISCONNECT', async () => {
      const backend = await open(bench.fixture.backend);
      await backend.session.subscribe('boxes/+/+/presence');
      const box = await open(bench.fixture.box, withWill());
      await box.session.end();
      const again = await open(bench.fixture.box);
      await again.session.publish(publication(presence(), 'back', true));
      await bench.fixture.until(() => backend.inbox.texts.length >= 1);
      await bench.fixture.settle();
      expect(backend.inbox.texts).toEqual(['back']);
    });

    test('of a connection that is taken over is published', async () => {
      const backend = await open(bench.fixture.backend);
      await backend.session.subscribe('boxes/+/+/presence');
      await open(bench.fixture.box, withWill());
      await open(bench.fixture.box);
      await bench.fixture.until(() => backend.inbox.texts.length === 1);
      expect(backend.inbox.texts).toEqual(['gone']);
    });
  });

  describe('the end', () => {
    test('closed is called once after end, and no message is delivered afterwards', async () => {
      const box = await open(bench.fixture.box);
      await box.session.subscribe(down());
      await box.session.end();
      await bench.fixture.until(() => box.inbox.closings.length === 1);
      const backend = await open(bench.fixture.backend);
      await backend.session.publish(publication(down(), 'too late'));
      box.session.drop();
      await box.session.end();
      await bench.fixture.settle();
      expect(box.inbox.closings).toHaveLength(1);
      expect(box.inbox.texts).toEqual([]);
    });

    test('closed is called once after drop', async () => {
      const box = await open(bench.fixture.box);
      box.session.drop();
      box.session.drop();
      await bench.fixture.until(() => box.inbox.closings.length === 1);
      await bench.fixture.settle();
      expect(box.inbox.closings).toHaveLength(1);
    });
  });
}
