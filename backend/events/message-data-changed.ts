import { z } from 'zod';
import { dateTime } from '../http/date-time.ts';
import type { OutgoingMessage } from '../store/outbox-store.ts';
import { MASTER_DATA } from '../vehicles/vehicle-fields.ts';
import type { VehicleItem } from '../vehicles/view.ts';
import { messageType } from './message.ts';
import { metadata, shortId } from './message-parts.ts';
import { wholeSecond } from './vehicle-state.ts';

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

const status = z.looseObject({ value: z.string(), modified_at: wholeSecond.nullable() });

export const vehicleDataChanged = z.looseObject({
  metadata: metadata(NAME, VERSION),
  data: z.looseObject({
    vehicle_id: shortId,
    fleet_id: shortId,
    occurred_at: wholeSecond,
    received_at: wholeSecond,
    /** The names of the properties below that are not what they were. */
    changed: z.array(z.enum(TOLD)).min(1),
    master_data: z.looseObject(MASTER_DATA),
    custom_fields: z.record(z.string(), z.string()),
    tags: z.array(z.string()),
    operation_status: status,
    rental_status: status,
    maintenance_booked: z.boolean(),
  }),
});

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
