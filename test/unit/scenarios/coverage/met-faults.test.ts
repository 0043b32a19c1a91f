import { expect, test } from 'vitest';
import { PROBLEMS } from '../../../../contract/problems.ts';
import type { Fact } from '../../../../judge/evidence/fact.ts';
import { Coverage, watchRun } from '../../../../scenarios/coverage/coverage.ts';
import { runVirtual } from '../../../../scenarios/run/run-virtual.ts';
import type { EffectTime, WatchedFault } from '../../../../scenarios/testbed/port/watched-fault.ts';
import { FakeTestbed } from '../../../support/scenarios/fake-testbed.ts';
import { parsedScenario } from '../../../support/simulation/play-scenario.ts';

/** The fault is applied while nothing is under way, and is over before the box reports again. */
const armed = (fault: string, as: string) => `
name: armed
about: A fault waits for what it meets.
seed: 3
fleet: [{ model: petrol-compact, firmware: "2.31", driving: false }]
steps:
  - { at: 1m, ${fault}, for: 20s }
  - { at: 75s, call: { command: lock-central-lock, as: ${as} } }
`;

/** What a run met of the fault, and the faults during its refused call. */
async function metOf(text: string, name: string) {
  const coverage = new Coverage();
  await runVirtual(parsedScenario(text), { observer: coverage.watch().observer });
  const { phase, cause } = coverage.counts();
  const metIn = (row: object = {}) => Object.entries(row).filter(([, count]) => count > 0);
  return { phases: metIn(phase[name]), causes: Object.values(cause).flatMap(metIn) };
}

/** `refused`: the command is refused for it. */
interface ArmedFault {
  readonly name: string;
  readonly fault: string;
  readonly refused?: true;
}

const ARMED: readonly ArmedFault[] = [
  { name: 'weather lose', fault: 'weather: { lose: { message: command-reply } }', refused: true },
  { name: 'weather lose', fault: 'weather: { lose: { message: command-request } }', refused: true },
  { name: 'weather delay', fault: 'weather: { delay: { message: command-reply, by: 1s } }' },
  { name: 'weather double', fault: 'weather: { double: { message: command-request } }' },
  { name: 'weather trace', fault: 'weather: { trace: { link: train } }' },
  { name: 'weather half_open', fault: 'weather: half_open', refused: true },
  { name: 'weather limit_data', fault: 'weather: { limit_data: { after: 50B } }', refused: true },
  { name: 'store full', fault: 'break: { store: full }', refused: true },
  { name: 'store commit-unknown', fault: 'break: { store: commit-unknown }', refused: true },
  { name: 'store slow', fault: 'break: { store: { slow: { by: 1s } } }' },
  { name: 'box error', fault: 'break: { box: { error: { text: short } } }', refused: true },
  { name: 'box torn-write', fault: 'break: { box: torn-write }' },
  { name: 'broker no-majority', fault: 'break: { broker: no-majority }', refused: true },
  {
    name: 'access client-deleted',
    fault: 'break: { access: { client-deleted: { client: owner } } }',
    refused: true,
  },
];

test.each(ARMED)(
  '$name is met with the command that it waits for: $fault',
  async ({ name, fault, refused }) => {
    const { phases, causes } = await metOf(armed(fault, 'owner'), name);
    expect(phases).toEqual([['a command', 1]]);
    expect(causes).toEqual(refused === true ? [[name, 1]] : []);
  },
);

test.each(ARMED)(
  '$name is not met, nor a cause, where nothing comes that it waits for: $fault',
  async ({ name, fault }) => {
    const { phases, causes } = await metOf(armed(fault, 'nobody'), name);
    expect(phases).toEqual([]);
    expect(causes).toEqual([['none', 1]]);
  },
);

test.each([
  ['exchange nack', 'break: { exchange: nack }'],
  ['weather lose', 'weather: { lose: { message: amqp-confirm } }'],
  ['weather double', 'weather: { double: { message: amqp-publish } }'],
  ['weather delay', 'weather: { delay: { message: amqp-confirm, by: 2s } }'],
])('%s is met with what is under way when a message is published: %s', async (name, fault) => {
  // A message of what the command has changed is published behind the command's answer.
  expect((await metOf(armed(fault, 'owner'), name)).phases).toEqual([['nothing', 1]]);
  expect((await metOf(armed(fault, 'nobody'), name)).phases).toEqual([]);
});

test('a blocked exchange is in force from when it is applied: the store would have to be asked whether something waits', async () => {
  const text = armed('break: { exchange: blocked }', 'nobody');
  expect(await metOf(text, 'exchange blocked')).toEqual({
    phases: [['nothing', 1]],
    causes: [['exchange blocked', 1]],
  });
});

test('what happens at once and changes nothing is not met, nor a cause', async () => {
  const cutIn = (coverage: string) => `
name: cut
about: A connection is cut, or was none.
seed: 3
fleet: [{ model: petrol-compact, firmware: "2.31", driving: false }]
steps:
  - { at: 10s, weather: { coverage: ${coverage} } }
  - { at: 5m, weather: cut }
  - { at: 301s, call: { command: lock-central-lock } }
`;
  const connected = await metOf(cutIn('good'), 'weather cut');
  expect(connected.phases).toEqual([['nothing', 1]]);
  const dark = await metOf(cutIn('none'), 'weather cut');
  expect(dark).toEqual({ phases: [], causes: [['weather coverage', 1]] });
});

/** A watched run of which the test tells the facts and when faults effect. */
class ReportedRun {
  readonly #run = watchRun();
  readonly #testbed = new FakeTestbed(1);
  #told: (fault: WatchedFault) => void = () => undefined;
  #calls = 0;

  constructor() {
    const { time, vehicles, snapshotOf } = this.#testbed;
    this.#run.observer.onStart({
      time,
      vehicles,
      snapshotOf,
      watchFaults: (told) => {
        this.#told = told;
      },
    });
  }

  fact(fact: Fact): void {
    this.#run.observer.onFact(fact);
  }

  apply(atMs: number, name: string, effect: EffectTime) {
    const fault = { name, detail: '{}', vehicles: [] };
    const watched = { effect, isOver: false };
    this.#told(watched);
    this.fact({ kind: 'fault', atMs, ...fault, phase: 'begins' });
    return {
      effect: (effect: EffectTime) => {
        watched.effect = effect;
      },
      ends: (endMs: number) => {
        watched.isOver = true;
        this.fact({ kind: 'fault', atMs: endMs, ...fault, phase: 'ends' });
      },
    };
  }

  /** What a refused call between the two met as its causes. */
  causes(fromMs: number, toMs: number): readonly string[] {
    this.#calls += 1;
    const call = { call: 100 + this.#calls, vehicle: 1 } as const;
    // Each time another problem, so that its cells are new ones.
    const [name = '', problem] = Object.entries(PROBLEMS)[this.#calls] ?? [];
    this.fact({ kind: 'call', atMs: fromMs, ...call, what: 'get', as: 'owner' });
    this.fact({
      kind: 'answer',
      atMs: toMs,
      ...call,
      status: 500,
      problem: problem?.type ?? '',
      tookMs: toMs - fromMs,
    });
    const start = `cause/${name}/`;
    return this.#run.cells().flatMap((cell) => (cell.startsWith(start) ? [cell.slice(start.length)] : []));
  }

  command(atMs: number): void {
    this.fact({ kind: 'call', atMs, call: 1, vehicle: 1, what: 'command lock-central-lock', as: 'owner' });
  }

  get phases(): readonly string[] {
    return this.#run.cells().filter((cell) => cell.startsWith('phase/'));
  }

  get inForce(): readonly string[] {
    return this.#run.inForce();
  }
}

test('a fault counts with what is under way when it has an effect, and not when it is applied', () => {
  const run = new ReportedRun();
  const crash = run.apply(1_000, 'backend crash', 'not-yet');
  run.command(2_000);
  expect([run.phases, run.inForce]).toEqual([[], []]);
  crash.effect('since');
  run.fact({ atMs: 3_000, kind: 'service', state: 'down', reason: 'it crashed: after-commit' });
  expect([run.phases, run.inForce]).toEqual([['phase/backend crash/a command'], ['backend crash']]);
});

test('a fault counts with what was under way before the first fact after its effect', () => {
  const run = new ReportedRun();
  const full = run.apply(1_000, 'store full', 'not-yet');
  full.effect('since');
  run.command(2_000);
  expect(run.phases).toEqual(['phase/store full/nothing']);
});

test('a fault with an immediate effect counts with what was under way then, also where that is known later', () => {
  const run = new ReportedRun();
  const restart = run.apply(1_000, 'backend restart', 'applying');
  run.command(2_000);
  expect([run.phases, run.inForce]).toEqual([[], []]);
  restart.effect('immediate');
  expect([run.inForce, run.phases]).toEqual([['backend restart'], ['phase/backend restart/nothing']]);
});

test('only what has had an effect is a cause, and what is just being applied', () => {
  const run = new ReportedRun();
  const full = run.apply(1_000, 'store full', 'not-yet');
  const restart = run.apply(1_500, 'backend restart', 'applying');
  expect(run.causes(2_000, 3_000)).toEqual(['backend restart']);
  restart.effect('not-yet');
  expect(run.causes(4_000, 5_000)).toEqual(['none']);
  full.effect('since');
  expect(run.causes(6_000, 7_000)).toEqual(['store full']);
  full.ends(8_000);
  expect(run.causes(9_000, 9_500)).toEqual(['none']);
});

test('a fault without an effect is not counted, also when it was removed', () => {
  const run = new ReportedRun();
  const full = run.apply(1_000, 'store full', 'not-yet');
  full.ends(2_000);
  full.effect('since');
  expect(run.causes(3_000, 4_000)).toEqual(['none']);
  expect([run.phases, run.inForce]).toEqual([[], []]);
});

test('of two faults of the same kind the one that was taken back ends', () => {
  const run = new ReportedRun();
  const first = run.apply(1_000, 'store full', 'not-yet');
  const second = run.apply(2_000, 'store full', 'immediate');
  first.ends(3_000);
  expect(run.inForce).toEqual(['store full']);
  second.ends(4_000);
  expect(run.inForce).toEqual([]);
});
