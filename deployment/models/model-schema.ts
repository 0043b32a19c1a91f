import { z } from 'zod';
import { COMMANDS } from '../../protocol/commands.ts';
import { QUANTITIES } from '../../protocol/models/quantities.ts';
import { OBD_QUANTITIES } from '../../protocol/models/rows.ts';
import { limits } from '../shared/limits.ts';

// What a model file may contain. The checks of all models decide whether its rows are consistent.

const enumOf = <Name extends string>(names: readonly Name[]) => z.enum(names as readonly [Name, ...Name[]]);
const namesOf = <Name extends string>(table: Readonly<Record<Name, unknown>>) => Object.keys(table) as Name[];

const NAME_WORDS = 'a name of small letters, digits and -, beginning with a letter';
const name = z
  .string(NAME_WORDS)
  .regex(/^[a-z][a-z0-9-]*$/, NAME_WORDS)
  .max(limits.modelNameCharacters);
/** Commands of the vehicle; every box has those of the box itself. */
const WIRED = COMMANDS.filter(({ family }) => family === 'vehicle').map(({ name: command }) => command);
const shortText = z.string().min(1).max(limits.modelNameCharacters);
const bus = z.literal([0, 1]).describe('Of the two of a box.');
const identifier = z
  .int()
  .min(0)
  .max(0x1fff_ffff)
  .describe('Of the frame, 11 or 29 bits: 0x1a0, or as a whole number.');

const canSource = z
  .strictObject({
    bus: bus.prefault(0),
    id: identifier,
    start_bit: z
      .int()
      .min(0)
      .max(63)
      .describe(
        'As in a DBC file: the least significant bit of an Intel signal, the most significant one of a Motorola signal.',
      ),
    bits: z.int().min(1).max(32),
    order: z.enum(['little', 'big']).describe('little: Intel, @1 in a DBC file; big: Motorola, @0.'),
    signed: z.boolean().describe("The raw number is two's complement, - in a DBC file.").optional(),
  })
  .describe('A signal in a CAN frame.');

const rawNumber = z.int().min(-0x8000_0000).max(0xffff_ffff);
const WORDS_WORDS = 'raw numbers with a word of the quantity each';

const row = z
  .strictObject({
    quantity: enumOf(namesOf(QUANTITIES))
      .describe('What the signal is about. It ends with its unit.')
      .optional(),
    obd: enumOf(namesOf(OBD_QUANTITIES))
      .describe('A PID of SAE J1979, by its name; it knows its quantity.')
      .optional(),
    trouble_codes: z.literal(true).describe('The stored trouble codes, mode 03.').optional(),
    can: canSource.optional(),
    digital: z.int().min(0).max(15).describe('A digital input of the box.').optional(),
    analog: z.int().min(0).max(3).describe('An analogue input of the box, in millivolts.').optional(),
    factor: z.number().describe('physical = raw × factor + offset; absent: 1.').optional(),
    offset: z.number().describe('Absent: 0.').optional(),
    inverted: z.literal(true).describe('Of a switch: 0 is true.').optional(),
    words: z
      .record(z.string().regex(/^\d{1,10}$/, WORDS_WORDS), z.string(), WORDS_WORDS)
      .describe('Of a choice: raw number and word.')
      .optional(),
    part: z.enum(['year', 'month', 'day']).describe('Of a day that comes in rows of their own.').optional(),
    unavailable: rawNumber.describe('The raw number that means: no value.').optional(),
    failure: rawNumber.describe('The raw number that means: the sensor failed.').optional(),
    feeds: z
      .array(z.string().max(limits.modelNameCharacters))
      .max(limits.modelFeeds)
      .describe('Properties of the vehicle state; absent: those that the quantity usually feeds.')
      .optional(),
  })
  .describe('One raw signal, and what it means.');

export type ModelFileRow = z.output<typeof row>;

const above0 = z.number().positive();
const body = z
  .strictObject({
    mass_kg: above0,
    doors: z.int().min(0).max(9),
    energy_capacity: above0.describe('Litres of the tank; kilowatt-hours of an electric vehicle.'),
    consumption_per_100_km: above0.describe('At 50 km/h on a level road, in the unit of the capacity.'),
    top_speed_kph: above0,
    maximum_acceleration_mps2: above0,
    charge_kw: above0.describe('Absent: there is no plug.').optional(),
    hybrid: z
      .strictObject({ capacity_kwh: above0, consumption_per_100_km: above0 })
      .describe('The traction battery of a plug-in hybrid.')
      .optional(),
    adblue: z
      .strictObject({ litres: above0, litres_per_1000_km: above0 })
      .describe('The tank of urea solution of a diesel.')
      .optional(),
    battery_ports: z.literal([1, 2]).describe('Ports for swappable drive batteries.').optional(),
  })
  .describe('What the physics need.');

/** A user's own model, as its file has it. */
export const modelFileSchema = z.strictObject({
  $schema: z.string().describe('For editors.').optional(),
  name: name.describe('How scenarios, the API and the fleet name it. No built-in model has that name.'),
  brand: shortText,
  series: shortText,
  fuel_type: z.enum(['PETROL', 'DIESEL', 'ELECTRIC', 'HYBRID']),
  vehicle_type: z.enum(['CAR', 'VAN', 'MOPED']),
  installation: z.enum(['OBD', 'HARDWIRED']).describe('How the box is installed.'),
  transmission: z.enum(['MANUAL', 'AUTOMATIC']),
  year_of_production: z.int().min(1950).max(2100),
  vehicle_commands: z
    .array(enumOf(WIRED))
    .max(limits.modelFeeds)
    .describe(
      "What the wiring allows, besides the box's own; absent: what it does in nearly every car, or scooter.",
    )
    .optional(),
  frames: z
    .array(
      z.strictObject({
        bus: bus.prefault(0),
        id: identifier,
        bytes: z.literal([1, 2, 3, 4, 5, 6, 7, 8]),
        always: z.boolean().describe('Whether it is also sent without ignition.').prefault(false),
      }),
    )
    .max(limits.modelRows)
    .describe('The CAN frames that the rows read.')
    .prefault([]),
  rows: z.array(row).min(1).max(limits.modelRows),
  body,
});

export type ModelFile = z.output<typeof modelFileSchema>;

/** The JSON Schema (draft-07) of model files, for editors. */
export function modelJsonSchema(): z.core.JSONSchema.BaseSchema {
  return {
    ...z.toJSONSchema(modelFileSchema, { io: 'input', target: 'draft-7' }),
    title: 'A vehicle model of boxtwin',
  };
}
