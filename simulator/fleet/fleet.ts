import { sleep } from '../../world/time/time.ts';
import type { BoxPlan } from '../box/box-plan.ts';
import type { FleetBox } from '../box/fleet-box.ts';
import { BoxHost } from '../box/host.ts';
import { vehiclePageKey } from '../box/vehicle-page.ts';
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
  /** How many of them are ready now. Counted as they change, so that asking costs nothing. */
  readyCount(): number;
  /** Ends all boxes: what is in flash stays, links end without a goodbye. */
  stop(): Promise<void>;
}

export interface FleetOptions {
  /** What plans may name; absent: the built-in ones. */
  readonly routes?: ReadonlyMap<string, Route>;
  /** Where vehicles keep their distance to each other; absent: each drives as if it were alone. */
  readonly traffic?: Traffic | undefined;
  /**
   * How many boxes get power in each second, above 0 and at most `limits.rampMostPerSecond`, and fewer while the process
   * is busy with those that it has. Absent: one every `limits.fleetStaggerMs`, whatever comes.
   */
  readonly rampPerSecond?: number;
}

/**
 * Gives all boxes power, one shortly after the other. Box and vehicle go on from what the flash holds of them.
 * Resolves once all vehicles are there; rejects where the flash cannot be read.
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
    // Between two parts of a large fleet those who have power already get their turn.
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
    stop: async () => {
      ramp?.stop();
      await Promise.all([...boxes.values()].map((box) => box.stop()));
    },
  };
}
