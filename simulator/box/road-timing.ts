import type { ResetReason } from '../../protocol/message.ts';
import type { BoxPlan } from '../box-plan.ts';
import { firstFixAfterMs } from '../gnss/receiver.ts';
import type { SimulatorWorld } from '../simulator-world.ts';
import type { Actuation, SensorInputs, Vehicle } from '../vehicle/sensing/vehicle-ports.ts';
import { BoxDelays } from './box-delays.ts';
import type { BrokerConnection, FrameDelays } from './broker-connection.ts';
import { DelayQueue } from './delay-queue.ts';

/** The delays and coverage gaps of one box on the road. */
export class RoadTiming implements FrameDelays {
  readonly #plan: BoxPlan;
  readonly #world: Pick<SimulatorWorld, 'random' | 'time'>;
  readonly #vehicle: Vehicle;
  readonly #nowMs: () => number;
  readonly #delays: BoxDelays;
  /** Connections that were cut off without coverage; the broker does not know yet. */
  #silentConnection: BrokerConnection | undefined;
  readonly #motors: DelayQueue;

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
    this.#delays = new BoxDelays(world.random, plan.boxId);
    this.#motors = new DelayQueue(world.time);
  }

  /** Of the frame that the box sends now. */
  uplinkDelayMs(): number {
    return this.#delays.uplinkMs(this.#nowMs(), this.#sensors().csq);
  }

  /** Of the frame that is on its way to the box now. */
  downlinkDelayMs(): number {
    return this.#delays.downlinkMs(this.#nowMs(), this.#sensors().csq);
  }

  /** The box boots, and its receiver searches for its first fix. One in stock has had power for long. */
  booted(reason: ResetReason): void {
    const now = this.#nowMs();
    const stream = this.#world.random.stream(`box/${this.#plan.boxId}/first-fix/${now}`);
    const afterMs = this.#plan.vehicleId === '' ? 0 : firstFixAfterMs(reason, stream);
    this.#vehicle.startReceiver(now + afterMs);
  }

  /** Moves the parts once the motors have run for the necessary time. */
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

  /** Ends a connection by decision of the box; without coverage the broker is not notified. */
  hangUp(connection: BrokerConnection | undefined, how: 'goodbye' | 'drop'): void {
    if (connection === undefined) return;
    const isSilent = this.#sensors().isOutOfReach;
    connection.end(isSilent ? 'silence' : how);
    if (!isSilent) return;
    this.#silentConnection?.dropSilent();
    this.#silentConnection = connection;
  }

  #sensors(): SensorInputs {
    this.#vehicle.advance(this.#nowMs());
    return this.#vehicle.sensors();
  }

  /** Its power is cut permanently. */
  stop(): void {
    this.#motors.clear();
    this.#silentConnection?.dropSilent();
  }
}
