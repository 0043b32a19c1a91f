import { describe, expect, test } from 'vitest';
import { MqttConnectionLost, MqttRefused } from '../../../../world/mqtt/mqtt-client.ts';
import { ALL_CLIENTS } from '../../../../world/network-faults/network-faults.ts';
import { sleep } from '../../../../world/time/time.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';
import { connectClient, publication } from '../../../support/mqtt/virtual-mqtt-client.ts';
import { NetworkSwitches } from '../../../support/world/network-switches.ts';

describe('network faults', () => {
  const withPair = (body: (pair: Awaited<ReturnType<typeof pairOf>>) => Promise<void>) => {
    const world = openVirtualWorld({ seed: 3 });
    return world.run(async () => body(await pairOf(world)));
  };
  const pairOf = async (world: VirtualWorld) => {
    const backend = await connectClient(world, 'backend');
    await backend.session.subscribe('#');
    const box = await connectClient(world, 'box', { will: publication('gone') });
    return { world, switches: new NetworkSwitches(world.networkFaults), backend, box };
  };

  test('cut: both ends are notified at once, the will is published, the outcome of publications is unknown', () =>
    withPair(async ({ world, backend, box }) => {
      const publishing = box.session.publish(publication('x'));
      const atMs = world.loop.nowMs;
      world.networkFaults.cut('box');
      await expect(publishing).rejects.toBeInstanceOf(MqttConnectionLost);
      expect(box.closings).toEqual([{ atMs, reason: 'reset by peer' }]);
      await sleep(world.time, 1_000);
      expect(backend.texts).toEqual(['gone']);
      expect(world.mqttBroker.connected).toEqual(['backend']);
      expect((await connectClient(world, 'box')).session.present).toBe(false);
    }));

  test('half open: nothing passes and no end is notified until it misses the keep-alive, one and a half periods after the last sign of life', () =>
    withPair(async ({ world, switches, backend, box }) => {
      await box.session.publish(publication('last'));
      await sleep(world.time, 1_000);
      const lastMs = world.loop.nowMs;
      switches.halfOpen('box', true);
      const publishing = expect(box.session.publish(publication('lost'))).rejects.toBeInstanceOf(
        MqttConnectionLost,
      );
      await sleep(world.time, 80_000);
      expect(box.closings).toEqual([]);
      expect(world.mqttBroker.connected).toContain('box');
      await publishing;
      expect(world.loop.nowMs - lastMs).toBeGreaterThan(88_000);
      expect(world.loop.nowMs - lastMs).toBeLessThanOrEqual(90_000);
      await expect(connectClient(world, 'box')).rejects.toBeInstanceOf(MqttRefused);
      expect(backend.texts).toEqual(['last', 'gone']);
      switches.halfOpen('box', false);
      await connectClient(world, 'box');
    }));

  test('half open: pings are signs of life too', () =>
    withPair(async ({ world, switches, box }) => {
      const openMs = world.loop.nowMs;
      await sleep(world.time, 10 * 60_000 - 20_000);
      switches.halfOpen('box', true);
      await sleep(world.time, 3_600_000);
      // The last ping that passed was nine minutes after the connect.
      const [closing] = box.closings;
      expect(Math.abs((closing?.atMs ?? 0) - openMs - 9 * 60_000 - 90_000)).toBeLessThan(500);
    }));

  test('half open for a moment in which nothing was sent: no end notices', () =>
    withPair(async ({ world, switches, backend, box }) => {
      await sleep(world.time, 1_000);
      switches.halfOpen('box', true);
      await sleep(world.time, 20_000);
      switches.halfOpen('box', false);
      await box.session.publish(publication('still here'));
      await sleep(world.time, 1_000);
      expect([backend.texts, box.closings]).toEqual([['still here'], []]);
    }));

  test('half open for a moment in which something was lost, even a ping: the connection is reset afterwards', async () => {
    for (const loses of ['publication', 'ping']) {
      await withPair(async ({ world, switches, box }) => {
        await sleep(world.time, 1_000);
        switches.halfOpen('box', true);
        if (loses === 'publication') box.session.publish(publication('x')).catch(() => undefined);
        await sleep(world.time, loses === 'ping' ? 61_000 : 1_000);
        switches.halfOpen('box', false);
        expect(box.closings.map((closing) => closing.reason)).toEqual(['reset by peer']);
        await sleep(world.time, 1);
      });
    }
  });

  test('stall: all packets arrive afterwards, in order', () =>
    withPair(async ({ world, switches, backend, box }) => {
      const numbers = Array.from({ length: 30 }, (_, index) => `${index}`);
      const publishing = numbers.map((text, at) => {
        if (at === 10) switches.stall('box', true);
        return box.session.publish(publication(text));
      });
      await sleep(world.time, 30_000);
      expect(backend.texts).toEqual([]);
      switches.stall('box', false);
      await Promise.all(publishing);
      await sleep(world.time, 1_000);
      expect(backend.texts).toEqual(numbers);
      expect(box.closings).toEqual([]);
    }));

  test('a stall longer than the keep-alive ends the connection', () =>
    withPair(async ({ world, switches, box }) => {
      switches.stall('box', true);
      await sleep(world.time, 120_000);
      expect(box.closings.map((closing) => closing.reason)).toEqual(['keep-alive timeout']);
    }));

  test('latency: a round trip takes twice the delay, and jitter does not reorder', () =>
    withPair(async ({ world, switches, backend, box }) => {
      switches.set('latency', 'box', { delayMs: 700, jitterMs: 0 });
      const fromMs = world.loop.nowMs;
      await box.session.publish(publication('first'));
      expect(world.loop.nowMs - fromMs).toBe(1_400);
      switches.set('latency', 'box', { delayMs: 10, jitterMs: 500 });
      const numbers = Array.from({ length: 50 }, (_, index) => `${index}`);
      await Promise.all(numbers.map((text) => box.session.publish(publication(text))));
      await sleep(world.time, 1_000);
      expect(backend.texts).toEqual(['first', ...numbers]);
    }));

  test('a lost PUBACK: the message arrived, its publisher does not know, and the connection ends', () =>
    withPair(async ({ world, switches, backend, box }) => {
      switches.losePuback('box');
      await expect(box.session.publish(publication('in doubt'))).rejects.toBeInstanceOf(MqttConnectionLost);
      await sleep(world.time, 1_000);
      expect(backend.texts).toEqual(['in doubt', 'gone']);
      const again = await connectClient(world, 'box');
      await again.session.publish(publication('in doubt'));
      await sleep(world.time, 1_000);
      expect(backend.texts).toEqual(['in doubt', 'gone', 'in doubt']);
    }));

  test('a withheld PUBACK: the publication stays open while the connection is up', () =>
    withPair(async ({ world, switches, box }) => {
      switches.withholdPuback('box');
      let isSettled = false;
      const settle = () => {
        isSettled = true;
      };
      box.session.publish(publication('x')).then(settle, settle);
      await box.session.publish(publication('y'));
      await sleep(world.time, 3_600_000);
      expect([isSettled, box.closings]).toEqual([false, []]);
      await box.session.end();
    }));

  test('a fault of all clients also applies to clients that connect later', () =>
    withPair(async ({ world, box, backend }) => {
      world.networkFaults.apply('latency', ALL_CLIENTS, { delayMs: 1_000, jitterMs: 0 });
      const fromMs = world.loop.nowMs;
      await connectClient(world, 'newcomer');
      expect(world.loop.nowMs - fromMs).toBe(2_000);
      world.networkFaults.cut(ALL_CLIENTS);
      await sleep(world.time, 0);
      expect([box.closings.length, backend.closings.length]).toEqual([1, 1]);
    }));
});
