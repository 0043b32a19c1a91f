import { z } from 'zod';
import { dateTime } from '../http/date-time.ts';
import type { OutgoingMessage } from '../store/store.ts';
import type { Properties } from '../vehicles/records.ts';

/** The exchange of all messages: topic, durable. */
export const EXCHANGE = 'service.events';
/** Stands before the name of a message in its type. */
const NAMESPACE = 'service';
const NAME = 'VehicleStateReceived';
const VERSION = '2.0.0';

/** `<fleet id>.<message name>` */
export function routingKey(message: Pick<OutgoingMessage, 'fleetId' | 'name'>): string {
  return `${message.fleetId}.${message.name}`;
}

/** `service.VehicleStateReceived` */
export function messageType(message: Pick<OutgoingMessage, 'name'>): string {
  return `${NAMESPACE}.${message.name}`;
}

const ulid = z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
const wholeSecond = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
const shortId = z.string().min(5).max(12);
const property = <T extends z.ZodType>(value: T) => z.looseObject({ timestamp: wholeSecond, value });
const wholeNumber = z.int32();

/**
 * The properties that the contract gives a shape in messages (service.md 2.4). All others are allowed beside them
 * and must be {timestamp, value} too. Enumerations may grow, so they are strings here.
 */
const vehicleState = z
  .looseObject({
    altitude_in_meters: property(wholeNumber).optional(),
    cellular_signal_quality: property(wholeNumber.min(0).max(5)).optional(),
    center_stand_position: property(z.string()).optional(),
    central_lock: property(z.string()).optional(),
    doors_status: property(z.string()).optional(),
    driving_enabled: property(z.boolean()).optional(),
    fuel_level_in_percent: property(wholeNumber.min(0).max(100)).optional(),
    ignition: property(z.string()).optional(),
    mileage_in_kilometers: property(z.number().min(0)).optional(),
    position: property(
      z.looseObject({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) }),
    ).optional(),
    remaining_range_in_kilometers: property(z.number()).optional(),
    top_case_lid: property(z.string()).optional(),
    top_case_lock: property(z.string()).optional(),
  })
  .catchall(property(z.unknown()));

/** VehicleStateReceived 2.0 as service.md section 6 has it. */
export const vehicleStateReceived = z.looseObject({
  metadata: z.looseObject({
    message_id: ulid,
    message_type: z.literal(`${NAMESPACE}.${NAME}`),
    occurred_at: wholeSecond,
    version: z.literal(VERSION),
    flow_id: z.string().optional(),
  }),
  data: z.looseObject({
    vehicle_id: shortId,
    received_at: wholeSecond,
    fleet_id: shortId,
    triggered_by: z.looseObject({ channel: z.string(), correlation_id: z.string() }).optional(),
    vehicle_state: vehicleState,
  }),
});

export type VehicleStateReceived = z.infer<typeof vehicleStateReceived>;

/** What a VehicleStateReceived message tells. */
export interface StateReceived {
  readonly messageId: string;
  readonly flowId: string;
  readonly createdMs: number;
  readonly vehicleId: string;
  readonly fleetId: string;
  readonly receivedMs: number;
  readonly triggeredBy: { readonly channel: 'API_COMMAND'; readonly correlationId: string } | undefined;
  readonly properties: Properties;
}

/** The message as it goes out. Empty properties give an empty vehicle_state: contact without data. */
export function writeStateReceived(told: StateReceived): OutgoingMessage {
  const { messageId, flowId, createdMs, vehicleId, fleetId, triggeredBy } = told;
  const body = {
    metadata: {
      message_id: messageId,
      message_type: messageType({ name: NAME }),
      occurred_at: dateTime(createdMs),
      version: VERSION,
      flow_id: flowId,
    },
    data: {
      vehicle_id: vehicleId,
      received_at: dateTime(told.receivedMs),
      fleet_id: fleetId,
      ...(triggeredBy === undefined
        ? {}
        : { triggered_by: { channel: triggeredBy.channel, correlation_id: triggeredBy.correlationId } }),
      vehicle_state: writeProperties(told.properties),
    },
  };
  return {
    messageId,
    vehicleId,
    fleetId,
    name: NAME,
    version: VERSION,
    flowId,
    createdMs,
    body: JSON.stringify(body),
  };
}

function writeProperties(properties: Properties): Record<string, { timestamp: string; value: unknown }> {
  const written: Record<string, { timestamp: string; value: unknown }> = {};
  // Nearly all properties of a report have one time: it is written once.
  let lastMs = Number.NaN;
  let last = '';
  for (const [name, { timestampMs, value }] of Object.entries(properties)) {
    if (timestampMs !== lastMs) {
      last = dateTime(timestampMs);
      lastMs = timestampMs;
    }
    written[name] = { timestamp: last, value };
  }
  return written;
}
