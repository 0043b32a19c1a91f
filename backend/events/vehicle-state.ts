import { z } from 'zod';
import { PROPERTIES, type PropertyName, type PropertyRow, type WordsRow } from '../../contract/properties.ts';
import { MEANINGS, type PropertyMeaning } from '../../contract/property-meanings.ts';
import { unitOf } from '../../contract/units.ts';

/** `YYYY-MM-DDThh:mm:ssZ`, as every date-time leaves the service. */
export const wholeSecond = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
  .meta({ format: 'date-time' });

/** The same with what it means. */
export const secondOf = (description: string) => wholeSecond.meta({ description });

/**
 * One of these words today. Enumerations may grow, and readers must accept unknown words: the schema is a string, and
 * lists the current words separately (decision 0018).
 */
export function openWord(words: readonly string[], description: string) {
  return z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/)
    .meta({
      description: `${description} One of ${words.join(', ')}; later releases may add others.`,
      'x-extensible-enum': [...words],
      examples: [words[0]],
    });
}

type AnyRow = PropertyRow | WordsRow;

/** The schema of a value from its row in the table of properties. */
function valueSchema(name: string, row: AnyRow, meaning: PropertyMeaning): z.ZodType {
  const { description } = meaning;
  switch (row.shape) {
    case 'number':
      return numberSchema(name, row, meaning);
    case 'boolean':
      return z.boolean().meta({ description, examples: [true] });
    case 'word':
      return openWord([row.yes, row.no, ...(row.failed === undefined ? [] : [row.failed])], description);
    case 'choice':
      return openWord([...row.words, ...(row.other === undefined ? [] : [row.other])], description);
    case 'word-of':
      return openWord(row.words, description);
    case 'date':
      return z.iso.date().meta({ description, examples: ['2027-03-01'] });
    case 'moment':
      return wholeSecond.meta({ description, examples: ['2026-03-02T11:40:00Z'] });
    case 'codes':
      return z
        .array(
          z
            .string()
            .regex(/^[PCBU][0-3][0-9A-F]{3}$/)
            .meta({ description: 'A trouble code in its usual notation.' }),
        )
        .meta({ description, examples: [['P0301']] });
    case 'serial':
      return z
        .string()
        .min(1)
        .meta({ description, examples: ['00B4E1F7'] });
    case 'parts':
      return partsSchema(row.parts, meaning, row.whole === true);
    case 'position':
    case 'backup-battery':
      return partsSchema(row.parts, meaning, true);
    default:
      return row satisfies never;
  }
}

function numberSchema(
  name: string,
  { minimum, maximum, decimals, isTurn }: Extract<PropertyRow, { shape: 'number' }>,
  { description, example }: PropertyMeaning,
): z.ZodType {
  const least = (decimals === 0 ? z.int() : z.number()).min(minimum);
  const unit = unitOf(name);
  return (isTurn === true ? least.lt(maximum) : least.max(maximum)).meta({
    description: unit === undefined ? description : `${description} In ${unit}.`,
    format: decimals === 0 ? 'int32' : 'double',
    ...(unit === undefined ? {} : { 'x-unit': unit }),
    examples: [example],
  });
}

/** An object by name. `isWhole`: it is there only with all of its parts. */
function partsSchema(
  parts: Readonly<Record<string, AnyRow>>,
  meaning: PropertyMeaning,
  isWhole: boolean,
): z.ZodType {
  const shape = Object.entries(parts).map(([name, row]) => {
    const schema = valueSchema(name, row, meaning.parts?.[name] ?? { description: '' });
    return [name, isWhole ? schema : schema.optional()] as const;
  });
  return z.looseObject(Object.fromEntries(shape)).meta({ description: meaning.description });
}

/** One property of the state: its value and the time of the value. */
const propertyOf = <T>(value: z.ZodType<T>) =>
  z.looseObject({
    timestamp: secondOf('When the vehicle recorded it (UTC).'),
    value,
  });

/** The form in which a row's value is read. */
type Read<Row> = Row extends { shape: 'number' }
  ? number
  : Row extends { shape: 'boolean' }
    ? boolean
    : Row extends { parts: infer Parts }
      ? { [Name in keyof Parts]?: Read<Parts[Name]> }
      : Row extends { shape: 'codes' }
        ? string[]
        : string;
type StateShape = {
  [Name in PropertyName]: z.ZodOptional<ReturnType<typeof propertyOf<Read<(typeof PROPERTIES)[Name]>>>>;
};

const shape = Object.fromEntries(
  (Object.entries(PROPERTIES) as [PropertyName, PropertyRow][]).map(([name, row]) => {
    const meaning = MEANINGS[name];
    const booked = row.maintenance === true ? ' Part of the maintenance set.' : '';
    const schema = propertyOf(valueSchema(name, row, meaning));
    return [name, schema.meta({ description: `${meaning.description}${booked}` }).optional()];
  }),
) as unknown as StateShape;

/**
 * The vehicle state as the table of properties has it. A reader must accept more than these; any other property that
 * the service sends must be {timestamp, value} too.
 */
export const vehicleState = z
  .looseObject(shape)
  .catchall(z.looseObject({ timestamp: wholeSecond, value: z.unknown() }))
  .meta({
    description:
      'The state that a vehicle reports: for each property its value and its time. A property is present if the vehicle has the capability of that name and a value could be read; an empty state means contact without data. Later releases may add properties.',
    title: 'VehicleState',
    // Readers must accept any value. The rule above applies to the service only.
    additionalProperties: true,
  });
