import { z } from 'zod';
import { type MessageName, messageType } from '../../contract/messages.ts';
import { secondOf, vehicleState } from './vehicle-state.ts';

export const ulid = z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
const shortId = z.string().min(5).max(12);
export const vehicleId = shortId.describe('The id of the vehicle.');
export const fleetId = shortId.describe('The id of the fleet that owns the vehicle.');
export const receivedAt = secondOf('When the service received it (UTC).');
export const occurredAt = secondOf('When it happened, by the clock of the telematics unit (UTC).');
export const wholeNumber = z.int32();

/** The metadata of every message. */
export function metadata(name: MessageName, version: string) {
  return z
    .looseObject({
      message_id: ulid.meta({ description: 'The same in each repetition of the message (ULID).' }),
      message_type: z.literal(messageType(name)).describe('The type of the message.'),
      occurred_at: secondOf('When the service made the message (UTC).'),
      version: z.literal(version).meta({ description: 'The version of this schema (semantic versioning).' }),
      flow_id: z
        .string()
        .meta({ description: 'The X-Service-Flow-ID of the request that caused it, or a new id.' })
        .optional(),
    })
    .describe('The metadata of every message.');
}

/** A position on the earth, as a vehicle state has it. */
export const position = vehicleState.shape.position.unwrap().shape.value;
