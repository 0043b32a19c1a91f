import { describe, expect, test } from 'vitest';
import type { Store } from '../../../../backend/store/port/store.ts';
import { READS } from '../../../../backend/store/port/store.ts';
import { limits } from '../../../../deployment/shared/limits.ts';
import {
  BREAK_EFFECTS,
  type EffectRow,
  WEATHER_EFFECTS,
} from '../../../../scenarios/testbed/common/faults/effect-rows.ts';
import type { EndedFault, FaultAnswer, FaultInForce } from '../../../../simulator/control/fault-api.ts';
import { effectText, endedText } from '../../../../simulator/control/fault-text.ts';
import { recordKey } from '../../../../simulator/firmware/core/pages.ts';
import { liveFaultStage } from '../../../support/simulator/live-fault-stage.ts';

type Stage = ReturnType<typeof liveFaultStage>;
type Meet = (on: Stage) => unknown;

/** What has to happen so that a word has an effect: before it is applied, or while it is active. Neither: it always has one. */
interface Case {
  /** Absent: the example of its row. */
  readonly wish?: object;
  readonly before?: Meet;
  readonly during?: Meet;
  /** What meets nothing whatever happens. */
  readonly misses?: object;
  /** Without a known effect, it is unknown whether it had one. */
  readonly isHidden?: true;
}

const links = (on: Stage) => on.parts.networkFaults.countsOf(on.first.plan.boxId);
const packet: Case = {
  during: (on) => {
    links(on).packets += 2;
  },
};
const connects: Meet = (on) => on.parts.connected.add(on.first.plan.boxId);
const powered: Meet = (on) => on.first.step({ power: 'up' });
const passes = (word: string, more: object = {}): Case => ({
  wish: { weather: { [word]: { message: 'puback', ...more } } },
  during: (on) => {
    for (const { matches, act } of on.parts.networkFaults.packetFaultsOf(on.first.plan.boxId))
      if (matches({ direction: 'down', kind: 'PUBACK', topic: '', payload: new Uint8Array() }))
        if (act.kind === 'reorder') act.overtaken?.();
  },
});
const flash = (on: Stage) => {
  const there = {
    load: async () => new Map(),
    write: async () => undefined,
    wipe: async () => undefined,
    close: async () => undefined,
  };
  return on.parts.flashFaults.wrap(there, on.time);
};
const writesRecord: Meet = (on) =>
  void flash(on).write(on.first.plan.boxId, [{ put: recordKey(1), bytes: new Uint8Array() }]);
const storeParts = Object.fromEntries(Object.keys(READS).map((part) => [part, { call: async () => 1 }]));
const writesToStore: Meet = async (on) => {
  const store = on.parts.store.wrap(storeParts as unknown as Store, on.time);
  const call = (store.census as unknown as { call(): Promise<unknown> }).call();
  call.catch(() => undefined);
};
const counted = (what: 'held' | 'refused' | 'away'): Case => ({
  during: (on) => {
    on.parts.exchange.counts[what] += 1;
  },
});

const CASES: Readonly<Record<string, Case>> = {
  'weather coverage': {
    during: (on) =>
      on.first.step({
        power: 'up',
        modem: { ...on.first.firmware().ram.modem, phase: 'searching' } as never,
      }),
  },
  'weather signal': { during: (on) => on.first.step({ csq: 9 }) },
  'weather cut': { before: connects },
  'weather half_open': packet,
  'weather stall': packet,
  'weather latency': packet,
  'weather bandwidth': packet,
  'weather cell': packet,
  'weather trace': packet,
  'weather reset_peer': {
    during: (on) => {
      links(on).resets += 1;
    },
  },
  'weather slow_close': {
    during: (on) => {
      links(on).slowCloses += 1;
    },
  },
  'weather limit_data': {
    during: (on) => {
      links(on).overLimit += 1;
    },
  },
  'weather session_lost': { before: connects, isHidden: true },
  'weather take_over': { before: connects },
  'weather roaming': {},
  'weather sim': { misses: { weather: { sim: 'active' } } },
  'weather lose': passes('lose'),
  'weather delay': passes('delay', { by: '1s' }),
  'weather double': passes('double'),
  'weather reorder': passes('reorder'),
  'box brown-out': {},
  'box watchdog': { before: powered },
  'box reset': { before: powered },
  'box power-loss': { during: powered },
  'box flash-full': {
    during: (on) => on.first.step({ counts: { strayFrames: 0, refusedRecords: 1 } }),
  },
  'box lost-write': { during: writesRecord },
  'box flash-slow': { during: writesRecord },
  'box clock-jump': { misses: { break: { box: { 'clock-jump': { by: '0s' } } } } },
  'box clock-drift': { misses: { break: { box: { 'clock-drift': { ppm: 0 } } } } },
  'box gnss-lost': { during: powered },
  'box wipe': {},
  'box hang': {
    during: (on) => {
      for (let count = 0; count < 3; count += 1) on.first.step({ hang: {} as never });
    },
  },
  'box error': {
    wish: { break: { box: { error: { text: 'hot' } } } },
    during: (on) => {
      on.first.step({ fault: { text: 'hot', isPassing: false } });
      on.first.step({ fault: { text: 'hot', isPassing: false, hadEffect: true } });
    },
  },
  'box installation': { during: powered },
  'broker restart': { wish: { break: { broker: 'restart' }, for: '1m' }, before: connects, isHidden: true },
  'exchange down': counted('away'),
  'exchange nack': counted('refused'),
  'exchange blocked': {
    during: (on) => {
      on.parts.counts.waiting = 1;
    },
  },
  'backend cut': { before: (on) => on.parts.connected.add('service') },
  'store full': { during: writesToStore },
  'store slow': { during: writesToStore },
  'store commit-unknown': { during: writesToStore },
  'store down': { during: writesToStore },
  'sim_provider outage': {
    // It is silent, and answers never.
    during: (on) => void on.parts.sims.app.request('/meridian/x'),
  },
};

const ROWS: Readonly<Record<string, EffectRow>> = Object.fromEntries(
  Object.entries({ weather: WEATHER_EFFECTS, ...BREAK_EFFECTS }).flatMap(([of, rows]) =>
    Object.entries(rows).map(([name, row]): [string, EffectRow] => [`${of} ${name}`, row]),
  ),
);

/** How a fault is told while it is in force (undefined: it is over at once), and once it has ended. */
async function told(
  on: Stage,
  wish: object,
  { before, during }: Pick<Case, 'before' | 'during'>,
): Promise<{ readonly active: FaultInForce | undefined; readonly ended: EndedFault | undefined }> {
  await before?.(on);
  const answer = await on.faults.begin(undefined, wish as Record<string, unknown>);
  if (answer.kind === 'wrong') throw new Error(answer.detail);
  if (answer.kind === 'happened') return { active: undefined, ended: answer.fault };
  await during?.(on);
  const [active] = await on.faults.inForce();
  return { active, ended: await on.faults.lift(answer.fault.id) };
}

async function exampleOf(word: string): Promise<object> {
  const found = (await liveFaultStage().faults.words()).find(({ of, name }) => `${of} ${name}` === word);
  return found?.example as object;
}

test('each word that can be had by hand has a case', async () => {
  const words = await liveFaultStage().faults.words();
  const had = words.flatMap(({ of, name, unavailable }) =>
    unavailable === undefined ? [`${of} ${name}`] : [],
  );
  expect(new Set(Object.keys(CASES))).toEqual(new Set(had));
});

describe.each(Object.entries(CASES))('%s, applied by hand', (word, given) => {
  const { misses, isHidden, before, during } = given;
  const when = ROWS[word]?.when;

  test('says that it has had an effect, while active and at its end', async () => {
    const wish = given.wish ?? (await exampleOf(word));
    const { active, ended } = await told(liveFaultStage(), wish, given);
    if (active !== undefined) expect(active).toMatchObject({ struck: 'yes', strikesWhen: when });
    expect(ended).toMatchObject({ struck: 'yes', strikesWhen: when });
    expect(ended).not.toHaveProperty('missed');
  });

  test('says that it has had none, or why that is not known, unless it always has one', async () => {
    if (misses === undefined && before === undefined && during === undefined) {
      expect(ROWS[word]?.missed).toBeUndefined();
      return;
    }
    const wish = misses ?? given.wish ?? (await exampleOf(word));
    const { active, ended } = await told(liveFaultStage(), wish, {});
    const because = ROWS[word]?.notOverSockets;
    const expected = isHidden ? { struck: 'not known', because } : { struck: 'no', strikesWhen: when };
    if (active !== undefined) expect(active).toMatchObject(expected);
    expect(ended).toMatchObject(isHidden ? expected : { ...expected, missed: expect.any(String) });
    if (isHidden) expect(because).toBeTypeOf('string');
  });
});

describe('a fault that has ended', () => {
  test('is told when its time is over, the last one first, for so many', async () => {
    const { faults, loop, time, first } = liveFaultStage();
    await faults.begin(undefined, { break: { box: 'lost-write' }, for: '10s' });
    await faults.begin(undefined, { weather: { signal: 9 }, for: '20s' });
    first.step({ csq: 9 });
    await loop.runUntil(time.nowMs() + 30_000);
    expect(await faults.ended()).toMatchObject([
      { id: '2', fault: { weather: { signal: 9 } }, struck: 'yes' },
      { id: '1', struck: 'no', times: 0, missed: 'no box wrote a record while it lasted' },
    ]);
    for (let count = 0; count < limits.faultsEnded; count += 1)
      await faults.begin(undefined, { break: { box: 'wipe' } });
    expect(await faults.ended()).toHaveLength(limits.faultsEnded);
  });

  test('leaves no box watched, and one that is looked at by two is watched until both have ended', async () => {
    const { faults, first } = liveFaultStage();
    await faults.begin(undefined, { break: { box: 'reset' } });
    expect(first.watcher).toBeUndefined();
    const { fault } = (await faults.begin(undefined, { weather: { signal: 9 } })) as { fault: FaultInForce };
    await faults.begin([first.plan.boxId], { break: { box: 'flash-full' } });
    await faults.lift(fault.id);
    expect(first.watcher).toBeDefined();
    await faults.stop();
    expect(first.watcher).toBeUndefined();
  });
});

describe('a blocked exchange', () => {
  const blocked = { break: { exchange: 'blocked' } };

  test('is lifted also where nobody can say what waits, and says why that is not known', async () => {
    const on = liveFaultStage({ waitingMessages: () => Promise.reject(new Error('the store is away')) });
    const { ended } = await told(on, blocked, {});
    expect(ended).toMatchObject({
      struck: 'not known',
      because: expect.stringContaining('the store is away'),
    });
    expect(on.parts.exchange.isBlocked).toBe(false);
  });

  test('has had an effect that was handed to it, whichever parts can be queried', async () => {
    const on = liveFaultStage({ waitingMessages: () => Promise.reject(new Error('the store is away')) });
    const { ended } = await told(on, blocked, counted('held'));
    expect(ended).toMatchObject({ struck: 'yes' });
  });

  test('of which an effect was observed has had one, whatever waits at its end', async () => {
    const on = liveFaultStage();
    const { fault } = (await on.faults.begin(undefined, blocked)) as Extract<
      FaultAnswer,
      { kind: 'in-force' }
    >;
    on.parts.counts.waiting = 1;
    expect(await on.faults.inForce()).toMatchObject([{ struck: 'yes' }]);
    on.parts.counts.waiting = 0;
    expect(await on.faults.lift(fault.id)).toMatchObject({ struck: 'yes' });
  });
});

test.each([
  [{ struck: 'yes', times: 1 }, 'had an effect once so far', 'ended; it had an effect once'],
  [{ struck: 'yes', times: 3 }, 'had an effect 3 times so far', 'ended; it had an effect 3 times'],
  [{ struck: 'yes' }, 'had an effect', 'ended; it had an effect'],
  [
    { struck: 'no', missed: 'no box had a connection' },
    'no effect so far; it has an effect when a box had a connection',
    'ended without an effect: no box had a connection; it has an effect when a box had a connection',
  ],
  [
    { struck: 'not known', because: 'Nobody counts.' },
    'effect unknown: Nobody counts.',
    'ended; effect unknown: Nobody counts.',
  ],
] as const)('of %j the text says so', (effect, active, ended) => {
  const whole = { strikesWhen: 'a box had a connection', ...effect };
  expect(effectText(whole)).toBe(active);
  expect(endedText(whole)).toBe(ended);
});
