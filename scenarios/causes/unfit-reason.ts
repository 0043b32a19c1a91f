import type { CandidateVehicle, Cause, Prerequisite } from './cause.ts';
import { hasSmokeSensor, isOldFirmware } from './causes-of-boxes.ts';
import type { Operation } from './operations.ts';

const ALL: readonly Prerequisite[] = ['capability', 'firmware', 'provider', 'hardware'];

/** What would be refused for another reason before the cause counts. */
const UNMET_PREREQUISITES: Readonly<
  Record<Prerequisite, (vehicle: CandidateVehicle, operation: Operation) => string | undefined>
> = {
  capability: ({ capabilities }, { capability }) =>
    capability === undefined || capabilities.includes(capability)
      ? undefined
      : `lacks the capability ${capability}`,
  firmware: (vehicle, { kind }) =>
    kind === 'workshop' && isOldFirmware(vehicle) ? 'has a firmware of before workshop mode' : undefined,
  provider: ({ simProvider }, { kind }) =>
    kind === 'network-detach' && simProvider === 'harbour'
      ? 'has a SIM card whose provider cannot detach it'
      : undefined,
  hardware: (vehicle, { kind, feature }) => {
    if (kind !== 'configure') return undefined;
    if (feature === 'damage-detection' && vehicle.generation === 1)
      return 'has a box without damage detection';
    return feature === 'smoke-detection' && !hasSmokeSensor(vehicle)
      ? 'has a box without a smoke sensor'
      : undefined;
  },
};

/** Why the vehicle does not fit the cause and the operation, completing 'The vehicle ...'; undefined: it fits. */
export function unfitReason(
  cause: Cause,
  operation: Operation,
  vehicle: CandidateVehicle,
): string | undefined {
  const reason = cause.unfitReason?.(vehicle, operation);
  if (reason !== undefined) return reason;
  if (cause.reserves === 'nothing' || cause.reserves === 'shelf') return undefined;
  for (const passing of cause.prerequisites ?? ALL) {
    const obstacle = UNMET_PREREQUISITES[passing](vehicle, operation);
    if (obstacle !== undefined) return obstacle;
  }
  return undefined;
}
