import type { Evidence } from '../../../judge/evidence/evidence.ts';
import type { SimulatedVehicle } from '../../../judge/evidence/simulated-vehicle.ts';
import type { Scenario, Step } from '../../../scenarios/language/document/scenario.ts';
import type { ApiRequest } from '../../../scenarios/language/steps/request.ts';
import { playSteps, type StepResults } from '../../../scenarios/run/play.ts';
import { RunRecord } from '../../../scenarios/run/record.ts';
import type { ApiAnswer, SeenMessage, Testbed } from '../../../scenarios/testbed/port/testbed.ts';
import { VirtualLoop } from '../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../world/loop/virtual-process-scope.ts';
import { seededRandom } from '../../../world/random/seeded-random.ts';
import { sleep, type Time } from '../../../world/time/time.ts';
import { virtualTime } from '../../../world/time/virtual-time.ts';

export const START_MS = 1_767_592_800_000;

export function vehicleOf(number: number, group = 'fleet-0'): SimulatedVehicle {
  return {
    number,
    group: { as: group } as SimulatedVehicle['group'],
    vehicleId: `VEH0${number}`,
    model: 'petrol-compact',
    boxId: `b${number}`,
    fleetId: 'OWN',
    initialFeatures: {},
  };
}

/** A testbed without a fleet, over a virtual loop: it does what a test requests, and reports when each step was done. */
export class FakeTestbed implements Testbed {
  readonly world = 'virtual';
  readonly loop = new VirtualLoop(START_MS);
  readonly time: Time = virtualTime(this.loop, new ProcessScope('test'));
  readonly random = seededRandom(1);
  readonly vehicles: readonly SimulatedVehicle[];
  /** What was done, with the seconds since the beginning. */
  readonly done: string[] = [];
  /** How the service answers, and how long that takes. */
  answer: (request: ApiRequest) => Partial<ApiAnswer> = () => ({});
  evidence = {
    truthsBetween: () => undefined,
    boxHistory: () => ({ memories: [], isWhole: true }),
    clockErrors: () => [],
  } as unknown as Evidence;
  seen: (message: SeenMessage) => void = () => undefined;

  constructor(count: number) {
    this.vehicles = Array.from({ length: count }, (_, index) => vehicleOf(index + 1));
  }

  start = () => Promise.resolve();
  close = () => Promise.resolve();
  token = async (as: string) => ({
    token: `token of ${as}`,
    answer: { status: 200, headers: {}, body: undefined, tookMs: 0 },
  });
  fleetId = (name: string) => name.toUpperCase();
  fleetOfQueue = (queue: string) => queue.split('-')[1];
  setVehicleId = () => undefined;
  watchFaults = () => undefined;
  truthOf: (vehicle: SimulatedVehicle) => Readonly<Record<string, unknown>> = () => ({
    locked: this.isLocked,
  });
  snapshotOf = (vehicle: SimulatedVehicle) => ({
    truth: this.truthOf(vehicle),
    belief: {},
    isConnected: this.isConnected,
    heldRecords: 0,
  });
  /** Why it refuses acts, by their names. */
  refusals: Readonly<Record<string, string>> = {};
  /** Why weather had no effect. */
  missed: string | undefined;
  isLocked = true;
  isConnected = true;

  async act({ number }: SimulatedVehicle, { name }: { readonly name: string }) {
    this.#say(`${name} of ${number}`);
    const refusal = this.refusals[name];
    return refusal === undefined ? { outcome: 'done' } : { refusal };
  }

  async weather({ name }: { readonly name: string }, vehicles: readonly SimulatedVehicle[]) {
    this.#say(`${name} over ${vehicles.map(({ number }) => number).join(' ')}`);
    return async () => {
      this.#say(`${name} ends`);
      return this.missed;
    };
  }

  break: Testbed['break'] = async () => async () => undefined;

  /** Who waits for a frame or a point, by its name. */
  readonly waiting = new Map<string, Set<() => void>>();

  onFrame: Testbed['onFrame'] = (kind, vehicles, happened) =>
    this.#wait(`${kind} of ${vehicles.map(({ number }) => number).join(' ')}`, happened);

  onPoint: Testbed['onPoint'] = (point, happened) => this.#wait(point, happened);

  #wait(what: string, happened: () => void): () => void {
    const of = this.waiting.get(what) ?? new Set();
    this.waiting.set(what, of.add(happened));
    return () => of.delete(happened);
  }

  async ask(request: ApiRequest): Promise<ApiAnswer> {
    this.#say(`${request.method} ${request.path}`);
    const { tookMs = 0, ...rest } = this.answer(request);
    await sleep(this.time, tookMs);
    return { status: 200, headers: {}, body: undefined, tookMs, ...rest };
  }

  observe(_seen: unknown, came: (message: SeenMessage) => void): void {
    this.seen = came;
  }

  #say(what: string): void {
    this.done.push(`${(this.time.nowMs() - START_MS) / 1_000} ${what}`);
  }
}

/** A step with its defaults. */
export function stepWith(change: Partial<Step>): Step {
  return {
    when: { atMs: 0 },
    on: { pick: 'all' },
    expect: [],
    never: [],
    withinMs: 30_000,
    ...change,
  };
}

/** Plays these steps to their end, or to what they reject with. */
export async function playOn(
  testbed: FakeTestbed,
  steps: readonly Step[],
  durationMs = 0,
): Promise<StepResults & Pick<RunRecord, 'warnings'>> {
  const scenario = { steps, limits: { durationMs, healMs: 0 } } as unknown as Scenario;
  const record = new RunRecord(testbed.time);
  testbed.observe(undefined, (message) => record.keep(message));
  const results = await testbed.loop.runWhile(playSteps(scenario, testbed, record), {
    withinMs: 24 * 3_600_000,
  });
  return { ...results, warnings: record.warnings };
}
