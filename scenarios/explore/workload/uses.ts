import { TOPICS } from '../../../contract/messages.ts';
import { CALLS, COMMAND_FOLDERS } from '../../language/steps/calls.ts';
import type { RandomSource } from '../../language/vary/draw.ts';
import { type DrawnPart, drawnOne } from '../../language/vary/step-action.ts';

/** Commands, by their kind of endpoint. */
export const VEHICLE_COMMANDS = [...COMMAND_FOLDERS].flatMap(([name, folder]) =>
  folder === 'commands' ? [name] : [],
);
export const BOX_COMMANDS = [...COMMAND_FOLDERS].flatMap(([name, folder]) =>
  folder === 'box-commands' ? [name] : [],
);
/** Commands after which the box is away for a while. */
export const RESETS = [
  'board-reset',
  'modem-reset',
  'data-connection-reset',
  'switch-mobile-network',
] as const;
/** Clients with some permissions, each of which lacks others (workload.ts). */
export const ASKING = ['reader', 'operator', 'carrier', 'manager', 'mechanic'] as const;
/** All topics of subscriptions. */
export const MESSAGE_TOPICS = TOPICS.map(({ topic }) => topic);
/** Of paths that show a vehicle, or its configuration. */
export const READ_PATHS = [
  '/vehicles/{vehicle}',
  '/vehicles?limit=100',
  '/vehicles/{vehicle}/telematics-unit/feature-configuration/tracking',
] as const;

/** One property of the record, with one of few values, so that changes coincide. */
export function recordChange(source: RandomSource): DrawnPart {
  const mark = `mark-${source.whole(1, 9)}`;
  return drawnOne<DrawnPart>(source, [
    { operation_status: { value: drawnOne(source, ['GARAGE', 'OPERATING']) } },
    { rental_status: { value: drawnOne(source, ['IN_RENTAL', 'NOT_IN_RENTAL']) } },
    { custom_fields: { [drawnOne(source, ['depot', 'cost_center'])]: mark } },
    { tags: [mark] },
    { master_data: { custom_name: mark } },
    { master_data: { license_plate: mark } },
    { maintenance_booked: source.whole(0, 1) === 1 },
  ]);
}

/** What the owner requests of a shared vehicle: some of it is the partner's alone. */
export function ownersUse(source: RandomSource): DrawnPart {
  return drawnOne<DrawnPart>(source, [
    { share: 'stranger' },
    { share: 'partner' },
    { command: drawnOne(source, BOX_COMMANDS) },
    { command: 'network-detach' },
    { command: 'request-sim-activation' },
    { patch: recordChange(source) },
    { configure: CALLS.configure.example },
    { get: READ_PATHS[0] },
  ]);
}

/** What a partner requests of a vehicle that is, or was, shared with it. */
export function partnerUse(source: RandomSource): DrawnPart {
  return drawnOne<DrawnPart>(source, [
    { command: drawnOne(source, BOX_COMMANDS) },
    { command: drawnOne(source, ['network-detach', 'request-sim-activation']) },
    { configure: CALLS.configure.example },
    { patch: recordChange(source) },
    { get: READ_PATHS[0] },
    { get: READ_PATHS[1] },
    { command: drawnOne(source, VEHICLE_COMMANDS) },
    { command: 'request-vehicle-state' },
  ]);
}
