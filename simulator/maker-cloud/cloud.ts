import type { Hono } from 'hono';
import type { World } from '../../world/world.ts';
import type { Road } from '../vehicle/road.ts';
import { makerApp } from './app.ts';
import { type Behaviour, RIGHT } from './behaviour.ts';
import { type Car, startCar } from './car.ts';
import { limits } from './limits.ts';
import type { CarPlan } from './plan.ts';
import { Pusher, type Subscription } from './pusher.ts';
import { stateOf } from './reading.ts';

export type MakerWorld = Pick<World, 'time' | 'random' | 'flash' | 'http' | 'seal' | 'log'>;

export interface MakerCloudSettings {
  /** In the path: `/makers/<name>/...` */
  readonly name: string;
  readonly apiKey: string;
  readonly cars: readonly CarPlan[];
  /** Where the cars keep their distance to others; absent: each drives as if it were alone. */
  readonly road?: Road;
}

/** A simulated maker's cloud with its cars. */
export interface MakerCloud {
  readonly name: string;
  /** By the maker's own identifier. */
  readonly cars: ReadonlyMap<string, Car>;
  /** Its interface for others, below no prefix. */
  readonly app: Hono;
  behaviour(): Behaviour;
  behave(behaviour: Behaviour): void;
  /** Ends it: cars are kept, calls that wait are answered, nothing more is told. */
  stop(): Promise<void>;
}

/** Sets the cars on the road and the interface up. Rejects where the flash cannot be read. */
export async function startMakerCloud(world: MakerWorld, settings: MakerCloudSettings): Promise<MakerCloud> {
  let behaviour = RIGHT;
  let subscription: Subscription | undefined;
  const pushers = new Map<string, Pusher>();
  const told = (car: Car): void => {
    if (behaviour.push && subscription !== undefined)
      pushers
        .get(car.plan.carId)
        ?.tell(JSON.stringify({ event: 'STATE', state: stateOf(car.plan.carId, car.last) }));
  };
  const started = await Promise.all(settings.cars.map((plan) => startCar(plan, world, told, settings.road)));
  const cars = new Map(started.map((car) => [car.plan.carId, car]));
  for (const carId of cars.keys()) pushers.set(carId, new Pusher(world, () => subscription));
  const quota = makeQuota(world);
  const muted = new Set<() => void>();
  const app = makerApp({
    time: world.time,
    apiKey: settings.apiKey,
    cars,
    behaviour: () => behaviour,
    quota,
    subscribe: (to) => {
      subscription = to;
    },
    mute: () => new Promise((resolve) => void muted.add(() => resolve())),
  });
  return {
    name: settings.name,
    cars,
    app,
    behaviour: () => behaviour,
    behave: (to) => {
      behaviour = to;
      if (!to.push) for (const pusher of pushers.values()) pusher.clear();
      // Whoever was left without an answer stays so: their time-out is theirs.
    },
    stop: async () => {
      for (const pusher of pushers.values()) pusher.stop();
      for (const speak of muted) speak();
      await Promise.all([...cars.values()].map((car) => car.stop()));
    },
  };
}

/** Counts calls by the minutes of the clock. Seconds to wait where there were too many; undefined: go on. */
function makeQuota({ time }: Pick<World, 'time'>): () => number | undefined {
  let minute = 0;
  let calls = 0;
  return () => {
    const nowMs = time.nowMs();
    const present = Math.floor(nowMs / 60_000);
    if (present !== minute) calls = 0;
    minute = present;
    calls += 1;
    return calls <= limits.callsPerMinute ? undefined : Math.ceil(((present + 1) * 60_000 - nowMs) / 1_000);
  };
}
