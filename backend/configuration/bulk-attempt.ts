import { LIMITS } from '../../contract/limits.ts';
import type { ProblemKind } from '../../contract/problems.ts';
import type { World } from '../../world/world.ts';
import type { BulkReason, BulkResult, BulkWorkItem } from '../store/port/bulk-store.ts';
import type { VehicleStore } from '../store/port/vehicle-store.ts';
import { findVisible, unknownVehicle } from '../vehicles/find-vehicle.ts';
import type { Configurator } from './configurator.ts';

/** Carries out one attempt. Never rejects: if the store fails, the attempt is to be repeated. */
export type AttemptWorkItem = (workItem: BulkWorkItem) => Promise<BulkResult>;

export interface AttemptWorkItemParts {
  readonly world: Pick<World, 'time' | 'random' | 'log'>;
  readonly vehicles: Pick<VehicleStore, 'find'>;
  readonly configurator: Configurator;
}

export function makeAttemptWorkItem(parts: AttemptWorkItemParts): AttemptWorkItem {
  const { world } = parts;
  const chance = world.random.stream('backend/bulk');

  const postponed = (workItem: BulkWorkItem, reason: BulkReason): BulkResult => {
    const dueMs = world.time.nowMs() + bulkWaitMs(workItem.step, chance.fraction());
    return { ...workItemKey(workItem), outcome: 'postponed', dueMs, reason };
  };

  return async (workItem) => {
    try {
      const reason = await objection(parts, workItem);
      if (reason === undefined) return { ...workItemKey(workItem), outcome: 'applied' };
      if (isTriedAgain(reason.problem)) return postponed(workItem, reason);
      return { ...workItemKey(workItem), outcome: 'failed', reason };
    } catch (error) {
      const { flowId, vehicleId } = workItem;
      world.log.warn(
        { flowId, vehicleId, error: String(error) },
        'an attempt of a bulk job failed in the service and is repeated',
      );
      return postponed(workItem, { problem: 'internal-server-error', detail: 'The service failed.' });
    }
  };
}

/** Why the vehicle could not be configured; undefined: it was. Rejects if the store fails. */
async function objection(
  { vehicles, configurator }: AttemptWorkItemParts,
  { vehicleId, fleetId, flowId, features, jobId }: BulkWorkItem,
): Promise<BulkReason | undefined> {
  // One that is shared with the fleet is found: the configurator says that only its owner may configure it.
  const vehicle = await findVisible(vehicles, fleetId, vehicleId);
  if (vehicle === undefined) return unknownVehicle(vehicleId);
  const request = { vehicle, features, flowId, callerFleetId: fleetId, bulkJobId: jobId };
  const answer = await configurator.apply(request);
  return answer.done ? undefined : answer.refusal;
}

function workItemKey({
  jobId,
  position,
  attempt,
}: BulkWorkItem): Pick<BulkResult, 'jobId' | 'position' | 'attempt'> {
  return { jobId, position, attempt };
}

/**
 * How long to wait after a failed attempt, in milliseconds. `failedAttempts`: those before it since the box
 * was last known to connect. 30 s, then twice as long each time, at most 1 h; `fraction` (random, 0 to 1)
 * takes up to a tenth off.
 */
export function bulkWaitMs(failedAttempts: number, fraction: number): number {
  let fullMs: number = LIMITS.bulk.firstWaitMs;
  for (let doubling = 0; doubling < failedAttempts && fullMs < LIMITS.bulk.lastWaitMs; doubling += 1)
    fullMs *= 2;
  fullMs = Math.min(fullMs, LIMITS.bulk.lastWaitMs);
  return Math.round(fullMs * (1 - LIMITS.bulk.jitterFraction * fraction));
}

/** Refusals that may end with time. All others are final. */
const RETRYABLE: readonly ProblemKind[] = ['no-connection', 'conflicting-resource', 'conflicting-command'];

/** Whether a vehicle is tried again after this refusal. */
export function isTriedAgain(refusal: ProblemKind): boolean {
  return RETRYABLE.includes(refusal);
}
