import type { ResetReason } from '../protocol/message.ts';
import type { BoxPlan, SimulatorWorld } from './fleet.ts';
import { firstFixAfterMs } from './gnss/first-fix.ts';
import type { Line } from './line.ts';
import { Delayed } from './radio/delayed.ts';
import { Delays } from './radio/delays.ts';
import type { Actuation, Senses, Vehicle } from './vehicle/senses.ts';

/** What a road is to one box beside what its vehicle meets there: time that things take, and holes in the network. */
export class Road {
  readonly #plan: BoxPlan;
  readonly #world: Pick<SimulatorWorld, 'random' | 'time'>;
  readonly #vehicle: Vehicle;
  readonly #nowMs: () => number;
  readonly #delays: Delays;
  /** Cut off where no site reached the box, and known to nobody yet. */
  #silent: Line | undefined;
  readonly #motors: Delayed;

  /** `nowMs`: true time, never falling. */
  constructor(
    plan: BoxPlan,
    world: Pick<SimulatorWorld, 'random' | 'time'>,
    vehicle: Vehicle,
    nowMs: () => number,
  ) {
    this.#plan = plan;
    this.#world = world;
    this.#vehicle = vehicle;
    this.#nowMs = nowMs;
    this.#delays = new Delays(world.random, plan.boxId);
    this.#motors = new Delayed(world.time);
  }

  /** Of the frame that the box sends now. */
  upMs(): number {
    return this.#delays.upMs(this.#nowMs(), this.#senses().csq);
  }

  /** Of the frame that is on its way to the box now. */
  downMs(): number {
    return this.#delays.downMs(this.#nowMs(), this.#senses().csq);
  }

  /** The box boots, and its receiver looks for its first fix. One on the shelf has had power for long. */
  booted(reason: ResetReason): void {
    const now = this.#nowMs();
    const stream = this.#world.random.stream(`box/${this.#plan.boxId}/first-fix/${now}`);
    const afterMs = this.#plan.vehicleId === '' ? 0 : firstFixAfterMs(reason, stream);
    this.#vehicle.startReceiver(now + afterMs);
  }

  /** Has the motors move once they have turned for as long as that takes. */
  afterMotors(actuations: readonly Actuation[], move: () => void): void {
    this.#motors.push(this.#delays.motorMs(actuations), () => {
      this.#vehicle.advance(this.#nowMs());
      move();
    });
  }

  /** The program that gives the pulse has ended: the motors stop, and have moved nothing. */
  stopMotors(): void {
    this.#motors.clear();
  }

  /** Ends a connection as the box has decided; where no site reaches it nobody hears of that. */
  hangUp(line: Line | undefined, how: 'goodbye' | 'drop'): void {
    if (line === undefined) return;
    const isSilent = this.#senses().isOutOfReach;
    line.end(isSilent ? 'silence' : how);
    if (!isSilent) return;
    this.#silent?.forget();
    this.#silent = line;
  }

  #senses(): Senses {
    this.#vehicle.advance(this.#nowMs());
    return this.#vehicle.sense();
  }

  /** Its power is cut for good. */
  stop(): void {
    this.#motors.clear();
    this.#silent?.forget();
  }
}
