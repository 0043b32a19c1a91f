import { sleep } from '../../world/time/time.ts';
import type { FleetBox } from '../box/fleet-box.ts';
import { vehiclePageKey } from '../box/hardware-pages.ts';
import { BoxHost } from '../box/host.ts';
import type { BoxPlan } from '../box-plan.ts';
import { limits } from '../limits.ts';
import type { Route } from '../routes/route.ts';
import { ROUTES } from '../routes/routes.ts';
import type { SimulatorWorld } from '../simulator-world.ts';
import type { Traffic } from '../vehicle/driving/traffic.ts';
import { unpackMemory } from '../vehicle/memory/memory.ts';
import { makeVehicle } from '../vehicle/vehicle.ts';
import { Ramp } from './ramp.ts';

export interface Fleet {
  readonly boxes: ReadonlyMap<string, FleetBox>;
  /** How many of them are ready now. Counted as they change, so that reading is cheap. */
  readyCount(): number;
  /**
   * How many of those that are not ready have no radio coverage now. Undefined: more are not ready than
   * `limits.unreadyLookedAt`, and looking at each would take too long.
   */
  uncoveredCount(): number | undefined;
  /** Ends all boxes: the flash is kept, connections end without a disconnect. */
  stop(): Promise<void>;
}

export interface FleetOptions {
  /** The routes that plans may name; absent: the built-in ones. */
  readonly routes?: ReadonlyMap<string, Route>;
  /** The traffic in which vehicles keep their distance; absent: each drives alone. */
  readonly traffic?: Traffic | undefined;
  /**
   * How many boxes get power in each second, above 0 and at most `limits.rampMostPerSecond`, and fewer while the
   * process is busy. Absent: one every `limits.fleetStaggerMs` in any case.
   */
  readonly rampPerSecond?: number;
}

/**
 * Gives all boxes power, one shortly after the other. Boxes and vehicles continue from their state in flash.
 * Resolves once all vehicles are made; rejects if the flash cannot be read.
 */
export async function startFleet(
  world: SimulatorWorld,
  plans: readonly BoxPlan[],
  { routes = ROUTES, traffic, rampPerSecond }: FleetOptions = {},
): Promise<Fleet> {
  const ramp = rampPerSecond === undefined ? undefined : new Ramp(world.time, rampPerSecond);
  const boxes = new Map<string, BoxHost>();
  let ready = 0;
  const readyChanged = (isReady: boolean) => {
    ready += isReady ? 1 : -1;
  };
  const make = (plan: BoxPlan, page: Uint8Array | undefined): BoxHost => {
    const memory = page === undefined ? undefined : unpackMemory(page);
    const vehicle = makeVehicle(plan, world.random, world.time.nowMs(), memory, routes, traffic);
    return new BoxHost(plan, world, vehicle, readyChanged);
  };
  let firstMs: number | undefined;
  for (let from = 0; from < plans.length; from += limits.boxesMadeAtOnce) {
    // Between two parts of a large fleet the boxes that already have power get their turn.
    if (from > 0) await sleep(world.time, 1);
    const part = plans.slice(from, from + limits.boxesMadeAtOnce);
    const pages = await Promise.all(part.map((plan) => world.flash.load(plan.boxId)));
    firstMs ??= world.time.nowMs();
    for (const [index, plan] of part.entries()) {
      const box = make(plan, pages[index]?.get(vehiclePageKey));
      boxes.set(plan.boxId, box);
      const dueMs = firstMs + (from + index) * limits.fleetStaggerMs;
      if (ramp === undefined) box.start(Math.max(0, dueMs - world.time.nowMs()));
      else ramp.add(() => box.start(0));
    }
  }
  return {
    boxes,
    readyCount: () => ready,
    uncoveredCount() {
      if (boxes.size - ready > limits.unreadyLookedAt) return undefined;
      const others = [...boxes.values()].filter((box) => !box.isReady());
      return others.filter((box) => box.truth()['hasCoverage'] === false).length;
    },
    stop: async () => {
      ramp?.stop();
      await Promise.all([...boxes.values()].map((box) => box.stop()));
    },
  };
}
