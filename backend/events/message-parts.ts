import { z } from 'zod';
import { wholeSecond } from './vehicle-state.ts';

/** Stands before the name of a message in its type. */
export const NAMESPACE = 'service';

export const ulid = z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
export const shortId = z.string().min(5).max(12);
export const wholeNumber = z.int32();

/** What stands above the data of every message. */
export function metadata<Name extends string, Version extends string>(name: Name, version: Version) {
  return z.looseObject({
    message_id: ulid.meta({ description: 'The same in each repetition of the message (ULID).' }),
    message_type: z.literal(`${NAMESPACE}.${name}`),
    occurred_at: wholeSecond.meta({ description: 'When the service made the message.' }),
    version: z.literal(version).meta({ description: 'Of this schema (semantic versioning).' }),
    flow_id: z
      .string()
      .meta({ description: 'The X-Service-Flow-ID of the request that caused it, or one of its own.' })
      .optional(),
  });
}

/** A place on the earth, as a vehicle state has it. */
export const position = z.looseObject({
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
});
