import type { VehicleSnapshot } from '../../evidence/simulated-vehicle.ts';

/**
 * What GET /vehicles/{id} returns besides the vehicle state. `box`: it is compared with the box itself
 * (`recordFaults`); `checker`: another checker compares it; `reason`: why the physics cannot confirm it.
 */
export const RECORD_FIELDS: Readonly<
  Record<string, { readonly box: true } | { readonly checker: string } | { readonly reason: string }>
> = {
  latest_vehicle_state: { checker: 'twin-is-true' },
  telematics_unit: { box: true },
  capabilities: { box: true },
  life_status: { checker: 'presence-agrees' },
  setup_status: { checker: 'one-result-per-vehicle' },
  shared_with: { checker: 'fleets-apart' },
  fleet_id: { checker: 'fleets-apart' },
  id: { reason: 'the service gives it' },
  operation_status: { reason: 'its owner says it' },
  rental_status: { reason: 'its owner says it' },
  master_data: { reason: 'its owner says it, and else it is that of the model' },
  custom_fields: { reason: 'its owner says it' },
  tags: { reason: 'its owner says it' },
  maintenance_booked: { reason: 'its owner says it' },
  last_contact_at: { reason: 'the time at which the service heard of it, which no physics has' },
  created_at: { reason: 'the time of a call' },
  modified_at: { reason: 'the time of a call' },
};

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
