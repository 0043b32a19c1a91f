import { describe, expect, test } from 'vitest';
import type { Passing } from '../../../world/climate.ts';
import { LinkLost } from '../../../world/link.ts';
import { sleep } from '../../../world/time.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../world/virtual-world.ts';
import { EVERYBODY } from '../../../world/weather.ts';
import { client, say } from './link-client.ts';

const still = { minDelayMs: 10, maxDelayMs: 10, jitterMs: 0 };

async function pairOf(world: VirtualWorld) {
  const backend = await client(world, 'backend');
  await backend.session.subscribe('#');
  const box = await client(world, 'box', { will: say('gone') });
  return { world, backend, box };
}

function withPair(body: (pair: Awaited<ReturnType<typeof pairOf>>) => Promise<void>): Promise<void> {
  const world = openVirtualWorld({ seed: 3, network: still });
  return world.run(async () => body(await pairOf(world)));
}

/** 100 bytes with topic, packet id and headers: 40 + 2 + 4 + 2 + 52. */
const hundred = (letter: string) => say(letter.repeat(52));

const took = async (world: VirtualWorld, what: Promise<unknown>): Promise<number> => {
  const fromMs = world.loop.nowMs;
  await what;
  return world.loop.nowMs - fromMs;
};

describe('weather that is laid on a link', () => {
  test('bandwidth lets so many bits a second pass, each direction by itself, in order', () =>
    withPair(async ({ world, backend, box }) => {
      // 100 bytes at 800 bit/s: a second each; the PUBACK (44 bytes) comes down unhindered.
      const end = world.weather.lay('bandwidth', 'box', { upBitsPerS: 800 });
      const sent = ['a', 'b', 'c'].map((letter) => took(world, box.session.publish(hundred(letter))));
      expect(await Promise.all(sent)).toEqual([1_020, 2_020, 3_020]);
      await sleep(world.time, 100);
      expect(backend.texts.map((text) => text[0])).toEqual(['a', 'b', 'c']);
      end();
      expect(await took(world, box.session.publish(hundred('d')))).toBe(20);
      world.weather.lay('bandwidth', 'box', { downBitsPerS: 352 });
      expect(await took(world, box.session.publish(hundred('e')))).toBe(1_020);
    }));

  test('what still waits for its turn when the bandwidth changes goes on at the new one', () =>
    withPair(async ({ world, box }) => {
      const end = world.weather.lay('bandwidth', 'box', { upBitsPerS: 8 });
      const publishing = ['a', 'b'].map((letter) => took(world, box.session.publish(hundred(letter))));
      world.time.alarm(world.loop.nowMs + 500, end);
      expect(await Promise.all(publishing)).toEqual([520, 520]);
    }));

  test('of two layers the harsher is in force, whichever was laid first, and ending one leaves the other', () =>
    withPair(async ({ world, box }) => {
      const publish = () => took(world, box.session.publish(hundred('x')));
      const endLong = world.weather.lay('latency', 'box', { delayMs: 700, jitterMs: 0 });
      const endShort = world.weather.lay('latency', 'box', { delayMs: 300, jitterMs: 0 });
      expect(await publish()).toBe(1_400);
      endLong();
      endLong();
      expect(await publish()).toBe(600);
      endShort();
      expect(await publish()).toBe(20);
      const endStalls = [1, 2].map(() => world.weather.lay('stall', 'box', {}));
      const publishing = box.session.publish(hundred('y'));
      const startMs = world.loop.nowMs;
      world.time.alarm(startMs + 1_000, () => endStalls[0]?.());
      world.time.alarm(startMs + 2_000, () => endStalls[1]?.());
      expect(await took(world, publishing)).toBe(2_020);
    }));

  test('a packet larger than an opportunity of a trace waits for the next ones; at its end the trace begins anew', () =>
    withPair(async ({ world, box }) => {
      world.weather.lay('trace', 'box', { trace: { stampsMs: [100, 100, 1_000] }, direction: 'up' });
      const publishing = [say('x'.repeat(3_000)), say('y'), say('z'.repeat(1_400))].map((what) =>
        took(world, box.session.publish(what)),
      );
      // 3,049 bytes fill both opportunities at 100 ms and 49 bytes of that at 1,000; 1,450 find room beside them
      // but for the 49 of y before: the rest passes at 1,100.
      expect(await Promise.all(publishing)).toEqual([1_020, 1_020, 1_120]);
    }));

  test('reset_peer resets a connection at an age, at once where that is past, and the next one too', () =>
    withPair(async ({ world, box }) => {
      await sleep(world.time, 10_000);
      const end = world.weather.lay('reset_peer', 'box', { afterMs: 5_000 });
      const laidMs = world.loop.nowMs;
      await sleep(world.time, 1);
      expect(box.closings).toEqual([{ atMs: laidMs, reason: 'reset by peer' }]);
      const madeMs = world.loop.nowMs;
      const next = await client(world, 'box');
      await sleep(world.time, 10_000);
      expect(next.closings).toEqual([{ atMs: madeMs + 5_000, reason: 'reset by peer' }]);
      end();
      const last = await client(world, 'box');
      await sleep(world.time, 10_000);
      expect(last.closings).toEqual([]);
    }));

  test('slow_close: the other end hears of a close that much later, or when it misses the keep-alive', () =>
    withPair(async ({ world, backend, box }) => {
      world.weather.lay('slow_close', 'box', { delayMs: 20_000 });
      box.session.drop();
      await sleep(world.time, 19_000);
      expect(backend.texts).toEqual([]);
      await sleep(world.time, 1_100);
      expect(backend.texts).toEqual(['gone']);
      world.weather.lay('slow_close', 'box', { delayMs: 3_600_000 });
      const next = await client(world, 'box', { will: say('gone') });
      next.session.drop();
      await sleep(world.time, 91_000);
      expect(backend.texts).toEqual(['gone', 'gone']);
    }));

  test('limit_data: a connection ends with the packet by which more has passed, and the next one begins at 0', () =>
    withPair(async ({ world, backend, box }) => {
      world.weather.lay('limit_data', 'box', { bytes: 300 });
      // Each takes 100 bytes up and 44 down: the third one is the 400th byte.
      await box.session.publish(hundred('a'));
      await box.session.publish(hundred('b'));
      await expect(box.session.publish(hundred('c'))).rejects.toBeInstanceOf(LinkLost);
      await sleep(world.time, 1_000);
      expect(backend.texts.map((text) => text[0])).toEqual(['a', 'b', 'g']);
      const next = await client(world, 'box');
      await next.session.publish(hundred('d'));
    }));

  test('a lost session is severed, its will goes out, and its next connection finds none', async () => {
    const world = openVirtualWorld({ seed: 3, network: still });
    await world.run(async () => {
      const { backend } = await pairOf(world);
      const box = await client(world, 'kept', { clean: false, will: say('gone') });
      world.weather.loseSession('kept');
      await sleep(world.time, 1_000);
      expect([box.closings.length, backend.texts]).toEqual([1, ['gone']]);
      expect((await client(world, 'kept', { clean: false })).session.present).toBe(false);
    });
  });

  test('a take-over closes the connection; a session that was to be kept is', async () => {
    const world = openVirtualWorld({ seed: 3, network: still });
    await world.run(async () => {
      const { backend } = await pairOf(world);
      const box = await client(world, 'kept', { clean: false, will: say('gone') });
      world.weather.takeOver('kept');
      await sleep(world.time, 1_000);
      expect([box.closings.map(({ reason }) => reason), backend.texts]).toEqual([['taken over'], ['gone']]);
      expect((await client(world, 'kept', { clean: false })).session.present).toBe(true);
    });
  });
});

describe('messages that weather picks out', () => {
  const ups = ({ direction, kind }: Passing) => direction === 'up' && kind === 'PUBLISH';

  test('one that is lost stays lost while its connection lives on, and those behind it arrive', () =>
    withPair(async ({ world, backend, box }) => {
      world.weather.pick('box', { matches: ups, count: 1, act: { kind: 'lose' } });
      box.session.publish(say('a')).catch(() => undefined);
      await box.session.publish(say('b'));
      await sleep(world.time, 600_000);
      expect([backend.texts, box.closings]).toEqual([['b'], []]);
    }));

  test('what a subscriber was not given comes with its next connection, as MQTT has it', async () => {
    const world = openVirtualWorld({ seed: 3, network: still });
    await world.run(async () => {
      const box = await client(world, 'box', { clean: false });
      await box.session.subscribe('down');
      const other = await client(world, 'other');
      const matches = ({ direction, topic }: Passing) => direction === 'down' && topic === 'down';
      world.weather.pick('box', { matches, count: 1, act: { kind: 'lose' } });
      for (const text of ['a', 'b']) await other.session.publish(say(text, 'down'));
      await sleep(world.time, 60_000);
      expect(box.texts).toEqual(['b']);
      world.weather.cut('box');
      const next = await client(world, 'box', { clean: false });
      await sleep(world.time, 1_000);
      expect(next.texts).toEqual(['a']);
    });
  });

  test('one that is lost with its connection is in doubt for its sender', () =>
    withPair(async ({ world, backend, box }) => {
      const matches = ({ kind }: Passing) => kind === 'PUBACK';
      const act = { kind: 'lose-and-cut' } as const;
      world.weather.pick('box', { matches, count: 2, act });
      await expect(box.session.publish(say('a'))).rejects.toBeInstanceOf(LinkLost);
      const next = await client(world, 'box');
      await expect(next.session.publish(say('b'))).rejects.toBeInstanceOf(LinkLost);
      await (await client(world, 'box')).session.publish(say('c'));
      await sleep(world.time, 1_000);
      expect(backend.texts).toEqual(['a', 'gone', 'b', 'c']);
    }));

  test('one that is late is passed by what was sent after it, and is lost with its connection', () =>
    withPair(async ({ world, backend, box }) => {
      const act = { kind: 'delay', byMs: 30_000 } as const;
      world.weather.pick('box', { matches: ups, count: 2, act });
      const sent = ['a', 'b', 'c'].map((text) => took(world, box.session.publish(say(text))));
      expect(await Promise.all(sent)).toEqual([30_020, 30_020, 20]);
      await sleep(world.time, 100);
      expect(backend.texts).toEqual(['c', 'a', 'b']);
      world.weather.pick('box', { matches: ups, count: 1, act });
      const doubtful = expect(box.session.publish(say('d'))).rejects.toBeInstanceOf(LinkLost);
      world.weather.cut('box');
      await doubtful;
      await sleep(world.time, 60_000);
      expect(backend.texts).toEqual(['c', 'a', 'b', 'gone']);
    }));

  test('nothing more is picked once it is ended', () =>
    withPair(async ({ world, backend, box }) => {
      const end = world.weather.pick(EVERYBODY, { matches: ups, count: 5, act: { kind: 'lose' } });
      box.session.publish(say('a')).catch(() => undefined);
      end();
      await box.session.publish(say('b'));
      await sleep(world.time, 100);
      expect(backend.texts).toEqual(['b']);
    }));
});
