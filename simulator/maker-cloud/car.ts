import type { World } from '../../world/world.ts';
import { ROUTES } from '../routes/routes.ts';
import { packMemory, unpackMemory } from '../vehicle/memory.ts';
import type { Road } from '../vehicle/road.ts';
import { type KeptVehicle, makeVehicle } from '../vehicle/vehicle.ts';
import type { CarMove } from './actions.ts';
import { limits } from './limits.ts';
import type { CarPlan } from './plan.ts';
import { type CarTruth, readingOf, type Sample } from './reading.ts';

/** What people can do to a car. */
export type Driven = Pick<
  KeptVehicle,
  'drive' | 'park' | 'tend' | 'openDoor' | 'turnIgnition' | 'setMechanics'
>;

export type CarWorld = Pick<World, 'time' | 'random' | 'flash' | 'log'>;

const PAGE = 'car';
const ownerOf = (carId: string): string => `maker-car/${carId}`;

/**
 * A car that talks to its maker: it sends a sample every 30 s with the key turned, every 30 min at rest, and at once
 * when something is switched. Asleep it sends none and hears nothing.
 */
export class Car {
  readonly plan: CarPlan;
  readonly #world: CarWorld;
  readonly #vehicle: KeptVehicle;
  readonly #sampled: (car: Car) => void;
  #last: Sample;
  #isAsleep = false;
  #isStopped = false;
  #cancelAlarm: () => void = () => undefined;

  constructor(plan: CarPlan, world: CarWorld, vehicle: KeptVehicle, sampled: (car: Car) => void) {
    this.plan = plan;
    this.#world = world;
    this.#vehicle = vehicle;
    this.#sampled = sampled;
    this.#last = this.#take(world.time.nowMs());
    this.#setAlarm();
  }

  get last(): Sample {
    return this.#last;
  }

  get isAsleep(): boolean {
    return this.#isAsleep;
  }

  get isMoving(): boolean {
    this.#advance();
    return this.#vehicle.sense().speedKph > 0;
  }

  /** The physical truth. Plain JSON. */
  truth(): Record<string, unknown> {
    this.#advance();
    return this.#vehicle.truth();
  }

  /** As a vehicle's: what it was is kept from now on, and can be asked for. */
  remember(room: number): void {
    this.#vehicle.remember(room);
  }

  truths(fromMs: number, toMs: number): ReturnType<KeptVehicle['truths']> {
    this.#advance();
    return this.#vehicle.truths(fromMs, toMs);
  }

  /** Does something to the vehicle; an awake car tells its maker at once. */
  change(what: (vehicle: Driven) => void): void {
    this.#advance();
    what(this.#vehicle);
    if (!this.#isAsleep) this.#sample('told');
  }

  /** Asleep it keeps to itself what happens; waking it tells. */
  sleep(isAsleep: boolean): void {
    if (isAsleep === this.#isAsleep) return;
    this.#isAsleep = isAsleep;
    if (!isAsleep) this.#sample('told');
    else this.#setAlarm();
  }

  /**
   * Moves actuators: all of them or, where one refuses, none. False: refused. The sample after it is for whoever
   * asked, and is not told to others.
   */
  actuate(moves: readonly CarMove[]): boolean {
    this.#advance();
    const before = this.#vehicle.sense();
    const done: CarMove[] = [];
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

  /** Ends it; the vehicle as it is now is kept. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelAlarm();
    this.#advance();
    await this.#keep();
  }

  #advance(): void {
    this.#vehicle.advance(this.#world.time.nowMs());
  }

  #sample(why: 'told' | 'asked'): void {
    if (this.#isStopped) return;
    const last = this.#last.takenMs;
    // A maker's samples are told apart by their times.
    this.#last = this.#take(Math.max(this.#world.time.nowMs(), last + 1));
    this.#setAlarm();
    void this.#keep();
    if (why === 'told') this.#sampled(this);
  }

  #take(takenMs: number): Sample {
    this.#advance();
    return { takenMs, reading: readingOf(truthOf(this.#vehicle), serialOf(this.plan)) };
  }

  #setAlarm(): void {
    this.#cancelAlarm();
    if (this.#isAsleep || this.#isStopped) return;
    const { takenMs, reading } = this.#last;
    const isTurned = reading.key === 'TURNED';
    const regularMs = takenMs + (isTurned ? limits.drivingSampleMs : limits.restingSampleMs);
    // Nothing need be told of a car under way between two samples; one that rests may start by itself.
    const changeMs = isTurned ? undefined : this.#vehicle.nextChangeMs();
    this.#cancelAlarm = this.#world.time.alarm(Math.min(regularMs, changeMs ?? regularMs), () =>
      this.#sample('told'),
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

/** The car of a plan, as the flash has kept it or anew. Rejects where the flash cannot be read. */
export async function startCar(
  plan: CarPlan,
  world: CarWorld,
  sampled: (car: Car) => void,
  road?: Road,
): Promise<Car> {
  const kept = (await world.flash.load(ownerOf(plan.carId))).get(PAGE);
  const memory = kept === undefined ? undefined : unpackMemory(kept);
  const vehicle = makeVehicle(
    { ...plan, boxId: ownerOf(plan.carId) },
    world.random,
    world.time.nowMs(),
    memory,
    ROUTES,
    road,
  );
  return new Car(plan, world, vehicle, sampled);
}

/** The serial number of the traction battery. */
function serialOf(plan: CarPlan): string {
  return `PK-${plan.vin.slice(-6)}`;
}

function truthOf(vehicle: KeptVehicle): CarTruth {
  const truth = vehicle.truth();
  const { signals } = vehicle.sense();
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
    // 6: only a receiver that reckons on would have a place here.
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
