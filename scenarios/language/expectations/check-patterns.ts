import type { z } from 'zod';
import { MESSAGES, type MessageName } from '../../../backend/events/message-table.ts';
import { vehicleState } from '../../../backend/events/vehicle-state.ts';
import { vehicleDetailSchema } from '../../../backend/vehicles/answer-routes.ts';
import type { DocumentFault } from '../document/explain.ts';
import { hintFor } from '../document/nearest.ts';
import type { DocumentPlace } from '../vary/vary.ts';
import { COMPARISONS } from './expectations.ts';
import { BELIEF_NAMES, TRUTH_NAMES } from './snapshot-names.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * What an expectation looks for and can never be: names that nothing has, values that a property never takes, regular
 * expressions that cannot be read. With `never` such a word would always be kept, and watch nothing.
 */
export function checkPatterns(words: JsonObject, place: DocumentPlace): readonly DocumentFault[] {
  const { truth, belief, vehicle, state, message, with: wanted } = words;
  return [
    ...unknownNames(truth, TRUTH_NAMES, 'The truth of a vehicle', [...place, 'truth']),
    ...unknownNames(belief, BELIEF_NAMES, 'What a box believes', [...place, 'belief']),
    ...misfits(vehicle, vehicleDetailSchema, [...place, 'vehicle']),
    ...stateMisfits(state, [...place, 'state']),
    ...messageMisfits(message, wanted, [...place, 'with']),
    ...Object.entries(words).flatMap(([word, given]) => brokenExpressions(given, [...place, word])),
  ];
}

function unknownNames(
  given: unknown,
  names: readonly string[],
  of: string,
  place: DocumentPlace,
): readonly DocumentFault[] {
  if (!isObject(given) || isComparison(given)) return [];
  return Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => unknownName(name, names, of, [...place, name]));
}

function unknownName(
  name: string,
  names: readonly string[],
  of: string,
  place: DocumentPlace,
): DocumentFault {
  return fault(place, 'name', `${of} has nothing named ${name}.`, hintFor(name, names));
}

function fault(
  place: DocumentPlace,
  of: DocumentFault['of'],
  message: string,
  hint: string | undefined,
): DocumentFault {
  return { place, of, message, ...(hint === undefined ? {} : { hint }) };
}

/** Of the latest state only values are compared. */
function stateMisfits(given: unknown, place: DocumentPlace): readonly DocumentFault[] {
  if (!isObject(given)) return [];
  return Object.entries(given).flatMap(([name, pattern]) => {
    const property = partsOf(vehicleState)?.[name];
    const value = property === undefined ? undefined : partsOf(property)?.['value'];
    return value === undefined ? [] : misfits(pattern, value, [...place, name]);
  });
}

function messageMisfits(name: unknown, wanted: unknown, place: DocumentPlace): readonly DocumentFault[] {
  if (typeof name !== 'string' || !isObject(wanted) || !Object.hasOwn(MESSAGES, name)) return [];
  const { schema } = MESSAGES[name as MessageName];
  return [
    ...misfits(wanted['body'], schema, [...place, 'body']),
    ...stateMisfits(wanted['state'], [...place, 'state']),
  ];
}

/** Where a pattern can match nothing of that schema. Total; what it does not know how to judge it lets pass. */
function misfits(pattern: unknown, schema: z.ZodType, place: DocumentPlace): readonly DocumentFault[] {
  if (pattern === undefined) return [];
  if (isComparison(pattern)) {
    const { not, one_of: oneOf } = pattern;
    return [
      ...misfits(not, schema, [...place, 'not']),
      ...(Array.isArray(oneOf)
        ? oneOf.flatMap((one, index) => misfits(one, schema, [...place, 'one_of', index]))
        : []),
    ];
  }
  const parts = partsOf(schema);
  if (isObject(pattern) && parts !== undefined) {
    return Object.entries(pattern).flatMap(([name, one]) => {
      const part = parts[name];
      if (part !== undefined) return misfits(one, part, [...place, name]);
      return [unknownName(name, Object.keys(parts), `\`${place.at(-1) ?? ''}\``, [...place, name])];
    });
  }
  if (isObject(pattern) || Array.isArray(pattern)) return [];
  const words = wordsOf(schema);
  if (typeof pattern === 'string' && words !== undefined && !words.includes(pattern)) {
    const message = `This is never ${JSON.stringify(pattern)}.`;
    return [fault(place, 'value', message, hintFor(pattern, words))];
  }
  if (schema.safeParse(pattern).success) return [];
  return [
    { place, of: 'value', message: `This is never ${JSON.stringify(pattern)}: it is of another kind.` },
  ];
}

function brokenExpressions(given: unknown, place: DocumentPlace): readonly DocumentFault[] {
  if (Array.isArray(given)) return given.flatMap((one, index) => brokenExpressions(one, [...place, index]));
  if (!isObject(given)) return [];
  return Object.entries(given).flatMap(([name, one]) => {
    if (name !== 'like' || typeof one !== 'string') return brokenExpressions(one, [...place, name]);
    const reason = reasonAgainst(one);
    return reason === undefined ? [] : [{ place: [...place, name], of: 'value', message: reason }];
  });
}

function reasonAgainst(expression: string): string | undefined {
  try {
    new RegExp(expression, 'u');
    return undefined;
  } catch (error) {
    return `${error instanceof Error ? error.message : 'It cannot be read'}.`;
  }
}

/** The parts of an object's schema, whether or not it may be absent or null. */
function partsOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> | undefined {
  const { def } = schema as { readonly def?: SchemaDefinition };
  if (def?.innerType !== undefined) return partsOf(def.innerType);
  return def?.type === 'object' ? def.shape : undefined;
}

/** The words of an enumeration, also of one that may grow. */
function wordsOf(schema: z.ZodType): readonly string[] | undefined {
  const { def } = schema as { readonly def?: SchemaDefinition };
  const open = schema.meta()?.['x-extensible-enum'];
  if (Array.isArray(open)) return open.map(String);
  if (def?.innerType !== undefined) return wordsOf(def.innerType);
  return def?.type === 'enum' ? Object.values(def.entries ?? {}).map(String) : undefined;
}

/** What the library tells of a schema, as far as it is looked at here. */
interface SchemaDefinition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly entries?: Readonly<Record<string, string | number>>;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isComparison(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const words = Object.keys(value);
  return words.length > 0 && words.every((word) => Object.hasOwn(COMPARISONS, word));
}
