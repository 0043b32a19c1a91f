import type { Hono } from 'hono';
import type { World } from '../../world/world.ts';
import { makerLimits } from '../limits.ts';
import type { Traffic } from '../vehicle/driving/traffic.ts';
import { makerApp } from './app.ts';
import { type MakerBehaviour, NORMAL_BEHAVIOUR } from './behaviour.ts';
import { type Car, startCar } from './car.ts';
import type { CarPlan } from './car-plan.ts';
import { carStateOf } from './car-reading.ts';
import { StatePusher, type StateSubscription } from './state-pusher.ts';

export type MakerWorld = Pick<World, 'time' | 'random' | 'flash' | 'http' | 'crypto' | 'log'>;

export interface MakerCloudSettings {
  /** Part of the path: `/makers/<name>/...` */
  readonly name: string;
  readonly apiKey: string;
  readonly cars: readonly CarPlan[];
  /** The traffic in which cars keep their distance; absent: each drives alone. */
  readonly traffic?: Traffic;
}

/** A simulated maker's cloud with its cars. */
export interface MakerCloud {
  readonly name: string;
  /** By the maker's own identifier. */
  readonly cars: ReadonlyMap<string, Car>;
  /** Its interface for callers, without a path prefix. */
  readonly app: Hono;
  behaviour(): MakerBehaviour;
  setBehaviour(behaviour: MakerBehaviour): void;
  /** How many calls and notifications a configured misbehaviour has affected. */
  disturbed(): number;
  /** Stops the cloud, once: cars are stored, unanswered calls are answered, and notifications end. */
  stop(): Promise<void>;
}

/** Starts the cars and the interface. Rejects if the flash cannot be read. */
export async function startMakerCloud(world: MakerWorld, settings: MakerCloudSettings): Promise<MakerCloud> {
  let behaviour = NORMAL_BEHAVIOUR;
  let subscription: StateSubscription | undefined;
  let disturbed = 0;
  const pushers = new Map<string, StatePusher>();
  const pushState = (car: Car): void => {
    if (subscription === undefined) return;
    if (behaviour.push)
      pushers
        .get(car.plan.carId)
        ?.push(JSON.stringify({ event: 'STATE', state: carStateOf(car.plan.carId, car.last) }));
    else disturbed += 1;
  };
  const started = await Promise.all(
    settings.cars.map((plan) => startCar(plan, world, pushState, settings.traffic)),
  );
  const cars = new Map(started.map((car) => [car.plan.carId, car]));
  for (const carId of cars.keys()) pushers.set(carId, new StatePusher(world, () => subscription));
  const quota = makeQuota(world);
  const unanswered = new Set<() => void>();
  const app = makerApp({
    time: world.time,
    apiKey: settings.apiKey,
    cars,
    behaviour: () => behaviour,
    disturbed: () => {
      disturbed += 1;
    },
    quota,
    subscribe: (to) => {
      subscription = to;
    },
    holdUnanswered: () => new Promise((resolve) => void unanswered.add(() => resolve())),
  });
  const stopAll = async (): Promise<void> => {
    for (const pusher of pushers.values()) pusher.stop();
    for (const release of unanswered) release();
    await Promise.all([...cars.values()].map((car) => car.stop()));
  };
  let stopped: Promise<void> | undefined;
  return {
    name: settings.name,
    cars,
    app,
    behaviour: () => behaviour,
    disturbed: () => disturbed,
    setBehaviour: (to) => {
      behaviour = to;
      if (!to.push)
        for (const pusher of pushers.values()) {
          disturbed += pusher.waiting;
          pusher.clear();
        }
      // Calls left without an answer stay so: the caller's timeout ends them.
    },
    stop: () => {
      stopped ??= stopAll();
      return stopped;
    },
  };
}

/** Counts calls per clock minute. Returns the seconds to wait if there were too many; undefined: continue. */
function makeQuota({ time }: Pick<World, 'time'>): () => number | undefined {
  let minute = 0;
  let calls = 0;
  return () => {
    const nowMs = time.nowMs();
    const present = Math.floor(nowMs / 60_000);
    if (present !== minute) calls = 0;
    minute = present;
    calls += 1;
    return calls <= makerLimits.callsPerMinute
      ? undefined
      : Math.ceil(((present + 1) * 60_000 - nowMs) / 1_000);
  };
}
