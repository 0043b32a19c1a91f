import type { World } from '../../world/world.ts';
import type { BulkErrand, BulkReason, BulkResult } from '../store/bulk-store.ts';
import type { VehicleStore } from '../store/vehicle-store.ts';
import { unknownVehicle } from '../vehicles/own.ts';
import { bulkWaitMs, isTriedAgain } from './bulk-schedule.ts';
import type { Configurator } from './configurator.ts';

/** Carries one attempt out. Never rejects: where the store fails, the attempt is to be repeated. */
export type TryErrand = (errand: BulkErrand) => Promise<BulkResult>;

export interface TryErrandParts {
  readonly world: Pick<World, 'time' | 'random' | 'log'>;
  readonly vehicles: Pick<VehicleStore, 'find'>;
  readonly configurator: Configurator;
}

export function makeTryErrand(parts: TryErrandParts): TryErrand {
  const { world } = parts;
  const chance = world.random.stream('backend/bulk');

  const postponed = (errand: BulkErrand, reason: BulkReason): BulkResult => {
    const dueMs = world.time.nowMs() + bulkWaitMs(errand.step, chance.fraction());
    return { ...nameOf(errand), became: 'postponed', dueMs, reason };
  };

  return async (errand) => {
    try {
      const reason = await objection(parts, errand);
      if (reason === undefined) return { ...nameOf(errand), became: 'applied' };
      if (isTriedAgain(reason.problem)) return postponed(errand, reason);
      return { ...nameOf(errand), became: 'failed', reason };
    } catch (error) {
      const { flowId, vehicleId } = errand;
      world.log.warn(
        { flowId, vehicleId, error: String(error) },
        'an attempt of a bulk job failed in the service and is repeated',
      );
      return postponed(errand, { problem: 'internal-server-error', detail: 'The service failed.' });
    }
  };
}

/** Why the vehicle could not be configured; undefined: it is. Rejects where the store fails. */
async function objection(
  { vehicles, configurator }: TryErrandParts,
  { vehicleId, fleetId, flowId, features, jobId }: BulkErrand,
): Promise<BulkReason | undefined> {
  const vehicle = await vehicles.find(vehicleId);
  if (vehicle?.fleetId !== fleetId) return unknownVehicle(vehicleId);
  const request = { vehicle, features, flowId, callerFleetId: fleetId, bulkJobId: jobId };
  const answer = await configurator.apply(request);
  return answer.done ? undefined : answer.refusal;
}

function nameOf({
  jobId,
  position,
  attempt,
}: BulkErrand): Pick<BulkResult, 'jobId' | 'position' | 'attempt'> {
  return { jobId, position, attempt };
}
