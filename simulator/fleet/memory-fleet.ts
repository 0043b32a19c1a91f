import type { BoxPlan } from '../box/box-plan.ts';
import { limits } from '../limits.ts';
import type { SimulatorWorld } from '../simulator-world.ts';
import { type Fleet, type FleetOptions, startFleet } from './fleet.ts';
import { type ReceiverCounts, RecordReceiver } from './record-receiver.ts';

/** A fleet without a service. */
export interface MemoryFleet {
  readonly fleet: Fleet;
  counts(): ReceiverCounts;
  /** Ends the boxes, then their receiver. */
  stop(): Promise<void>;
}

/**
 * Starts a fleet whose frames a receiver takes in place of a service. `world` brings the boxes together with the
 * receiver: that of `openMemoryWorld`, where the fleet is large. Rejects where the flash cannot be read or the broker
 * refuses the receiver. Nobody configures these boxes, so those whose plan has no settings leave the factory with
 * tracking on, at its standard intervals.
 */
export async function startMemoryFleet(
  world: SimulatorWorld,
  plans: readonly BoxPlan[],
  options: FleetOptions = {},
): Promise<MemoryFleet> {
  const receiver = await RecordReceiver.start(world);
  const set = plans.map((plan) =>
    plan.factorySettings === undefined ? { ...plan, factorySettings: TRACKING } : plan,
  );
  const fleet = await startFleet(world, set, { rampPerSecond: limits.rampPerSecond, ...options });
  return {
    fleet,
    counts: () => receiver.counts(),
    stop: async () => {
      await fleet.stop();
      await receiver.stop();
    },
  };
}

/** One object, so that the boxes share their configuration. */
const TRACKING: NonNullable<BoxPlan['factorySettings']> = { 'tracking.enabled': 1 };
