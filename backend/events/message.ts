import { z } from 'zod';
import { MESSAGES, messageType } from '../../contract/messages.ts';
import { dateTime } from '../base/date-time.ts';
import { jsonName, jsonText } from '../base/json-text.ts';
import type { OutgoingMessage } from '../store/port/outbox-store.ts';
import type { Properties } from '../vehicles/records.ts';
import { fleetId, metadata, receivedAt, vehicleId } from './message-parts.ts';
import { openWord, vehicleState } from './vehicle-state.ts';

/** The exchange of all messages: topic, durable. */
export const EXCHANGE = 'service.events';
const NAME = 'VehicleStateReceived';
const VERSION = MESSAGES[NAME].version;

/** `<fleet id>.<message name>` */
export function routingKey(message: Pick<OutgoingMessage, 'fleetId' | 'name'>): string {
  return `${message.fleetId}.${message.name}`;
}

const TYPE = messageType(NAME);

/** VehicleStateReceived 2.0 (docs/messages.md, VehicleStateReceived). */
export const vehicleStateReceived = z
  .looseObject({
    metadata: metadata(NAME, VERSION),
    data: z
      .looseObject({
        vehicle_id: vehicleId,
        received_at: receivedAt,
        fleet_id: fleetId,
        triggered_by: z
          .looseObject({
            channel: openWord(['API_COMMAND', 'BLUETOOTH'], 'The channel that caused the report.'),
            correlation_id: z
              .string()
              .describe('The flow id of the command, or the id of the Bluetooth token that was used.'),
          })
          .optional()
          .describe('What caused the report; absent: the vehicle reported unprompted.'),
        vehicle_state: vehicleState,
      })
      .describe('Which vehicle it is, and what it reported.'),
  })
  .describe('A telematics unit or a maker sent data of the vehicle.');

export type VehicleStateReceived = z.infer<typeof vehicleStateReceived>;

/** The channel that caused it, and the id of the command or token that was used. */
export interface TriggeredBy {
  readonly channel: 'API_COMMAND' | 'BLUETOOTH';
  /** Of the command's flow, or of the token. */
  readonly correlationId: string;
}

/** The data of a VehicleStateReceived message. */
export interface StateReceived {
  readonly messageId: string;
  readonly flowId: string;
  readonly createdMs: number;
  readonly vehicleId: string;
  readonly fleetId: string;
  readonly partition: number;
  readonly receivedMs: number;
  readonly triggeredBy: TriggeredBy | undefined;
  readonly properties: Properties;
}

/**
 * The published message. Empty properties give an empty vehicle_state: contact without data. Its JSON is composed as
 * text: it is written for each record, and objects for `JSON.stringify` would cost several times as much.
 */
export function writeStateReceived(facts: StateReceived): OutgoingMessage {
  const { messageId, flowId, createdMs, vehicleId, fleetId, partition, triggeredBy } = facts;
  const trigger =
    triggeredBy === undefined
      ? ''
      : `"triggered_by":{"channel":"${triggeredBy.channel}","correlation_id":${JSON.stringify(triggeredBy.correlationId)}},`;
  return {
    messageId,
    vehicleId,
    fleetId,
    partition,
    name: NAME,
    version: VERSION,
    flowId,
    createdMs,
    body:
      `{"metadata":{"message_id":${JSON.stringify(messageId)},"message_type":"${TYPE}",` +
      `"occurred_at":"${dateTime(createdMs)}","version":"${VERSION}","flow_id":${JSON.stringify(flowId)}},` +
      `"data":{"vehicle_id":${jsonText(vehicleId)},"received_at":"${dateTime(facts.receivedMs)}",` +
      `"fleet_id":${jsonText(fleetId)},${trigger}"vehicle_state":{${writeProperties(facts.properties)}}}}`,
  };
}

/** The properties as the inside of a JSON object. */
function writeProperties(properties: Properties): string {
  let written = '';
  // Nearly all properties of a report have one time: it is written once.
  let lastMs = Number.NaN;
  let timestamp = '';
  for (const name of Object.keys(properties)) {
    const property = properties[name];
    // A value that no longer applies is absent, like one that was never known.
    if (property === undefined || property.value === null) continue;
    if (property.timestampMs !== lastMs) {
      lastMs = property.timestampMs;
      timestamp = `{"timestamp":"${dateTime(lastMs)}","value":`;
    }
    const before = jsonName(name);
    written += `${written === '' ? before.slice(1) : before}${timestamp}${property.json ?? jsonText(property.value)}}`;
  }
  return written;
}
