import { describe, expect, test } from 'vitest';
import { LinkLost, LinkRefused } from '../../../world/link.ts';
import { sleep } from '../../../world/time.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../world/virtual-world.ts';
import { EVERYBODY } from '../../../world/weather.ts';
import { client, say } from './link-client.ts';

describe('the weather', () => {
  const withPair = (body: (pair: Awaited<ReturnType<typeof pairOf>>) => Promise<void>) => {
    const world = openVirtualWorld({ seed: 3 });
    return world.run(async () => body(await pairOf(world)));
  };
  const pairOf = async (world: VirtualWorld) => {
    const backend = await client(world, 'backend');
    await backend.session.subscribe('#');
    const box = await client(world, 'box', { will: say('gone') });
    return { world, backend, box };
  };

  test('cut: both ends know at once, the will goes out, publications are in doubt', () =>
    withPair(async ({ world, backend, box }) => {
      const publishing = box.session.publish(say('x'));
      const atMs = world.loop.nowMs;
      world.weather.cut('box');
      await expect(publishing).rejects.toBeInstanceOf(LinkLost);
      expect(box.closings).toEqual([{ atMs, reason: 'reset by peer' }]);
      await sleep(world.time, 1_000);
      expect(backend.texts).toEqual(['gone']);
      expect(world.broker.connected).toEqual(['backend']);
      expect((await client(world, 'box')).session.present).toBe(false);
    }));

  test('half open: nothing passes and nobody is told until the keep-alive is missed, one and a half periods after the last sign of life', () =>
    withPair(async ({ world, backend, box }) => {
      await box.session.publish(say('last'));
      await sleep(world.time, 1_000);
      const lastMs = world.loop.nowMs;
      world.weather.halfOpen('box', true);
      const publishing = expect(box.session.publish(say('lost'))).rejects.toBeInstanceOf(LinkLost);
      await sleep(world.time, 80_000);
      expect(box.closings).toEqual([]);
      expect(world.broker.connected).toContain('box');
      await publishing;
      expect(world.loop.nowMs - lastMs).toBeGreaterThan(88_000);
      expect(world.loop.nowMs - lastMs).toBeLessThanOrEqual(90_000);
      await expect(client(world, 'box')).rejects.toBeInstanceOf(LinkRefused);
      expect(backend.texts).toEqual(['last', 'gone']);
      world.weather.halfOpen('box', false);
      await client(world, 'box');
    }));

  test('half open: pings are signs of life too', () =>
    withPair(async ({ world, box }) => {
      const openMs = world.loop.nowMs;
      await sleep(world.time, 10 * 60_000 - 20_000);
      world.weather.halfOpen('box', true);
      await sleep(world.time, 3_600_000);
      // The last ping that got through was nine minutes after the connect.
      const [closing] = box.closings;
      expect(Math.abs((closing?.atMs ?? 0) - openMs - 9 * 60_000 - 90_000)).toBeLessThan(500);
    }));

  test('half open for a moment in which nothing was sent: nobody ever knows', () =>
    withPair(async ({ world, backend, box }) => {
      await sleep(world.time, 1_000);
      world.weather.halfOpen('box', true);
      await sleep(world.time, 20_000);
      world.weather.halfOpen('box', false);
      await box.session.publish(say('still here'));
      await sleep(world.time, 1_000);
      expect([backend.texts, box.closings]).toEqual([['still here'], []]);
    }));

  test('half open for a moment in which something was lost, be it a ping: the connection is reset afterwards', async () => {
    for (const loses of ['publication', 'ping']) {
      await withPair(async ({ world, box }) => {
        await sleep(world.time, 1_000);
        world.weather.halfOpen('box', true);
        if (loses === 'publication') box.session.publish(say('x')).catch(() => undefined);
        await sleep(world.time, loses === 'ping' ? 61_000 : 1_000);
        world.weather.halfOpen('box', false);
        expect(box.closings.map((closing) => closing.reason)).toEqual(['reset by peer']);
        await sleep(world.time, 1);
      });
    }
  });

  test('stall: what was sent arrives afterwards, all of it and in order', () =>
    withPair(async ({ world, backend, box }) => {
      const numbers = Array.from({ length: 30 }, (_, index) => `${index}`);
      const publishing = numbers.map((text, at) => {
        if (at === 10) world.weather.stall('box', true);
        return box.session.publish(say(text));
      });
      await sleep(world.time, 30_000);
      expect(backend.texts).toEqual([]);
      world.weather.stall('box', false);
      await Promise.all(publishing);
      await sleep(world.time, 1_000);
      expect(backend.texts).toEqual(numbers);
      expect(box.closings).toEqual([]);
    }));

  test('a stall that outlasts the keep-alive ends the connection', () =>
    withPair(async ({ world, box }) => {
      world.weather.stall('box', true);
      await sleep(world.time, 120_000);
      expect(box.closings.map((closing) => closing.reason)).toEqual(['keep-alive timeout']);
    }));

  test('latency: a round trip takes twice the delay, and jitter does not reorder', () =>
    withPair(async ({ world, backend, box }) => {
      world.weather.latency('box', { delayMs: 700, jitterMs: 0 });
      const fromMs = world.loop.nowMs;
      await box.session.publish(say('first'));
      expect(world.loop.nowMs - fromMs).toBe(1_400);
      world.weather.latency('box', { delayMs: 10, jitterMs: 500 });
      const numbers = Array.from({ length: 50 }, (_, index) => `${index}`);
      await Promise.all(numbers.map((text) => box.session.publish(say(text))));
      await sleep(world.time, 1_000);
      expect(backend.texts).toEqual(['first', ...numbers]);
    }));

  test('a lost PUBACK: the message arrived, its publisher does not know, and the connection dies', () =>
    withPair(async ({ world, backend, box }) => {
      world.weather.losePuback('box');
      await expect(box.session.publish(say('in doubt'))).rejects.toBeInstanceOf(LinkLost);
      await sleep(world.time, 1_000);
      expect(backend.texts).toEqual(['in doubt', 'gone']);
      const again = await client(world, 'box');
      await again.session.publish(say('in doubt'));
      await sleep(world.time, 1_000);
      expect(backend.texts).toEqual(['in doubt', 'gone', 'in doubt']);
    }));

  test('a withheld PUBACK: the publication stays open while the connection lives on', () =>
    withPair(async ({ world, box }) => {
      world.weather.withholdPuback('box');
      let isSettled = false;
      const settle = () => {
        isSettled = true;
      };
      box.session.publish(say('x')).then(settle, settle);
      await box.session.publish(say('y'));
      await sleep(world.time, 3_600_000);
      expect([isSettled, box.closings]).toEqual([false, []]);
      await box.session.end();
    }));

  test('weather for everybody meets those who come later too', () =>
    withPair(async ({ world, box, backend }) => {
      world.weather.latency(EVERYBODY, { delayMs: 1_000, jitterMs: 0 });
      const fromMs = world.loop.nowMs;
      await client(world, 'newcomer');
      expect(world.loop.nowMs - fromMs).toBe(2_000);
      world.weather.cut(EVERYBODY);
      await sleep(world.time, 0);
      expect([box.closings.length, backend.closings.length]).toEqual([1, 1]);
    }));
});
