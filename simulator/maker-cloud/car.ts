import type { World } from '../../world/world.ts';
import { makerLimits } from '../limits.ts';
import { ROUTES } from '../routes/routes.ts';
import type { Traffic } from '../vehicle/driving/traffic.ts';
import { packMemory, unpackMemory } from '../vehicle/memory/memory.ts';
import { makeVehicle, type PersistentVehicle } from '../vehicle/vehicle.ts';
import type { CarPlan } from './car-plan.ts';
import { type CarSample, type CarTruth, carReadingOf } from './car-reading.ts';

/** The commands that a car's electronics accept over the air. */
export interface CarActuation {
  readonly set: 'locked' | 'drivingEnabled' | 'topCaseLocked' | 'compartmentLocked' | 'attention';
  readonly to: boolean;
}

/** People's actions on a car. */
export type DrivableVehicle = Pick<
  PersistentVehicle,
  'drive' | 'park' | 'operate' | 'openDoor' | 'turnIgnition' | 'setMechanics'
>;

export type CarWorld = Pick<World, 'time' | 'random' | 'flash' | 'log'>;

const PAGE = 'car';
const ownerOf = (carId: string): string => `maker-car/${carId}`;

/**
 * A car that is connected to its maker: it sends a sample every 30 s with the ignition on, every 30 min when
 * parked, and immediately when something is switched. While asleep it sends and receives nothing.
 */
export class Car {
  readonly plan: CarPlan;
  readonly #world: CarWorld;
  readonly #vehicle: PersistentVehicle;
  readonly #sampled: (car: Car) => void;
  #last: CarSample;
  #isAsleep = false;
  #isStopped = false;
  #cancelAlarm: () => void = () => undefined;

  constructor(plan: CarPlan, world: CarWorld, vehicle: PersistentVehicle, sampled: (car: Car) => void) {
    this.plan = plan;
    this.#world = world;
    this.#vehicle = vehicle;
    this.#sampled = sampled;
    this.#last = this.#take(world.time.nowMs());
    this.#setAlarm();
  }

  get last(): CarSample {
    return this.#last;
  }

  get isAsleep(): boolean {
    return this.#isAsleep;
  }

  get isMoving(): boolean {
    this.#advance();
    return this.#vehicle.sensors().speedKph > 0;
  }

  /** The physical truth. Plain JSON. */
  truth(): Record<string, unknown> {
    this.#advance();
    return this.#vehicle.truth();
  }

  /** Keeps the vehicle's past states from now on, so that they can be queried. */
  keepHistory(room: number): void {
    this.#vehicle.keepHistory(room);
  }

  truthsBetween(fromMs: number, toMs: number): ReturnType<PersistentVehicle['truthsBetween']> {
    this.#advance();
    return this.#vehicle.truthsBetween(fromMs, toMs);
  }

  /** Changes the vehicle; an awake car reports to its maker immediately. */
  change(what: (vehicle: DrivableVehicle) => void): void {
    this.#advance();
    what(this.#vehicle);
    if (!this.#isAsleep) this.#sample('changed');
  }

  /** A sleeping car reports no changes; it reports when it wakes. */
  sleep(isAsleep: boolean): void {
    if (isAsleep === this.#isAsleep) return;
    this.#isAsleep = isAsleep;
    if (!isAsleep) this.#sample('changed');
    else this.#setAlarm();
  }

  /**
   * Moves actuators: all of them or, if one refuses, none. False: refused. The sample taken after it is for
   * the caller and is not sent to subscribers.
   */
  actuate(moves: readonly CarActuation[]): boolean {
    this.#advance();
    const before = this.#vehicle.sensors();
    const done: CarActuation[] = [];
    for (const move of moves) {
      if (this.#vehicle.actuate(move)) {
        done.push(move);
        continue;
      }
      for (const { set } of done.reverse())
        this.#vehicle.actuate({ set, to: set === 'attention' ? false : (before[set] ?? false) });
      return false;
    }
    this.#sample('asked');
    return true;
  }

  /** Stops the car and stores its vehicle as it is now. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelAlarm();
    this.#advance();
    await this.#keep();
  }

  #advance(): void {
    this.#vehicle.advance(this.#world.time.nowMs());
  }

  #sample(why: 'changed' | 'asked'): void {
    if (this.#isStopped) return;
    const last = this.#last.takenMs;
    // A maker's samples are distinguished by their times.
    this.#last = this.#take(Math.max(this.#world.time.nowMs(), last + 1));
    this.#setAlarm();
    void this.#keep();
    if (why === 'changed') this.#sampled(this);
  }

  #take(takenMs: number): CarSample {
    this.#advance();
    return { takenMs, reading: carReadingOf(truthOf(this.#vehicle), serialOf(this.plan)) };
  }

  #setAlarm(): void {
    this.#cancelAlarm();
    if (this.#isAsleep || this.#isStopped) return;
    const { takenMs, reading } = this.#last;
    const isTurned = reading.key === 'TURNED';
    const regularMs = takenMs + (isTurned ? makerLimits.drivingSampleMs : makerLimits.restingSampleMs);
    // A driving car need not report between two samples; a parked one may change spontaneously.
    const changeMs = isTurned ? undefined : this.#vehicle.nextChangeMs();
    this.#cancelAlarm = this.#world.time.alarm(Math.min(regularMs, changeMs ?? regularMs), () =>
      this.#sample('changed'),
    );
  }

  async #keep(): Promise<void> {
    const bytes = packMemory(this.#vehicle.memory());
    try {
      await this.#world.flash.write(ownerOf(this.plan.carId), [{ put: PAGE, bytes }]);
    } catch (error) {
      if (!this.#isStopped)
        this.#world.log.warn(
          { car: this.plan.carId, error: String(error) },
          "A maker's car could not be kept.",
        );
    }
  }
}

/** The car of a plan, restored from flash or new. Rejects if the flash cannot be read. */
export async function startCar(
  plan: CarPlan,
  world: CarWorld,
  sampled: (car: Car) => void,
  traffic?: Traffic,
): Promise<Car> {
  const kept = (await world.flash.load(ownerOf(plan.carId))).get(PAGE);
  const memory = kept === undefined ? undefined : unpackMemory(kept);
  const vehicle = makeVehicle(
    { ...plan, boxId: ownerOf(plan.carId) },
    world.random,
    world.time.nowMs(),
    memory,
    ROUTES,
    traffic,
  );
  return new Car(plan, world, vehicle, sampled);
}

/** The serial number of the traction battery. */
function serialOf(plan: CarPlan): string {
  return `PK-${plan.vin.slice(-6)}`;
}

function truthOf(vehicle: PersistentVehicle): CarTruth {
  const truth = vehicle.truth();
  const { signals } = vehicle.sensors();
  const part = (name: string): boolean | undefined =>
    truth[name] === undefined ? undefined : truth[name] === true;
  const number = (name: string): number => Number(truth[name]);
  return {
    mileageKm: number('mileageKm'),
    speedKph: number('speedKph'),
    energyPercent: number('energyPercent'),
    rangeKm: number('rangeKm'),
    latitude: number('latitude'),
    longitude: number('longitude'),
    altitudeM: number('altitudeM'),
    headingDegrees: number('headingDegrees'),
    // 6: only a receiver with dead reckoning would have a position here.
    hasFix: signals.gnss !== undefined && signals.gnss.quality !== 6 && signals.gnss.quality !== 0,
    anyDoorOpen: part('anyDoorOpen'),
    locked: part('locked'),
    topCaseOpen: part('topCaseOpen'),
    topCaseLocked: part('topCaseLocked'),
    ignitionOn: truth['ignitionOn'] === true,
    drivingEnabled: truth['drivingEnabled'] === true,
    isCharging: truth['engine'] === 'filling' || truth['engine'] === 'charging',
    packC: number('coolantTemperatureC'),
  };
}
