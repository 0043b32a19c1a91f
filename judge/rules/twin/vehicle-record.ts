import type { VehicleSnapshot } from '../../evidence/simulated-vehicle.ts';

/** The errors of the API about the box and the vehicle's capabilities; one sentence each. */
export function recordFaults(
  answered: Readonly<Record<string, unknown>>,
  boxId: string | undefined,
  { belief }: Pick<VehicleSnapshot, 'belief'>,
): readonly string[] {
  const faults: string[] = [];
  const unit = answered['telematics_unit'] as
    | { readonly id?: unknown; readonly firmware_version?: unknown }
    | null
    | undefined;
  if (unit !== undefined && unit?.id !== boxId)
    faults.push(`telematics_unit.id is ${String(unit?.id)}, and its box is ${String(boxId)}`);
  const told = unit?.firmware_version;
  if (typeof told === 'string' && typeof belief['firmware'] === 'string' && told !== belief['firmware'])
    faults.push(`telematics_unit.firmware_version is ${told}, and its box has ${belief['firmware']}`);
  const capabilities = answered['capabilities'] as { readonly vehicle_state?: unknown } | undefined;
  const state = answered['latest_vehicle_state'];
  if (Array.isArray(capabilities?.vehicle_state) && typeof state === 'object' && state !== null) {
    const known = new Set(capabilities.vehicle_state.map((one) => String(one).toLowerCase()));
    for (const name of Object.keys(state))
      if (!known.has(name)) faults.push(`${name} has a value, and is none of its capabilities`);
  }
  return faults;
}
