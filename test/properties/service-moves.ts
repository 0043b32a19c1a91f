import fc from 'fast-check';
import { expect } from 'vitest';
import type { Call } from '../../scenarios/language/calls.ts';
import { requestsOf } from '../../scenarios/run/request.ts';
import type { Player } from '../../scenarios/run/theatre.ts';
import type { VirtualTheatre } from '../../scenarios/virtual/theatre.ts';
import { sleep } from '../../world/time.ts';
import {
  type Answer,
  ASKERS,
  type Asker,
  COMMANDS,
  type CommandName,
  type VehicleModel,
} from './service-model.ts';

/** The model of each vehicle, by its number less one. */
export type Model = readonly VehicleModel[];

export interface Real {
  readonly theatre: VirtualTheatre;
  /** What there is no coverage for: how it ends. */
  readonly dark: Map<number, () => Promise<void>>;
  /** How often each answer was predicted. */
  readonly seen: Map<Answer, number>;
}

type Move = fc.AsyncCommand<Model, Real>;
type Version = readonly [number, number];

/** One move with one vehicle. */
abstract class OfVehicle implements Move {
  readonly vehicle: number;

  constructor(vehicle: number) {
    this.vehicle = vehicle;
  }

  abstract readonly name: string;
  abstract act(vehicle: VehicleModel, real: Real, player: Player): Promise<void>;

  check(model: Readonly<Model>): boolean {
    return model[this.vehicle]?.isThere === true;
  }

  async run(model: Model, real: Real): Promise<void> {
    const vehicle = model[this.vehicle];
    const player = real.theatre.players[this.vehicle];
    if (vehicle === undefined || player === undefined) throw new Error('There is no such vehicle.');
    await this.act(vehicle, real, player);
  }

  toString(): string {
    return `${this.name} (vehicle ${this.vehicle + 1})`;
  }
}

class Command extends OfVehicle {
  readonly #command: CommandName;
  readonly #asker: Asker;

  constructor(vehicle: number, command: CommandName, asker: Asker) {
    super(vehicle);
    this.#command = command;
    this.#asker = asker;
  }

  get name() {
    return `${this.#asker}: ${this.#command}`;
  }

  async act(vehicle: VehicleModel, real: Real, player: Player): Promise<void> {
    const expected = vehicle.expected(this.#command, this.#asker, real.theatre.time.nowMs());
    const { answer, body } = await ask(real, player, {
      name: 'command',
      settings: this.#command,
      as: this.#asker,
    });
    expect(expected, `${this}`).toContain(answer);
    const lock = body['central_lock']?.value;
    if (vehicle.lock !== undefined && this.#command === 'request-vehicle-state' && lock !== undefined)
      expect(lock, `${this}`).toBe(vehicle.lock);
    vehicle.answered(this.#command, answer, real.theatre.time.nowMs());
    count(real, answer);
  }
}

/** Two commands of the owner at once: of two that come so far, one is carried out and one conflicts. */
class TwoCommands extends OfVehicle {
  readonly #commands: readonly [CommandName, CommandName];

  constructor(vehicle: number, first: CommandName, second: CommandName) {
    super(vehicle);
    this.#commands = [first, second];
  }

  get name() {
    return `owner: ${this.#commands.join(' and at once ')}`;
  }

  async act(vehicle: VehicleModel, real: Real, player: Player): Promise<void> {
    const nowMs = real.theatre.time.nowMs();
    const expected = this.#commands.map((command) => vehicle.expected(command, 'owner', nowMs));
    const answers = await Promise.all(
      this.#commands.map((settings) => ask(real, player, { name: 'command', settings, as: 'owner' })),
    );
    const conflicts = answers.filter(({ answer }) => answer === CONFLICT).length;
    const alone = expected.filter(
      (list, index) => list.length === 1 && passes(this.#commands[index], list),
    ).length;
    expect(conflicts, `${this}`).toBeLessThanOrEqual(1);
    // Both would have been carried out, had they come alone.
    if (alone === 2) expect(conflicts, `${this}`).toBe(1);
    for (const [index, { answer }] of answers.entries()) {
      const command = this.#commands[index];
      if (answer !== CONFLICT) expect(expected[index], `${this}`).toContain(answer);
      if (command !== undefined) vehicle.answered(command, answer, real.theatre.time.nowMs());
      count(real, answer);
    }
  }
}

const CONFLICT = '409 conflicting-command';

function passes(command: CommandName | undefined, expected: readonly Answer[]): boolean {
  return command !== undefined && expected[0] === `${COMMANDS[command].success}`;
}

class Share extends OfVehicle {
  readonly name = 'share';
  async act(vehicle: VehicleModel, real: Real, player: Player): Promise<void> {
    const { answer } = await ask(real, player, { name: 'share', settings: 'partner' });
    expect(answer, `${this}`).toBe('200');
    vehicle.isShared = true;
  }
}

class Unshare extends OfVehicle {
  readonly name = 'unshare';
  async act(vehicle: VehicleModel, real: Real, player: Player): Promise<void> {
    const { answer } = await ask(real, player, { name: 'unshare', settings: {} });
    expect(answer, `${this}`).toBe(vehicle.isShared ? '204' : '409 conflicting-resource');
    vehicle.isShared = false;
  }
}

class Onboard extends OfVehicle {
  readonly name = 'onboard';

  override check(model: Readonly<Model>): boolean {
    return model[this.vehicle]?.isThere === false;
  }

  async act(vehicle: VehicleModel, real: Real, player: Player): Promise<void> {
    // Who builds a box in turns the ignition on: a bus that sleeps tells the box nothing, and its setup fails.
    await real.theatre.act(player, { name: 'ignition', settings: { on: true } });
    const { answer, body } = await ask(real, player, { name: 'onboard', settings: {} });
    expect(answer, `${this}`).toBe('201');
    real.theatre.onboarded(player, String(body['id']));
    vehicle.onboarded(real.theatre.time.nowMs());
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

  async act(vehicle: VehicleModel, { theatre, dark }: Real, player: Player): Promise<void> {
    if (this.#hasCoverage) {
      await dark.get(this.vehicle)?.();
      dark.delete(this.vehicle);
    } else if (!dark.has(this.vehicle)) {
      dark.set(this.vehicle, await theatre.weather({ name: 'coverage', settings: 'none' }, [player]));
    }
    vehicle.setCoverage(this.#hasCoverage, theatre.time.nowMs());
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

  async act(vehicle: VehicleModel, { theatre }: Real, player: Player): Promise<void> {
    await theatre.act(player, { name: 'firmware', settings: { version: this.#version.join('.') } });
    vehicle.putFirmware(this.#version, theatre.time.nowMs());
  }
}

class Drive extends OfVehicle {
  readonly name = 'enable driving, and drive for a minute where that works';
  async act(vehicle: VehicleModel, real: Real, player: Player): Promise<void> {
    await new Command(this.vehicle, 'unlock-and-enable-driving', 'owner').act(vehicle, real, player);
    const { refusal } = await real.theatre.act(player, { name: 'drive', settings: {} });
    if (refusal !== undefined) return;
    vehicle.drive();
    await sleep(real.theatre.time, 60_000);
  }
}

class Park extends OfVehicle {
  readonly name = 'park';
  async act(vehicle: VehicleModel, { theatre }: Real, player: Player): Promise<void> {
    await theatre.act(player, { name: 'park', settings: {} });
    vehicle.park(theatre.time.nowMs());
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

  async run(_: Model, { theatre }: Real): Promise<void> {
    await sleep(theatre.time, this.#spanS * 1_000);
  }

  toString(): string {
    return `${this.#spanS} s pass`;
  }
}

type Body = Readonly<Record<string, { readonly value?: unknown } | undefined>>;

async function ask({ theatre }: Real, player: Player, call: Call) {
  const kept = { tokens: new Map(), subscriptions: new Map(), jobId: undefined };
  const [planned] = requestsOf(call, [player], kept, theatre);
  if (planned === undefined) throw new Error('The call is no request.');
  const { status, body } = await theatre.ask(planned.asked);
  const { type } = (body ?? {}) as { readonly type?: string };
  const problem = status >= 400 && type !== undefined ? ` ${type.slice(type.lastIndexOf('/') + 1)}` : '';
  return { answer: `${status}${problem}`, body: (body ?? {}) as Body };
}

function count({ seen }: Real, answer: Answer): void {
  seen.set(answer, (seen.get(answer) ?? 0) + 1);
}

const vehicle = fc.constantFrom(0, 0, 1);
const names = Object.keys(COMMANDS) as CommandName[];
const command = fc.constantFrom(...names);
const overMqtt = fc.constantFrom(
  ...names.filter((name) => !('isConnectivity' in COMMANDS[name]) && name !== 'board-reset'),
);
const asker = fc.constantFrom<Asker>('owner', 'owner', ...ASKERS);
const version = fc.constantFrom<Version>([2, 10], [2, 23], [2, 24], [2, 40]);

/** Sequences of moves. Long pauses are common: after them everything is predicted exactly. */
export const moves = fc.commands(
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
