import { z } from 'zod';
import { LIMITS } from '../../contract/limits.ts';

/** Text that people read: no control characters, not empty. */
const text = (characters: number) =>
  z
    .string()
    .min(1)
    .max(characters)
    // That is \P{Cc}, which requires the flag u: other programs read the pattern from the document.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
    .regex(/^[^\u0000-\u001F\u007F-\u009F]*$/, 'must have no control characters');

/** ISO 3779: 17 characters, without I, O and Q. */
const VIN = /^[A-HJ-NPR-Z0-9]{17}$/;
const CUSTOM_FIELD = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const CUSTOM_FIELD_RULE = 'must be 1 to 64 of A-Z a-z 0-9 _ . -, beginning with a letter or digit';

/** The master data that a person can set, in display order. null: not set (any more). */
export const MASTER_DATA = {
  vin: z
    .string()
    .regex(VIN, 'must be 17 of A-Z without I, O, Q, and 0-9 (ISO 3779)')
    .nullable()
    .describe('The vehicle identification number (ISO 3779); no two vehicles of a fleet have the same.'),
  license_plate: text(LIMITS.vehicle.plateCharacters).nullable().describe('The license plate.'),
  brand: text(LIMITS.vehicle.nameCharacters).nullable().describe('Who made the vehicle.'),
  model: text(LIMITS.vehicle.nameCharacters).nullable().describe('The name under which its maker sells it.'),
  custom_name: text(LIMITS.vehicle.nameCharacters)
    .nullable()
    .describe('The name that its owner gave the vehicle.'),
  fuel_type: z
    .enum(['PETROL', 'DIESEL', 'ELECTRIC', 'HYBRID'])
    .nullable()
    .describe('What drives the vehicle. HYBRID: a tank and a traction battery.'),
  year_of_production: z
    .int()
    .min(LIMITS.vehicle.firstYear)
    .max(LIMITS.vehicle.lastYear)
    .nullable()
    .describe('The year in which the vehicle was made.'),
  transmission: z.enum(['MANUAL', 'AUTOMATIC']).nullable().describe('The kind of its transmission.'),
  vehicle_type: z.enum(['CAR', 'VAN', 'MOPED']).nullable().describe('The kind of vehicle.'),
} as const;

/** All of it; null if neither its owner nor its model sets it. */
export type MasterData = z.infer<z.ZodObject<typeof MASTER_DATA>>;

/** Master data that a request names: what it leaves out stays, null removes. */
export const masterDataFields = z
  .strictObject(MASTER_DATA)
  .partial()
  .describe(
    'The master data of the vehicle. What is left out stays unchanged, or as its model has it; null removes a value.',
  );

/** Custom fields that a request names: what it leaves out stays, null removes. */
export const customFieldsFields = z
  .preprocess(
    (fields, context) => {
      // The library's record type drops this name before any rule is applied.
      if (typeof fields === 'object' && fields !== null && Object.hasOwn(fields, '__proto__'))
        context.addIssue({ code: 'custom', path: ['__proto__'], message: CUSTOM_FIELD_RULE });
      return fields;
    },
    z.record(
      z.string().regex(CUSTOM_FIELD, CUSTOM_FIELD_RULE),
      z.string().max(LIMITS.vehicle.customFieldCharacters).nullable(),
    ),
  )
  .describe('Custom texts of its owner, by name. What is left out stays unchanged; null removes a text.');

/** The tags of a vehicle, all of them. */
export const tagsField = z
  .array(text(LIMITS.vehicle.tagCharacters))
  .max(LIMITS.vehicle.tags)
  .refine((tags) => new Set(tags).size === tags.length, 'must not name a tag twice')
  .describe('Words that its owner chose for finding the vehicle: all of them, each once.');

/** Whether the maintenance capabilities are booked in addition to the basic set. */
export const maintenanceField = z
  .boolean()
  .describe(
    'Whether the maintenance capabilities are booked: warning lamps, trouble codes and service dues are reported only then.',
  );

/** The meaning of a vehicle's statuses, for all documents. */
export const STATUS_MEANINGS = {
  life: 'Whether the vehicle can be reached.',
  operation: 'Whether the vehicle is in operation, as its owner says.',
  operationValue: 'OPERATING: it is in operation. GARAGE: it is in a workshop.',
  rental: 'Whether the vehicle is rented, as its owner says.',
  rentalValue: 'IN_RENTAL: somebody has rented it. NOT_IN_RENTAL: nobody has.',
  since: 'Since when this has been so (UTC).',
} as const;

export const OPERATION_STATUSES = ['OPERATING', 'GARAGE'] as const;
export const RENTAL_STATUSES = ['IN_RENTAL', 'NOT_IN_RENTAL'] as const;
