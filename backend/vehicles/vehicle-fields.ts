import { z } from 'zod';
import { vehicleLimits as limits } from './limits.ts';

/** Text that people read: no control characters, not empty. */
const text = (characters: number) =>
  z
    .string()
    .min(1)
    .max(characters)
    .regex(/^\P{Cc}*$/u, 'must have no control characters');

/** ISO 3779: 17 characters, without I, O and Q. */
const VIN = /^[A-HJ-NPR-Z0-9]{17}$/;
const CUSTOM_FIELD = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const CUSTOM_FIELD_RULE = 'must be 1 to 64 of A-Z a-z 0-9 _ . -, beginning with a letter or digit';

/** What a person can say of a vehicle, in the order in which it is shown. null: nothing is said (any more). */
export const MASTER_DATA = {
  vin: z.string().regex(VIN, 'must be 17 of A-Z without I, O, Q, and 0-9 (ISO 3779)').nullable(),
  license_plate: text(limits.plateCharacters).nullable(),
  brand: text(limits.nameCharacters).nullable(),
  model: text(limits.nameCharacters).nullable(),
  custom_name: text(limits.nameCharacters).nullable(),
  fuel_type: z.enum(['PETROL', 'DIESEL', 'ELECTRIC', 'HYBRID']).nullable(),
  year_of_production: z.int().min(limits.firstYear).max(limits.lastYear).nullable(),
  transmission: z.enum(['MANUAL', 'AUTOMATIC']).nullable(),
  vehicle_type: z.enum(['CAR', 'VAN', 'MOPED']).nullable(),
} as const;

/** All of it; null where neither its owner nor its model says anything. */
export type MasterData = z.infer<z.ZodObject<typeof MASTER_DATA>>;

/** Master data that a request names: what it leaves out stays, null removes. */
export const masterDataFields = z.strictObject(MASTER_DATA).partial();

/** Custom fields that a request names: what it leaves out stays, null removes. */
export const customFieldsFields = z.preprocess(
  (fields, context) => {
    // A record of the library leaves this one name out before any rule sees it.
    if (typeof fields === 'object' && fields !== null && Object.hasOwn(fields, '__proto__'))
      context.addIssue({ code: 'custom', path: ['__proto__'], message: CUSTOM_FIELD_RULE });
    return fields;
  },
  z.record(
    z.string().regex(CUSTOM_FIELD, CUSTOM_FIELD_RULE),
    z.string().max(limits.customFieldCharacters).nullable(),
  ),
);

/** The tags of a vehicle, all of them. */
export const tagsField = z
  .array(text(limits.tagCharacters))
  .max(limits.tags)
  .refine((tags) => new Set(tags).size === tags.length, 'must not name a tag twice');

/** Whether the maintenance capabilities are booked in addition to the basic set. */
export const maintenanceField = z.boolean();

export const OPERATION_STATUSES = ['OPERATING', 'GARAGE'] as const;
export const RENTAL_STATUSES = ['IN_RENTAL', 'NOT_IN_RENTAL'] as const;
