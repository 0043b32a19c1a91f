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
    message_id: ulid,
    message_type: z.literal(`${NAMESPACE}.${name}`),
    occurred_at: wholeSecond,
    version: z.literal(version),
    flow_id: z.string().optional(),
  });
}

/** A place on the earth, as a vehicle state has it. */
export const position = z.looseObject({
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
});
