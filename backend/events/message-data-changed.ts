import { z } from 'zod';
import { dateTime } from '../http/date-time.ts';
import type { OutgoingMessage } from '../store/outbox-store.ts';
import {
  MASTER_DATA,
  STATUS_MEANINGS as MEANS,
  maintenanceField,
  OPERATION_STATUSES,
  RENTAL_STATUSES,
} from '../vehicles/vehicle-fields.ts';
import type { VehicleItem } from '../vehicles/view.ts';
import { messageType } from './message.ts';
import { fleetId, metadata, receivedAt, vehicleId } from './message-parts.ts';
import { openWord, secondOf } from './vehicle-state.ts';

const NAME = 'VehicleDataChanged';
const VERSION = '1.0.0';

/** What an owner can change of a vehicle and a message tells of. Sharing is between the fleets, and not among it. */
const TOLD = [
  'master_data',
  'custom_fields',
  'tags',
  'operation_status',
  'rental_status',
  'maintenance_booked',
] as const;

const status = (words: readonly string[], says: string, saysOfValue: string) =>
  z
    .looseObject({
      value: openWord(words, saysOfValue),
      modified_at: secondOf(MEANS.since).nullable().describe(`${MEANS.since} null: it is not known.`),
    })
    .describe(says);

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
          .array(z.enum(TOLD))
          .min(1)
          .describe('The names of the properties below that are other than they were.'),
        master_data: z.looseObject(MASTER_DATA).describe('What is known of the vehicle.'),
        custom_fields: z.record(z.string(), z.string()).describe('Texts of the owner by names of the owner.'),
        tags: z.array(z.string()).describe('Words of the owner to find the vehicle by.'),
        operation_status: status(OPERATION_STATUSES, MEANS.operation, MEANS.operationValue),
        rental_status: status(RENTAL_STATUSES, MEANS.rental, MEANS.rentalValue),
        maintenance_booked: maintenanceField,
      })
      .describe('The vehicle, what is other than it was, and all of it as it is now.'),
  })
  .describe('A request changed what the owner says of the vehicle.');

/** With which ids the message goes out, and when the change was. */
export interface DataChangeTold {
  readonly messageId: string;
  readonly flowId: string;
  readonly atMs: number;
}

/** As much of a vehicle as the message is made of. */
type Changeable = Pick<VehicleItem, 'id' | 'fleet_id' | 'setup_status' | (typeof TOLD)[number]>;

/** The message of a change; undefined where nothing is other than it was, or the vehicle is not set up. */
export function writeDataChanged(
  { messageId, flowId, atMs }: DataChangeTold,
  before: Changeable,
  after: Changeable,
): OutgoingMessage | undefined {
  const changed = TOLD.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (changed.length === 0 || after.setup_status !== 'SUCCEEDED') return undefined;
  const at = dateTime(atMs);
  const { id: vehicleId, fleet_id: fleetId } = after;
  const body = {
    metadata: {
      message_id: messageId,
      message_type: messageType({ name: NAME }),
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
      ...Object.fromEntries(TOLD.map((name) => [name, after[name]])),
    },
  };
  return {
    messageId,
    vehicleId,
    fleetId,
    name: NAME,
    version: VERSION,
    flowId,
    createdMs: atMs,
    body: JSON.stringify(body),
  };
}
