import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SimulatedVehicle } from '../../judge/evidence/simulated-vehicle.ts';
import { NO_RECORDINGS } from '../../judge/recordings.ts';
import { readDocument } from '../../scenarios/language/document/read.ts';
import type { ScenarioCall } from '../../scenarios/language/steps/calls.ts';
import { requestsOf } from '../../scenarios/language/steps/request.ts';
import { RememberedAnswers } from '../../scenarios/run/remembered.ts';
import { openVirtualTestbed, type VirtualTestbed } from '../../scenarios/testbed/virtual/virtual-testbed.ts';
import { runInSandbox } from '../../world/sandbox/virtual-sandbox.ts';
import { sleep } from '../../world/time/time.ts';
import {
  CALLERS,
  type Caller,
  COMMAND_RULES,
  type CommandName,
  type ExpectedAnswer,
  VehicleOracle,
} from '../support/backend/service-model.ts';

/** The oracle of each vehicle, by its number less one. */
type ServiceModel = readonly VehicleOracle[];

interface RealService {
  readonly testbed: VirtualTestbed;
  /** How to end the lack of coverage, by vehicle. */
  readonly dark: Map<number, () => Promise<void>>;
  /** How often each answer was predicted. */
  readonly seen: Map<ExpectedAnswer, number>;
}

type Move = fc.AsyncCommand<ServiceModel, RealService>;
type Version = readonly [number, number];

/** One move with one vehicle. */
abstract class OfVehicle implements Move {
  readonly vehicle: number;

  constructor(vehicle: number) {
    this.vehicle = vehicle;
  }

  abstract readonly name: string;
  abstract act(vehicle: VehicleOracle, real: RealService, simulated: SimulatedVehicle): Promise<void>;

  check(model: Readonly<ServiceModel>): boolean {
    return model[this.vehicle]?.isThere === true;
  }

  async run(model: ServiceModel, real: RealService): Promise<void> {
    const oracle = model[this.vehicle];
    const simulated = real.testbed.vehicles[this.vehicle];
    if (oracle === undefined || simulated === undefined) throw new Error('There is no such vehicle.');
    await this.act(oracle, real, simulated);
  }

  toString(): string {
    return `${this.name} (vehicle ${this.vehicle + 1})`;
  }
}

class Command extends OfVehicle {
  readonly #command: CommandName;
  readonly #asker: Caller;

  constructor(vehicle: number, command: CommandName, asker: Caller) {
    super(vehicle);
    this.#command = command;
    this.#asker = asker;
  }

  get name() {
    return `${this.#asker}: ${this.#command}`;
  }

  async act(vehicle: VehicleOracle, real: RealService, simulated: SimulatedVehicle): Promise<void> {
    const expected = vehicle.expected(this.#command, this.#asker, real.testbed.time.nowMs());
    const { answer, body } = await ask(real, simulated, {
      name: 'command',
      settings: this.#command,
      as: this.#asker,
    });
    expect(expected, `${this}`).toContain(answer);
    const lock = body['central_lock']?.value;
    if (vehicle.lock !== undefined && this.#command === 'request-vehicle-state' && lock !== undefined)
      expect(lock, `${this}`).toBe(vehicle.lock);
    vehicle.answered(this.#command, answer, real.testbed.time.nowMs());
    count(real, answer);
  }
}

/** Two commands of the owner at once: if both pass the guards, one is carried out and one conflicts. */
class TwoCommands extends OfVehicle {
  readonly #commands: readonly [CommandName, CommandName];

  constructor(vehicle: number, first: CommandName, second: CommandName) {
    super(vehicle);
    this.#commands = [first, second];
  }

  get name() {
    return `owner: ${this.#commands.join(' and at once ')}`;
  }

  async act(vehicle: VehicleOracle, real: RealService, simulated: SimulatedVehicle): Promise<void> {
    const nowMs = real.testbed.time.nowMs();
    const expected = this.#commands.map((command) => vehicle.expected(command, 'owner', nowMs));
    const answers = await Promise.all(
      this.#commands.map((settings) => ask(real, simulated, { name: 'command', settings, as: 'owner' })),
    );
    const conflicts = answers.filter(({ answer }) => answer === CONFLICT).length;
    const alone = expected.filter(
      (list, index) => list.length === 1 && passes(this.#commands[index], list),
    ).length;
    expect(conflicts, `${this}`).toBeLessThanOrEqual(1);
    // Each alone would have been carried out.
    if (alone === 2) expect(conflicts, `${this}`).toBe(1);
    for (const [index, { answer }] of answers.entries()) {
      const command = this.#commands[index];
      if (answer !== CONFLICT) expect(expected[index], `${this}`).toContain(answer);
      if (command !== undefined) vehicle.answered(command, answer, real.testbed.time.nowMs());
      count(real, answer);
    }
  }
}

const CONFLICT = '409 conflicting-command';

function passes(command: CommandName | undefined, expected: readonly ExpectedAnswer[]): boolean {
  return command !== undefined && expected[0] === `${COMMAND_RULES[command].success}`;
}

class Share extends OfVehicle {
  readonly name = 'share';
  async act(vehicle: VehicleOracle, real: RealService, simulated: SimulatedVehicle): Promise<void> {
    const { answer } = await ask(real, simulated, { name: 'share', settings: 'partner' });
    expect(answer, `${this}`).toBe('200');
    vehicle.isShared = true;
  }
}

class Unshare extends OfVehicle {
  readonly name = 'unshare';
  async act(vehicle: VehicleOracle, real: RealService, simulated: SimulatedVehicle): Promise<void> {
    const { answer } = await ask(real, simulated, { name: 'unshare', settings: {} });
    expect(answer, `${this}`).toBe(vehicle.isShared ? '204' : '409 conflicting-resource');
    vehicle.isShared = false;
  }
}

class Onboard extends OfVehicle {
  readonly name = 'onboard';

  override check(model: Readonly<ServiceModel>): boolean {
    return model[this.vehicle]?.isThere === false;
  }

  async act(vehicle: VehicleOracle, real: RealService, simulated: SimulatedVehicle): Promise<void> {
    // An installer turns the ignition on: a sleeping bus gives the box nothing, and its setup fails.
    await real.testbed.act(simulated, { name: 'ignition', settings: { on: true } });
    const { answer, body } = await ask(real, simulated, { name: 'onboard', settings: {} });
    expect(answer, `${this}`).toBe('201');
    real.testbed.setVehicleId(simulated, String(body['id']));
    vehicle.onboarded(real.testbed.time.nowMs());
  }
}

class Coverage extends OfVehicle {
  readonly #hasCoverage: boolean;

  constructor(vehicle: number, hasCoverage: boolean) {
    super(vehicle);
    this.#hasCoverage = hasCoverage;
  }

  get name() {
    return this.#hasCoverage ? 'coverage again' : 'no coverage';
  }

  async act(
    vehicle: VehicleOracle,
    { testbed, dark }: RealService,
    simulated: SimulatedVehicle,
  ): Promise<void> {
    if (this.#hasCoverage) {
      await dark.get(this.vehicle)?.();
      dark.delete(this.vehicle);
    } else if (!dark.has(this.vehicle)) {
      const undo = await testbed.weather({ name: 'coverage', settings: 'none' }, [simulated]);
      dark.set(this.vehicle, async () => void (await undo()));
    }
    vehicle.setCoverage(this.#hasCoverage, testbed.time.nowMs());
  }
}

class Firmware extends OfVehicle {
  readonly #version: Version;

  constructor(vehicle: number, version: Version) {
    super(vehicle);
    this.#version = version;
  }

  get name() {
    return `a workshop puts the firmware ${this.#version.join('.')} into it`;
  }

  async act(vehicle: VehicleOracle, { testbed }: RealService, simulated: SimulatedVehicle): Promise<void> {
    await testbed.act(simulated, { name: 'firmware', settings: { version: this.#version.join('.') } });
    vehicle.putFirmware(this.#version, testbed.time.nowMs());
  }
}

class Drive extends OfVehicle {
  readonly name = 'enable driving, and drive for a minute where that works';
  async act(vehicle: VehicleOracle, real: RealService, simulated: SimulatedVehicle): Promise<void> {
    await new Command(this.vehicle, 'unlock-and-enable-driving', 'owner').act(vehicle, real, simulated);
    const { refusal } = await real.testbed.act(simulated, { name: 'drive', settings: {} });
    if (refusal !== undefined) return;
    vehicle.drive();
    await sleep(real.testbed.time, 60_000);
  }
}

class Park extends OfVehicle {
  readonly name = 'park';
  async act(vehicle: VehicleOracle, { testbed }: RealService, simulated: SimulatedVehicle): Promise<void> {
    await testbed.act(simulated, { name: 'park', settings: {} });
    vehicle.park(testbed.time.nowMs());
  }
}

class Pass implements Move {
  readonly #spanS: number;

  constructor(spanS: number) {
    this.#spanS = spanS;
  }

  check(): boolean {
    return true;
  }

  async run(_: ServiceModel, { testbed }: RealService): Promise<void> {
    await sleep(testbed.time, this.#spanS * 1_000);
  }

  toString(): string {
    return `${this.#spanS} s pass`;
  }
}

type Body = Readonly<Record<string, { readonly value?: unknown } | undefined>>;

async function ask({ testbed }: RealService, simulated: SimulatedVehicle, call: ScenarioCall) {
  const kept = {
    tokens: new Map(),
    subscriptions: new Map(),
    jobId: undefined,
    answers: new RememberedAnswers(),
  };
  const [planned] = requestsOf(call, [simulated], kept, testbed);
  if (planned === undefined) throw new Error('The call is no request.');
  const { status, body } = await testbed.ask(planned.request);
  const { type } = (body ?? {}) as { readonly type?: string };
  const problem = status >= 400 && type !== undefined ? ` ${type.slice(type.lastIndexOf('/') + 1)}` : '';
  return { answer: `${status}${problem}`, body: (body ?? {}) as Body };
}

function count({ seen }: RealService, answer: ExpectedAnswer): void {
  seen.set(answer, (seen.get(answer) ?? 0) + 1);
}

const vehicle = fc.constantFrom(0, 0, 1);
const names = Object.keys(COMMAND_RULES) as CommandName[];
const command = fc.constantFrom(...names);
const overMqtt = fc.constantFrom(
  ...names.filter((name) => !('isConnectivity' in COMMAND_RULES[name]) && name !== 'board-reset'),
);
const asker = fc.constantFrom<Caller>('owner', 'owner', ...CALLERS);
const version = fc.constantFrom<Version>([2, 10], [2, 23], [2, 24], [2, 40]);

/** Sequences of moves. Long pauses are common: after them everything is predicted exactly. */
const anyMoves = fc.commands(
  [
    fc.tuple(vehicle, command, asker).map((given) => new Command(...given)),
    fc.tuple(vehicle, command, asker).map((given) => new Command(...given)),
    fc.tuple(vehicle, overMqtt, overMqtt).map((given) => new TwoCommands(...given)),
    vehicle.map((one) => new Share(one)),
    vehicle.map((one) => new Unshare(one)),
    vehicle.map((one) => new Onboard(one)),
    fc.tuple(vehicle, fc.boolean()).map((given) => new Coverage(...given)),
    fc.tuple(vehicle, version).map((given) => new Firmware(...given)),
    vehicle.map((one) => new Drive(one)),
    vehicle.map((one) => new Park(one)),
    fc.constantFrom(1, 20, 90).map((spanS) => new Pass(spanS)),
    fc.constant(new Pass(400)),
  ],
  { maxCommands: 24, size: 'max' },
);

const FIRMWARE = [2, 31] as const;

/** Two parked cars, the second with its box on the shelf. */
function twoCars(seed: number) {
  const like = {
    model: 'petrol-compact',
    firmware: FIRMWARE.join('.'),
    sim: 'meridian',
    driving: false,
    features: 'none',
  };
  const checked = readDocument({
    name: 'model',
    about: 'What the model is compared with.',
    seed,
    fleet: [
      { as: 'parked', ...like },
      { as: 'shelved', ...like, on_shelf: true },
    ],
    steps: [{ park: {} }],
    always: [],
  });
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return checked.scenario;
}

/** Long enough for everything to be known. */
const BEGIN_MS = 7 * 60_000;

describe('the service compared with a small model', () => {
  test('answers as the model predicts, whatever clients, networks and workshops do', async () => {
    const seen: RealService['seen'] = new Map();
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000), anyMoves, async (seed, commands) => {
        const testbed = openVirtualTestbed(twoCars(seed), { recordings: NO_RECORDINGS });
        const { virtualWorld: world } = testbed;
        try {
          await runInSandbox(world, () =>
            world.run(async () => {
              await testbed.start();
              const startMs = testbed.time.nowMs();
              await sleep(testbed.time, BEGIN_MS);
              const model: ServiceModel = [true, false].map(
                (isThere) => new VehicleOracle(startMs, FIRMWARE, isThere),
              );
              await fc.asyncModelRun(() => ({ model, real: { testbed, dark: new Map(), seen } }), commands);
            }),
          );
        } finally {
          await testbed.close();
        }
      }),
      { numRuns: 40 },
    );
    // A model that allows everything would prove nothing: these answers must have occurred.
    expect([...seen.keys()].sort()).toEqual(
      expect.arrayContaining([
        '200',
        '204',
        '401 missing-credentials',
        '404 resource-not-found',
        '504 no-connection',
      ]),
    );
  });
});
