import { describe, expect, test } from 'vitest';
import { MqttConnectionLost } from '../../../../world/mqtt/mqtt-client.ts';
import type { PassingPacket } from '../../../../world/network-faults/conditions.ts';
import { ALL_CLIENTS } from '../../../../world/network-faults/network-faults.ts';
import { sleep } from '../../../../world/time/time.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';
import { connectClient, publication } from '../../../support/mqtt/virtual-mqtt-client.ts';

const still = { minDelayMs: 10, maxDelayMs: 10, jitterMs: 0 };

async function pairOf(world: VirtualWorld) {
  const backend = await connectClient(world, 'backend');
  await backend.session.subscribe('#');
  const box = await connectClient(world, 'box', { will: publication('gone') });
  return { world, backend, box };
}

function withPair(body: (pair: Awaited<ReturnType<typeof pairOf>>) => Promise<void>): Promise<void> {
  const world = openVirtualWorld({ seed: 3, network: still });
  return world.run(async () => body(await pairOf(world)));
}

/** 100 bytes with topic, packet id and headers: 40 + 2 + 4 + 2 + 52. */
const hundred = (letter: string) => publication(letter.repeat(52));

const took = async (world: VirtualWorld, what: Promise<unknown>): Promise<number> => {
  const fromMs = world.loop.nowMs;
  await what;
  return world.loop.nowMs - fromMs;
};

describe('faults applied to a connection', () => {
  test('bandwidth limits the bits per second, in each direction separately, in order', () =>
    withPair(async ({ world, backend, box }) => {
      // 100 bytes at 800 bit/s take a second each; the PUBACK (44 bytes) is not delayed.
      const end = world.networkFaults.apply('bandwidth', 'box', { upBitsPerS: 800 });
      const sent = ['a', 'b', 'c'].map((letter) => took(world, box.session.publish(hundred(letter))));
      expect(await Promise.all(sent)).toEqual([1_020, 2_020, 3_020]);
      await sleep(world.time, 100);
      expect(backend.texts.map((text) => text[0])).toEqual(['a', 'b', 'c']);
      end();
      expect(await took(world, box.session.publish(hundred('d')))).toBe(20);
      world.networkFaults.apply('bandwidth', 'box', { downBitsPerS: 352 });
      expect(await took(world, box.session.publish(hundred('e')))).toBe(1_020);
    }));

  test('packets that still wait when the bandwidth changes continue at the new one', () =>
    withPair(async ({ world, box }) => {
      const end = world.networkFaults.apply('bandwidth', 'box', { upBitsPerS: 8 });
      const publishing = ['a', 'b'].map((letter) => took(world, box.session.publish(hundred(letter))));
      world.time.alarm(world.loop.nowMs + 500, end);
      expect(await Promise.all(publishing)).toEqual([520, 520]);
    }));

  test('of two layers the harsher applies, whichever was first, and ending one leaves the other', () =>
    withPair(async ({ world, box }) => {
      const publish = () => took(world, box.session.publish(hundred('x')));
      const endLong = world.networkFaults.apply('latency', 'box', { delayMs: 700, jitterMs: 0 });
      const endShort = world.networkFaults.apply('latency', 'box', { delayMs: 300, jitterMs: 0 });
      expect(await publish()).toBe(1_400);
      endLong();
      endLong();
      expect(await publish()).toBe(600);
      endShort();
      expect(await publish()).toBe(20);
      const endStalls = [1, 2].map(() => world.networkFaults.apply('stall', 'box', {}));
      const publishing = box.session.publish(hundred('y'));
      const startMs = world.loop.nowMs;
      world.time.alarm(startMs + 1_000, () => endStalls[0]?.());
      world.time.alarm(startMs + 2_000, () => endStalls[1]?.());
      expect(await took(world, publishing)).toBe(2_020);
    }));

  test('a packet larger than an opportunity of a trace waits for the next ones; at its end the trace starts again', () =>
    withPair(async ({ world, box }) => {
      world.networkFaults.apply('trace', 'box', { trace: { stampsMs: [100, 100, 1_000] }, direction: 'up' });
      const publishing = [
        publication('x'.repeat(3_000)),
        publication('y'),
        publication('z'.repeat(1_400)),
      ].map((what) => took(world, box.session.publish(what)));
      // 3,049 bytes fill both opportunities at 100 ms and use 49 bytes of that at 1,000; 1,450 bytes have
      // space left there except for the 49 of y before: the rest passes at 1,100.
      expect(await Promise.all(publishing)).toEqual([1_020, 1_020, 1_120]);
    }));

  test('reset_peer resets a connection at an age, at once if that is past, and the next one too', () =>
    withPair(async ({ world, box }) => {
      await sleep(world.time, 10_000);
      const end = world.networkFaults.apply('reset_peer', 'box', { afterMs: 5_000 });
      const laidMs = world.loop.nowMs;
      await sleep(world.time, 1);
      expect(box.closings).toEqual([{ atMs: laidMs, reason: 'reset by peer' }]);
      const madeMs = world.loop.nowMs;
      const next = await connectClient(world, 'box');
      await sleep(world.time, 10_000);
      expect(next.closings).toEqual([{ atMs: madeMs + 5_000, reason: 'reset by peer' }]);
      end();
      const last = await connectClient(world, 'box');
      await sleep(world.time, 10_000);
      expect(last.closings).toEqual([]);
    }));

  test('slow_close: the other end is notified of a close that much later, or when it misses the keep-alive', () =>
    withPair(async ({ world, backend, box }) => {
      world.networkFaults.apply('slow_close', 'box', { delayMs: 20_000 });
      box.session.drop();
      await sleep(world.time, 19_000);
      expect(backend.texts).toEqual([]);
      await sleep(world.time, 1_100);
      expect(backend.texts).toEqual(['gone']);
      world.networkFaults.apply('slow_close', 'box', { delayMs: 3_600_000 });
      const next = await connectClient(world, 'box', { will: publication('gone') });
      next.session.drop();
      await sleep(world.time, 91_000);
      expect(backend.texts).toEqual(['gone', 'gone']);
    }));

  test('limit_data: a connection ends with the packet that exceeds the limit, and the next one starts at 0', () =>
    withPair(async ({ world, backend, box }) => {
      world.networkFaults.apply('limit_data', 'box', { bytes: 300 });
      // Each takes 100 bytes up and 44 down: the third one is the 400th byte.
      await box.session.publish(hundred('a'));
      await box.session.publish(hundred('b'));
      await expect(box.session.publish(hundred('c'))).rejects.toBeInstanceOf(MqttConnectionLost);
      await sleep(world.time, 1_000);
      expect(backend.texts.map((text) => text[0])).toEqual(['a', 'b', 'g']);
      const next = await connectClient(world, 'box');
      await next.session.publish(hundred('d'));
    }));

  test('a lost session is severed, its will is published, and the next connection has no session', async () => {
    const world = openVirtualWorld({ seed: 3, network: still });
    await world.run(async () => {
      const { backend } = await pairOf(world);
      const box = await connectClient(world, 'kept', { clean: false, will: publication('gone') });
      world.networkFaults.loseSession('kept');
      await sleep(world.time, 1_000);
      expect([box.closings.length, backend.texts]).toEqual([1, ['gone']]);
      expect((await connectClient(world, 'kept', { clean: false })).session.present).toBe(false);
    });
  });

  test('a take-over closes the connection; a persistent session is kept', async () => {
    const world = openVirtualWorld({ seed: 3, network: still });
    await world.run(async () => {
      const { backend } = await pairOf(world);
      const box = await connectClient(world, 'kept', { clean: false, will: publication('gone') });
      world.networkFaults.takeOver('kept');
      await sleep(world.time, 1_000);
      expect([box.closings.map(({ reason }) => reason), backend.texts]).toEqual([['taken over'], ['gone']]);
      expect((await connectClient(world, 'kept', { clean: false })).session.present).toBe(true);
    });
  });
});

describe('faults of single messages', () => {
  const ups = ({ direction, kind }: PassingPacket) => direction === 'up' && kind === 'PUBLISH';

  test('a lost message stays lost while its connection is up, and later ones arrive', () =>
    withPair(async ({ world, backend, box }) => {
      world.networkFaults.addPacketFault('box', { matches: ups, count: 1, act: { kind: 'lose' } });
      box.session.publish(publication('a')).catch(() => undefined);
      await box.session.publish(publication('b'));
      await sleep(world.time, 600_000);
      expect([backend.texts, box.closings]).toEqual([['b'], []]);
    }));

  test('a message that a subscriber did not get arrives on its next connection, as in MQTT', async () => {
    const world = openVirtualWorld({ seed: 3, network: still });
    await world.run(async () => {
      const box = await connectClient(world, 'box', { clean: false });
      await box.session.subscribe('down');
      const other = await connectClient(world, 'other');
      const matches = ({ direction, topic }: PassingPacket) => direction === 'down' && topic === 'down';
      world.networkFaults.addPacketFault('box', { matches, count: 1, act: { kind: 'lose' } });
      for (const text of ['a', 'b']) await other.session.publish(publication(text, 'down'));
      await sleep(world.time, 60_000);
      expect(box.texts).toEqual(['b']);
      world.networkFaults.cut('box');
      const next = await connectClient(world, 'box', { clean: false });
      await sleep(world.time, 1_000);
      expect(next.texts).toEqual(['a']);
    });
  });

  test('for a message lost with its connection the outcome is unknown to its sender', () =>
    withPair(async ({ world, backend, box }) => {
      const matches = ({ kind }: PassingPacket) => kind === 'PUBACK';
      const act = { kind: 'lose-and-cut' } as const;
      world.networkFaults.addPacketFault('box', { matches, count: 2, act });
      await expect(box.session.publish(publication('a'))).rejects.toBeInstanceOf(MqttConnectionLost);
      const next = await connectClient(world, 'box');
      await expect(next.session.publish(publication('b'))).rejects.toBeInstanceOf(MqttConnectionLost);
      await (await connectClient(world, 'box')).session.publish(publication('c'));
      await sleep(world.time, 1_000);
      expect(backend.texts).toEqual(['a', 'gone', 'b', 'c']);
    }));

  test('a late message is overtaken by later ones, and is lost with its connection', () =>
    withPair(async ({ world, backend, box }) => {
      const act = { kind: 'delay', byMs: 30_000 } as const;
      world.networkFaults.addPacketFault('box', { matches: ups, count: 2, act });
      const sent = ['a', 'b', 'c'].map((text) => took(world, box.session.publish(publication(text))));
      expect(await Promise.all(sent)).toEqual([30_020, 30_020, 20]);
      await sleep(world.time, 100);
      expect(backend.texts).toEqual(['c', 'a', 'b']);
      world.networkFaults.addPacketFault('box', { matches: ups, count: 1, act });
      const doubtful = expect(box.session.publish(publication('d'))).rejects.toBeInstanceOf(
        MqttConnectionLost,
      );
      world.networkFaults.cut('box');
      await doubtful;
      await sleep(world.time, 60_000);
      expect(backend.texts).toEqual(['c', 'a', 'b', 'gone']);
    }));

  test('no more messages are affected once the fault is ended', () =>
    withPair(async ({ world, backend, box }) => {
      const end = world.networkFaults.addPacketFault(ALL_CLIENTS, {
        matches: ups,
        count: 5,
        act: { kind: 'lose' },
      });
      box.session.publish(publication('a')).catch(() => undefined);
      end();
      await box.session.publish(publication('b'));
      await sleep(world.time, 100);
      expect(backend.texts).toEqual(['b']);
    }));
});
