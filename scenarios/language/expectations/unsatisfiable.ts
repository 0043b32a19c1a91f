import { matchesInTime } from '../../../world/expressions/match-in-time.ts';
import type { DocumentFault } from '../document/explain.ts';
import { hintFor } from '../document/nearest.ts';
import { printPlace } from '../document/place.ts';
import type { DocumentPlace } from '../vary/vary.ts';
import { COMPARISONS } from './expectations.ts';
import { isSchema, kindOf, type Possible, possibleOf, type ValueSchema } from './possible.ts';
import { meantInstead, reasonText, shown } from './possible-text.ts';

/** The place of a pattern in the document, and its compared value: `truth.locked`. */
export interface PatternPlace {
  readonly place: DocumentPlace;
  readonly path: DocumentPlace;
  /** In place of the path, to begin the sentence about an unknown name. */
  readonly named?: string;
}

export interface PatternContext {
  /** The document that references of the schemas refer to. */
  readonly root: unknown;
  /** The part of a text that a run fills in: all of it (then it can become any value), a part, or nothing. */
  readonly filled: (text: string) => 'whole' | 'part' | 'nothing';
}

type Comparison = keyof typeof COMPARISONS;

/**
 * Where a pattern of the language can match nothing that these schemas allow: one of them holds for the value. Total;
 * accepts what it cannot check. An empty list: it can match.
 */
export function unsatisfiable(
  pattern: unknown,
  schemas: readonly ValueSchema[],
  at: PatternPlace,
  context: PatternContext,
): readonly DocumentFault[] {
  if (typeof pattern === 'string' && context.filled(pattern) === 'whole') return [];
  const possible = schemas.flatMap((schema) => possibleOf(schema, context.root));
  if (isComparison(pattern)) {
    return Object.entries(pattern).flatMap(([word, operand]) => {
      const there = { ...at, place: [...at.place, word] };
      return unsatisfiableComparison(word as Comparison, operand, { schemas, possible, at: there, context });
    });
  }
  const kind = kindOf(pattern);
  const fitting = possible.filter(
    (one) => one.kind === kind || one.kind === 'anything' || isIndexed(one, kind),
  );
  const [nearest] = fitting
    .map((one) => unsatisfiableBySchema(pattern, one, possible, at, context))
    .sort((one, other) => one.length - other.length);
  if (nearest !== undefined) return nearest;
  const comparisons = isSchema(pattern) && possible.some(({ kind }) => isCompared(kind));
  return comparisons ? misspelt(pattern, possible, at) : [neverFault(pattern, possible, at)];
}

/** Whether there are comparisons for such values, in addition to those for all. */
function isCompared(kind: Possible['kind']): boolean {
  return kind === 'number' || kind === 'text' || kind === 'boolean';
}

/** Of a map in place of a value, which has no parts: the words in it that are no comparisons. */
function misspelt(
  pattern: ValueSchema,
  possible: readonly Possible[],
  at: PatternPlace,
): readonly DocumentFault[] {
  const words = Object.keys(COMPARISONS);
  const unknown = Object.keys(pattern).filter((name) => !words.includes(name));
  if (unknown.length === 0) return [neverFault(pattern, possible, at)];
  return unknown.map((name) => ({
    place: [...at.place, name],
    of: 'name',
    message: `There is no comparison ${name}, and \`${pathText(at)}\` has no parts: ${reasonText(possible)}.`,
    ...hinted(hintFor(name, words)),
  }));
}

/** A list can be compared by its indices, as a map: `items: { 0: { id: "1" } }`. */
function isIndexed(one: Possible, kind: string): boolean {
  return one.kind === 'list' && kind === 'map';
}

function unsatisfiableBySchema(
  pattern: unknown,
  one: Possible,
  all: readonly Possible[],
  at: PatternPlace,
  context: PatternContext,
): readonly DocumentFault[] {
  const below = (key: string | number, part: unknown, schema: ValueSchema) =>
    unsatisfiable(part, [schema], { place: [...at.place, key], path: [...at.path, key] }, context);
  if (Array.isArray(pattern)) {
    const items = one.kind === 'list' ? one.items : {};
    return pattern.flatMap((part, index) => below(index, part, items));
  }
  if (isSchema(pattern)) {
    return Object.entries(pattern).flatMap(([name, part]) => {
      const schema = partNamed(name, one);
      return schema === undefined ? [unknownName(name, one, at)] : below(name, part, schema);
    });
  }
  return isAmong(pattern, one, context) ? [] : [neverFault(pattern, all, at)];
}

/** The possible values under a name; undefined: there is no such name. */
function partNamed(name: string, one: Possible): ValueSchema | undefined {
  if (one.kind === 'list') {
    if (name === 'length') return { type: 'integer', minimum: 0 };
    return /^\d+$/.test(name) ? one.items : undefined;
  }
  if (one.kind !== 'map') return {};
  if (one.parts !== undefined && Object.hasOwn(one.parts, name)) return one.parts[name];
  return one.others ?? (one.parts === undefined ? {} : undefined);
}

function isAmong(value: unknown, one: Possible, { filled }: PatternContext): boolean {
  if (one.kind === 'number' && typeof value === 'number') {
    const { least, most, isBelow, isWhole } = one.range;
    if (one.values !== undefined) return one.values.includes(value);
    if (isWhole && !Number.isInteger(value)) return false;
    return value >= least && (isBelow ? value < most : value <= most);
  }
  if (one.kind === 'text' && typeof value === 'string') {
    if (filled(value) === 'part') return true;
    return one.values === undefined ? (one.form?.test(value) ?? true) : one.values.includes(value);
  }
  return one.kind === 'boolean' && one.values !== undefined ? one.values.includes(value) : true;
}

interface Compared {
  readonly schemas: readonly ValueSchema[];
  readonly possible: readonly Possible[];
  readonly at: PatternPlace;
  readonly context: PatternContext;
}

function unsatisfiableComparison(
  word: Comparison,
  operand: unknown,
  compared: Compared,
): readonly DocumentFault[] {
  const { schemas, at, context } = compared;
  if (typeof operand === 'string' && context.filled(operand) === 'whole') return [];
  switch (word) {
    case 'above':
    case 'below':
    case 'at_least':
    case 'at_most':
      return unsatisfiableNumber(word, operand, compared);
    case 'not':
      return unsatisfiable(operand, schemas, at, context);
    case 'one_of':
      if (!Array.isArray(operand)) return [operandFault(word, 'a list of what it can be', operand, at)];
      if (operand.length === 0) return [operandFault(word, 'a list with something in it', operand, at)];
      return operand.flatMap((one, index) =>
        unsatisfiable(one, schemas, { ...at, place: [...at.place, index] }, context),
      );
    case 'like':
      return unsatisfiableLike(operand, compared);
    case 'present':
      return typeof operand === 'boolean' ? [] : [operandFault(word, 'true or false', operand, at)];
    default:
      return word satisfies never;
  }
}

function unsatisfiableNumber(word: Comparison, operand: unknown, { possible, at }: Compared) {
  if (typeof operand !== 'number') return [operandFault(word, 'a number', operand, at)];
  return admits(possible, 'number') ? [] : [otherKind(`${word} ${operand}`, possible, at)];
}

function unsatisfiableLike(operand: unknown, { possible, at, context }: Compared): readonly DocumentFault[] {
  if (kindOf(operand) === 'map' || kindOf(operand) === 'list' || kindOf(operand) === 'nothing')
    return [operandFault('like', 'a regular expression, a text', operand, at)];
  if (!admits(possible, 'text')) return [otherKind(`like ${shown(operand)}`, possible, at)];
  const expression = readable(String(operand));
  if (expression === undefined || (typeof operand === 'string' && context.filled(operand) === 'part'))
    return [];
  if (possible.some((one) => one.kind === 'anything')) return [];
  for (const one of possible) {
    if (one.kind !== 'text') continue;
    if (one.values === undefined) return [];
    for (const value of one.values) {
      const matches = matchesInTime(expression, String(value));
      if (matches === true) return [];
      if (matches === undefined) return [fault(at, `${shown(operand)} takes too long to match.`, NESTED)];
    }
  }
  const texts = possible.filter(({ kind }) => kind === 'text');
  const hint = meantInstead(String(operand), texts);
  return [fault(at, `\`${pathText(at)}\` is never like ${shown(operand)}: ${reasonText(possible)}.`, hint)];
}

const NESTED = 'Write it without a repetition within a repetition, such as (a+)+.';

/** An invalid expression is reported elsewhere. */
function readable(expression: string): RegExp | undefined {
  try {
    return new RegExp(expression, 'u');
  } catch {
    return undefined;
  }
}

function admits(possible: readonly Possible[], kind: Possible['kind']): boolean {
  return possible.some((one) => one.kind === kind || one.kind === 'anything');
}

function operandFault(word: Comparison, wanted: string, operand: unknown, at: PatternPlace): DocumentFault {
  const [, number] = /^\s*(-?\d+(?:\.\d+)?)\s*$/.exec(typeof operand === 'string' ? operand : '') ?? [];
  const hint =
    wanted === 'a number' && number !== undefined ? `Did you mean ${number}, without quotes?` : undefined;
  const message = `\`${word}\` of \`${pathText(at)}\` takes ${wanted}; found ${shown(operand)}.`;
  return fault(at, message, hint);
}

function otherKind(what: string, possible: readonly Possible[], at: PatternPlace): DocumentFault {
  const hint = possible.every(({ kind }) => kind === 'nothing')
    ? meantInstead(undefined, possible)
    : undefined;
  return fault(at, `\`${pathText(at)}\` is never ${what}: ${reasonText(possible)}.`, hint);
}

function neverFault(value: unknown, possible: readonly Possible[], at: PatternPlace): DocumentFault {
  const message = `\`${pathText(at)}\` is never ${shown(value)}: ${reasonText(possible)}.`;
  return fault(at, message, meantInstead(value, possible));
}

function unknownName(name: string, one: Possible, at: PatternPlace): DocumentFault {
  const names = one.kind === 'map' ? Object.keys(one.parts ?? {}) : [];
  const hint = hintFor(name, names);
  return {
    place: [...at.place, name],
    of: 'name',
    message: `${at.named ?? `\`${pathText(at)}\``} has nothing named ${name}.`,
    ...hinted(hint),
  };
}

function fault({ place }: PatternPlace, message: string, hint: string | undefined): DocumentFault {
  return { place, of: 'value', message, ...hinted(hint) };
}

function hinted(hint: string | undefined): { readonly hint?: string } {
  return hint === undefined ? {} : { hint };
}

function pathText({ path }: PatternPlace): string {
  return printPlace(path);
}

export function isComparison(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isSchema(value)) return false;
  const words = Object.keys(value);
  return words.length > 0 && words.every((word) => Object.hasOwn(COMPARISONS, word));
}
