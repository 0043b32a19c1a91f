import { capabilityOf, type Operation } from '../../contract/operation.ts';
import type { CandidateVehicle, Cause, Prerequisite } from './cause.ts';
import { hasSmokeSensor, isOldFirmware } from './causes-of-boxes.ts';

const ALL: readonly Prerequisite[] = ['capability', 'firmware', 'provider', 'hardware'];

/** What is refused for another reason before the cause applies. */
const UNMET_PREREQUISITES: Readonly<
  Record<Prerequisite, (vehicle: CandidateVehicle, operation: Operation) => string | undefined>
> = {
  capability: ({ capabilities }, operation) => {
    const capability = capabilityOf(operation);
    return capability === undefined || capabilities.includes(capability)
      ? undefined
      : `lacks the capability ${capability}`;
  },
  firmware: (vehicle, { guards }) =>
    guards.includes('incompatible-firmware') && isOldFirmware(vehicle)
      ? 'has a firmware of before workshop mode'
      : undefined,
  provider: ({ simProvider }, { guards }) =>
    guards.includes('sim-provider') && simProvider === 'harbour'
      ? 'has a SIM card whose provider cannot detach it'
      : undefined,
  hardware: (vehicle, { kind, name }) => {
    if (kind !== 'configure') return undefined;
    if (name === 'damage-detection' && vehicle.generation === 1) return 'has a box without damage detection';
    return name === 'smoke-detection' && !hasSmokeSensor(vehicle)
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
