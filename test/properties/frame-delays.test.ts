import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { topics } from '../../protocol/topics.ts';
import { BoxDelays } from '../../simulator/box/box-delays.ts';
import { BrokerConnection } from '../../simulator/box/broker-connection.ts';
import type { FleetBox } from '../../simulator/box/fleet-box.ts';
import { startFleet } from '../../simulator/fleet/fleet.ts';
import { planFleet } from '../../simulator/fleet/fleet-plan.ts';
import type { MqttSession, MqttSessionEvents } from '../../world/mqtt/mqtt-client.ts';
import { seededRandom } from '../../world/random/seeded-random.ts';
import { openVirtualWorld } from '../../world/virtual-world.ts';
import { FakeBackend } from '../support/firmware/fake-backend.ts';

/** The figures of the model in milliseconds. */
const MEDIAN_MS = [55, 120] as const;
const SIGMA = 0.45;
const SET_UP_MS = [80, 180] as const;
const PAGING_MS = 1_280;
const PROCESSOR_MS = [15, 60] as const;
const AWAKE_MS = 10_000;
const LINK_MOST_MS = 4_000;
/** A sum of twelve uniform numbers is no further from its mean. */
const MOST_DEVIATIONS = 6;

const anyFrame = fc.record({
  afterMs: fc.oneof(
    fc.integer({ min: 0, max: 3_000 }),
    fc.integer({ min: 9_000, max: 11_500 }),
    fc.constantFrom(10_000, 10_001),
  ),
  isDown: fc.boolean(),
  csq: fc.integer({ min: 0, max: 31 }),
});

/** The least and the most that a frame can take in this state of the link. */
function boundsOf(
  { isDown, csq }: { isDown: boolean; csq: number },
  idleMs: number,
): readonly [number, number] {
  // 12 % for each step of +CSQ below 12.
  const repeats = 1 + Math.max(0, 12 - csq) * 0.12;
  const wide = Math.exp(SIGMA * MOST_DEVIATIONS);
  let least = Math.min((MEDIAN_MS[0] / wide) * repeats, LINK_MOST_MS);
  let most = Math.min(MEDIAN_MS[1] * wide * repeats, LINK_MOST_MS);
  if (idleMs > AWAKE_MS) {
    least += SET_UP_MS[0];
    most += SET_UP_MS[1] + (isDown ? PAGING_MS : 0);
  }
  if (isDown) {
    least += PROCESSOR_MS[0];
    most += PROCESSOR_MS[1];
  }
  return [Math.floor(least), Math.ceil(most)];
}

describe('the time that a frame is under way', () => {
  test('is explained by the state of the link: its signal, whether the radio slept, and the direction', () => {
    fc.assert(
      fc.property(fc.integer(), fc.array(anyFrame, { minLength: 1, maxLength: 60 }), (seed, frames) => {
        const delays = new BoxDelays(seededRandom(seed), 'box');
        let [nowMs, usedMs] = [1_000_000, Number.NEGATIVE_INFINITY];
        for (const frame of frames) {
          nowMs += frame.afterMs;
          const ms = frame.isDown ? delays.downlinkMs(nowMs, frame.csq) : delays.uplinkMs(nowMs, frame.csq);
          const [least, most] = boundsOf(frame, nowMs - usedMs);
          expect(ms, JSON.stringify(frame)).toBeGreaterThanOrEqual(least);
          expect(ms, JSON.stringify(frame)).toBeLessThanOrEqual(most);
          usedMs = nowMs;
        }
      }),
    );
  });

  test('has the median and the deviation of its link, more of both where the signal is poor, and a set-up after 10 s', () => {
    for (let seed = 1; seed <= 12; seed += 1) {
      const logsAt = (csq: number, everyMs: number) => {
        const delays = new BoxDelays(seededRandom(seed), 'box');
        delays.uplinkMs(0, 31);
        const logs = Array.from({ length: 2_000 }, (_, index) =>
          Math.log(delays.uplinkMs((index + 1) * everyMs, csq)),
        );
        const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length;
        const variance = logs.reduce((sum, one) => sum + (one - mean) ** 2, 0) / logs.length;
        const ms = logs.reduce((sum, one) => sum + Math.exp(one), 0) / logs.length;
        return { mean, deviation: Math.sqrt(variance), ms };
      };
      const [good, poor] = [logsAt(20, 1), logsAt(2, 1)];
      expect(Math.exp(good.mean)).toBeGreaterThan(MEDIAN_MS[0] * 0.97);
      expect(Math.exp(good.mean)).toBeLessThan(MEDIAN_MS[1] * 1.03);
      for (const { deviation } of [good, poor]) expect(Math.abs(deviation - SIGMA)).toBeLessThan(0.04);
      // 1 + 10 × 12 %.
      expect(Math.abs(Math.exp(poor.mean - good.mean) - 2.2)).toBeLessThan(0.1);
      // The radio stays awake for 10 s. After that its connection takes 80 to 180 ms more.
      expect(Math.abs(logsAt(20, AWAKE_MS).ms - good.ms)).toBeLessThan(5);
      expect(
        Math.abs(logsAt(20, AWAKE_MS + 1).ms - good.ms - (SET_UP_MS[0] + SET_UP_MS[1]) / 2),
      ).toBeLessThan(8);
    }
  });
});

const anyAct = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ what: fc.constant('up' as const), delayMs: fc.integer({ min: 0, max: 3_000 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('down' as const), delayMs: fc.integer({ min: 0, max: 3_000 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ what: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 2_500 }) }),
  },
);
const anyEnd = fc.constantFrom('goodbye' as const, 'drop' as const, 'silence' as const, 'closed' as const);

/** A connection over a session that notes what passes, with delays that are given before each frame. */
async function stage() {
  const world = openVirtualWorld({ seed: 1 });
  const [plan] = planFleet(world.random, 1);
  if (plan === undefined) throw new Error('no plan');
  const passed: { readonly what: string; readonly atMs: number }[] = [];
  const note = (what: string) => void passed.push({ what, atMs: world.time.nowMs() });
  let outside: MqttSessionEvents | undefined;
  const session: MqttSession = {
    present: false,
    publish: async ({ topic }) => note(topic),
    subscribe: async () => undefined,
    end: async () => note('end'),
    drop: () => undefined,
  };
  const mqtt = {
    open: async (_options: unknown, events: MqttSessionEvents) => {
      outside = events;
      return session;
    },
  };
  const acknowledged: number[] = [];
  let delayMs = 0;
  const road = { uplinkDelayMs: () => delayMs, downlinkDelayMs: () => delayMs };
  const events = {
    opened: () => undefined,
    subscribed: () => undefined,
    acknowledged: () => undefined,
    received: (_: unknown, bytes: Uint8Array, done: () => void) => {
      note(`down ${bytes[0]}`);
      done();
    },
    closed: () => undefined,
  };
  const { time, trace } = world;
  const will = { topic: 'will', payload: new Uint8Array(0), retain: true };
  const connection = new BrokerConnection(plan, { time, trace, mqtt }, will, events, road);
  await world.runFor(1);
  return {
    world,
    connection,
    passed,
    acknowledged,
    up(index: number, ms: number) {
      delayMs = ms;
      connection.publish(1, { topic: `up ${index}`, payload: new Uint8Array(1), retain: false });
    },
    down(index: number, ms: number) {
      delayMs = ms;
      outside?.message(
        topics.down(plan.boxId),
        Uint8Array.of(index),
        false,
        () => void acknowledged.push(index),
      );
    },
    closed: () => outside?.closed('cut'),
    /** Of what the connection sends by itself. */
    setDelay(ms: number) {
      delayMs = ms;
    },
  };
}

describe('the frames of one connection', () => {
  test('pass once each, in their order, none early and none later than its delay unless one before it is, and none after its end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyAct, { minLength: 1, maxLength: 40 }), anyEnd, async (acts, end) => {
        const { world, connection, passed, acknowledged, up, down, closed, setDelay } = await stage();
        const wanted: { what: string; atMs: number }[] = [];
        const lastMs = { up: 0, down: 0 };
        for (const [index, act] of acts.entries()) {
          if (act.what === 'wait') {
            await world.runFor(act.ms);
            continue;
          }
          const { what, delayMs } = act;
          lastMs[what] = Math.max(world.time.nowMs() + delayMs, lastMs[what]);
          wanted.push({ what: `${what} ${index}`, atMs: lastMs[what] });
          if (what === 'up') up(index, delayMs);
          else down(index, delayMs);
        }
        await world.runFor(1);
        const endMs = world.time.nowMs();
        if (end === 'closed') closed();
        else {
          setDelay(0);
          connection.end(end);
        }
        // Whoever says goodbye has said everything before.
        if (end === 'goodbye') wanted.push({ what: 'end', atMs: Math.max(lastMs.up, endMs) });
        await world.runFor(60_000);
        up(99, 0);
        down(98, 0);
        await world.runFor(10_000);
        const isPassing = ({ what, atMs }: { what: string; atMs: number }) =>
          atMs <= endMs || (end === 'goodbye' && !what.startsWith('down'));
        const inOrder = (all: readonly { what: string; atMs: number }[], kind: RegExp) =>
          all.filter(({ what }) => kind.test(what));
        // What a half-open connection has not brought to the box is not acknowledged: the broker keeps it.
        if (end === 'silence')
          expect(acknowledged.map((index) => `down ${index}`)).toEqual(
            inOrder(passed, /^down/).map(({ what }) => what),
          );
        for (const kind of [/^(up|end)/, /^down/])
          expect(inOrder(passed, kind)).toEqual(inOrder(wanted.filter(isPassing), kind));
      }),
      { numRuns: 60 },
    );
  });
});

const LOOK_MS = 1_000;
const STEP_MS = 500;

describe('a vehicle without coverage', () => {
  test('lets no frame pass once it is taken, or once its box has looked where no site reaches it', async () => {
    const anyTurns = fc.array(
      fc.record({ box: fc.nat(3), ms: fc.integer({ min: 200, max: 25_000 }), hasCoverage: fc.boolean() }),
      { minLength: 6, maxLength: 14 },
    );
    let [frames, dark] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), anyTurns, async (seed, turns) => {
        const boxes = new Map<string, FleetBox>();
        const wrong: string[] = [];
        const takenFrom = new Set<string>();
        const reachedMs = new Map<string, number>();
        const watch = (line: string) => {
          const [, id, what] = /box\/(\S+) (frame-up|frame-down)/.exec(line) ?? [];
          const box = boxes.get(id ?? '');
          if (box === undefined) return;
          frames += 1;
          if (box.truth()['hasCoverage'] === true) return;
          // A box looks each second: it does not notice a shorter dip, and its frames get through there.
          const darkMs = world.time.nowMs() - (reachedMs.get(box.plan.boxId) ?? 0);
          if (takenFrom.has(box.plan.boxId) || darkMs > LOOK_MS + STEP_MS)
            wrong.push(`${what} of ${id} after ${darkMs} ms`);
        };
        const world = openVirtualWorld({ seed, trace: { sink: watch } });
        const backend = new FakeBackend(world);
        await world.run(() => backend.start());
        const plans = planFleet(world.random, 4).map(
          (plan) => ({ ...plan, radio: 'road', driving: true }) as const,
        );
        const fleet = await world.run(() => startFleet(world, plans));
        for (const [id, box] of fleet.boxes) boxes.set(id, box);
        const pass = async (ms: number) => {
          for (let leftMs = ms; leftMs > 0; leftMs -= STEP_MS) {
            for (const [id, box] of boxes)
              if (box.truth()['hasCoverage'] === true) reachedMs.set(id, world.time.nowMs());
              else dark += 1;
            await world.runFor(Math.min(leftMs, STEP_MS));
          }
        };
        await pass(20_000);
        for (const { box, ms, hasCoverage } of turns) {
          const id = plans[box]?.boxId ?? '';
          boxes.get(id)?.setCoverage(hasCoverage);
          if (hasCoverage) takenFrom.delete(id);
          else takenFrom.add(id);
          await pass(ms);
        }
        expect(wrong).toEqual([]);
        await world.run(() => fleet.stop());
      }),
      { numRuns: 3 },
    );
    expect(frames).toBeGreaterThan(30);
    expect(dark).toBeGreaterThan(10);
  });
});
