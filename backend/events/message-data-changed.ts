import { z } from 'zod';
import { MESSAGES, messageType } from '../../contract/messages.ts';
import { dateTime } from '../base/date-time.ts';
import type { OutgoingMessage } from '../store/port/outbox-store.ts';
import {
  MASTER_DATA,
  STATUS_MEANINGS as MEANS,
  maintenanceField,
  OPERATION_STATUSES,
  RENTAL_STATUSES,
} from '../vehicles/vehicle-fields.ts';
import type { VehicleData } from '../vehicles/view.ts';
import { fleetId, metadata, receivedAt, vehicleId } from './message-parts.ts';
import { openWord, secondOf } from './vehicle-state.ts';

const NAME = 'VehicleDataChanged';
const { version: VERSION, about } = MESSAGES[NAME];

/**
 * What an owner can change of a vehicle and a message reports. Sharing is not included: it concerns only the two
 * fleets.
 */
const REPORTED_PROPERTIES = [
  'master_data',
  'custom_fields',
  'tags',
  'operation_status',
  'rental_status',
  'maintenance_booked',
] as const;

const status = (words: readonly string[], description: string, valueDescription: string) =>
  z
    .looseObject({
      value: openWord(words, valueDescription),
      modified_at: secondOf(MEANS.since).nullable().describe(`${MEANS.since} null: it is not known.`),
    })
    .describe(description);

export const vehicleDataChanged = z
  .looseObject({
    metadata: metadata(NAME, VERSION),
    data: z
      .looseObject({
        vehicle_id: vehicleId,
        fleet_id: fleetId,
        occurred_at: secondOf('When the change was made (UTC).'),
        received_at: receivedAt,
        changed: z
          .array(z.enum(REPORTED_PROPERTIES))
          .min(1)
          .describe('The names of the properties below that have changed.'),
        master_data: z.looseObject(MASTER_DATA).describe('The master data of the vehicle.'),
        custom_fields: z.record(z.string(), z.string()).describe('Custom texts of the owner, by name.'),
        tags: z.array(z.string()).describe('Words that the owner chose for finding the vehicle.'),
        operation_status: status(OPERATION_STATUSES, MEANS.operation, MEANS.operationValue),
        rental_status: status(RENTAL_STATUSES, MEANS.rental, MEANS.rentalValue),
        maintenance_booked: maintenanceField,
      })
      .describe('The vehicle, what has changed, and all its data as it is now.'),
  })
  .describe(about);

/** The ids and the partition of the message, and the time of the change. */
export interface DataChangeFacts {
  readonly messageId: string;
  readonly flowId: string;
  readonly partition: number;
  readonly atMs: number;
}

/** The part of a vehicle from which the message is made. */
type Changeable = Pick<
  VehicleData,
  'id' | 'fleet_id' | 'setup_status' | (typeof REPORTED_PROPERTIES)[number]
>;

/** The message of a change; undefined if nothing changed, or the vehicle is not set up. */
export function writeDataChanged(
  { messageId, flowId, partition, atMs }: DataChangeFacts,
  before: Changeable,
  after: Changeable,
): OutgoingMessage | undefined {
  const changed = REPORTED_PROPERTIES.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (changed.length === 0 || after.setup_status !== 'SUCCEEDED') return undefined;
  const at = dateTime(atMs);
  const { id: vehicleId, fleet_id: fleetId } = after;
  const body = {
    metadata: {
      message_id: messageId,
      message_type: messageType(NAME),
      occurred_at: at,
      version: VERSION,
      flow_id: flowId,
    },
    data: {
      vehicle_id: vehicleId,
      fleet_id: fleetId,
      occurred_at: at,
      received_at: at,
      changed,
      ...Object.fromEntries(REPORTED_PROPERTIES.map((name) => [name, after[name]])),
    },
  };
  return {
    messageId,
    vehicleId,
    fleetId,
    partition,
    name: NAME,
    version: VERSION,
    flowId,
    createdMs: atMs,
    body: JSON.stringify(body),
  };
}
