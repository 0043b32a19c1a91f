import type { z } from 'zod';
import { counted, listed } from '../../../judge/wording.ts';
import { languageLimits } from '../../limits.ts';
import { EXPECTATIONS } from '../expectations/expectations.ts';
import { BREAKS } from '../steps/breaks.ts';
import { CALLS, COMMAND_FOLDERS } from '../steps/calls.ts';
import { knownMistakeAt, PLACE_WORDS } from '../steps/known-mistakes.ts';
import { TRIGGERS } from '../steps/triggers.ts';
import { isActName } from '../steps/vehicle-acts.ts';
import { WEATHER } from '../steps/weather.ts';
import type { DocumentPlace } from '../vary/vary.ts';
import type { JsonSchema } from './keyed.ts';
import { hintFor, nearestHint, nearestName, nearestNames } from './nearest.ts';
import { meantRate, meantSize, meantSpan } from './nearest-quantity.ts';
import { valueAt } from './place.ts';
import { placeName } from './step-name.ts';

/** What is wrong, at a place of the document. */
export interface DocumentFault {
  readonly place: DocumentPlace;
  /** Whether the name at that place is wrong, or the value. */
  readonly of: 'value' | 'name';
  readonly message: string;
  readonly hint?: string;
}

type Issue = z.core.$ZodIssue;

/** The kind of document, in the words of its sentences. */
export interface DocumentSubject {
  /** `The scenario` */
  readonly whole: string;
  /** `a scenario` */
  readonly within: string;
  /** For a file with other content. */
  readonly hint: string;
}

const SCENARIO: DocumentSubject = {
  whole: 'The scenario',
  within: 'a scenario',
  hint: 'A scenario begins with `name: ...` and `about: ...`, and has `fleet:` and `steps:`, lists of maps.',
};

/** A place of the document in a sentence. */
export type PlaceNaming = (place: DocumentPlace) => string;

/** The issues of zod as sentences about this document. `schema` has the possible names. */
export function explainIssues(
  issues: readonly Issue[],
  document: unknown,
  schema: JsonSchema,
  { subject = SCENARIO, nameOf = placeName }: { subject?: DocumentSubject; nameOf?: PlaceNaming } = {},
): readonly DocumentFault[] {
  return explainAll(issues, [], document, { schema, subject, nameOf });
}

/** Each issue; a misspelt word is also missing, and that is reported once. */
function explainAll(
  issues: readonly Issue[],
  base: DocumentPlace,
  document: unknown,
  known: Known,
): readonly DocumentFault[] {
  const misnamed = new Map(
    issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys' ? [[JSON.stringify(issue.path), issue.keys] as const] : [],
    ),
  );
  const isMeant = ({ code, path }: Issue): boolean => {
    if (code === 'custom') return misnamed.has(JSON.stringify(path));
    if (code !== 'invalid_type' && code !== 'invalid_value') return false;
    const place: DocumentPlace = [...base, ...(path as DocumentPlace)];
    const keys = misnamed.get(JSON.stringify(path.slice(0, -1))) ?? [];
    if (keys.length === 0 || valueAt(document, asWritten(document, place)) !== undefined) return false;
    const names = knownNames(known.schema, place.slice(0, -1));
    return keys.some((key) => nearestName(key, names) === place.at(-1));
  };
  return issues.filter((issue) => !isMeant(issue)).flatMap((issue) => explain(issue, base, document, known));
}

interface Known {
  readonly schema: JsonSchema;
  readonly subject: DocumentSubject;
  readonly nameOf: PlaceNaming;
}

function explain(
  issue: Issue,
  base: DocumentPlace,
  document: unknown,
  known: Known,
): readonly DocumentFault[] {
  const { subject, nameOf } = known;
  const place: DocumentPlace = [...base, ...(issue.path as DocumentPlace)];
  const seen = asWritten(document, place);
  const value = valueAt(document, seen);
  const where = seen.length === 0 ? subject.whole : nameOf(seen);
  switch (issue.code) {
    case 'unrecognized_keys':
      // A report has no room for more.
      return issue.keys
        .slice(0, languageLimits.problems)
        .map((key) => unknownName(key, place, seen, known, valueAt(document, [...seen, key])));
    case 'invalid_key':
      return [unknownName(String(place.at(-1)), place.slice(0, -1), seen.slice(0, -1), known)];
    case 'invalid_union': {
      const [nearest] = issue.errors
        .map((branch) => explainAll(branch, place, document, known))
        .filter((faults) => faults.every((fault) => fault.place.length > place.length || fault.of === 'name'))
        .sort((one, other) => one.length - other.length);
      if (nearest !== undefined && nearest.length > 0) return nearest;
      const wanted = isOurs(issue.message)
        ? issue.message
        : [...new Set(issue.errors.flatMap((branch) => branch.map(expected)))].join(', or ');
      return [{ place, of: 'value', message: `${where} should be ${wanted}; found ${picture(value)}.` }];
    }
    default: {
      const alone = notAlone(issue, place, seen, value, nameOf);
      if (alone !== undefined) return [alone];
      const mistake = knownMistakeAt(place, value, nameOf);
      if (mistake !== undefined) return [{ place, of: 'value', ...mistake }];
      if (value === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) {
        const name = String(place.at(-1));
        const around = place.slice(0, -1);
        const whole = around.length === 0 ? subject.whole : nameOf(asWritten(document, around));
        return [{ place: around, of: 'value', message: `${whole} needs ${name}: ${expected(issue)}.` }];
      }
      const meant = meantBy(issue, value);
      if (meant !== undefined) {
        const message = `${where} cannot be ${JSON.stringify(value)}.`;
        return [{ place, of: 'value', message, hint: meant }];
      }
      // What is no map is another file, whose content must not be in an error text.
      if (seen.length === 0)
        return [
          { place, of: 'value', message: `${where} should be ${expected(issue)}.`, hint: subject.hint },
        ];
      const hint = unitHint(issue, value);
      return [
        {
          place,
          of: 'value',
          message: `${where} should be ${expected(issue)}; found ${picture(value)}.`,
          ...(hint === undefined ? {} : { hint }),
        },
      ];
    }
  }
}

/** `box: reset`: the word means an empty map, and something has to be in it. */
function notAlone(
  issue: Issue,
  place: DocumentPlace,
  seen: DocumentPlace,
  value: unknown,
  nameOf: PlaceNaming,
): DocumentFault | undefined {
  const [word, name, ...more] = place.slice(seen.length);
  if (word !== value || typeof name !== 'string' || more.length > 0) return undefined;
  return {
    place: seen,
    of: 'value',
    message: `${nameOf(seen)}: ${String(word)} is incomplete, it needs ${name}: ${expected(issue)}.`,
    hint: `Write \`${String(seen.at(-1))}: { ${String(word)}: { ${name}: ... } }\`.`,
  };
}

/** The place as it is written: without the list around one value, and without the map that a word abbreviates. */
function asWritten(document: unknown, place: DocumentPlace): DocumentPlace {
  let value = document;
  return place.filter((key, index) => {
    const isMap = typeof value === 'object' && value !== null;
    const isStandIn = typeof key === 'number' ? !Array.isArray(value) : typeof value === 'string';
    if (isStandIn || (!isMap && index < place.length - 1)) return false;
    value = isMap && Object.hasOwn(value as object, key) ? valueAt(value, [key]) : undefined;
    return true;
  });
}

function unknownName(
  key: string,
  place: DocumentPlace,
  seen: DocumentPlace,
  { schema, subject, nameOf }: Known,
  value?: unknown,
): DocumentFault {
  const where = place.length === 0 ? subject.within : nameOf(seen);
  // Other places of a word are only known of scenarios.
  const elsewhere = subject === SCENARIO ? rightPlaceOf(key, seen, value) : undefined;
  const hint = elsewhere ?? hintFor(key, knownNames(schema, place));
  return {
    place: [...place, key],
    of: 'name',
    message: `There is no ${JSON.stringify(key)} in ${where}.`,
    ...(hint === undefined ? {} : { hint }),
  };
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a map of names and values',
  record: 'a map of names and values',
  array: 'a list',
  null: 'nothing',
};

/** What is expected there, to complete 'should be'. */
function expected(issue: Issue): string {
  if (isOurs(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return KINDS[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return `one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `${issue.inclusive === false ? 'above' : 'at least'} ${sizeOf(issue.minimum, issue.origin)}`;
    case 'too_big':
      return `${issue.inclusive === false ? 'below' : 'at most'} ${sizeOf(issue.maximum, issue.origin)}`;
    case 'invalid_format':
      return `text of the form ${issue.pattern ?? issue.format}`;
    default:
      return issue.message;
  }
}

/** Whether the message is ours, not zod's. */
function isOurs(message: string): boolean {
  return !/^(Invalid|Too|Unrecognized)/.test(message);
}

function sizeOf(size: number | bigint, origin: string): string {
  if (origin === 'string') return counted(Number(size), 'character');
  return origin === 'array' || origin === 'set' ? counted(Number(size), 'item') : String(size);
}

/** For a word that is similar to one that is valid there. */
function meantBy(issue: Issue, value: unknown): string | undefined {
  if (issue.code !== 'invalid_value' || typeof value !== 'string') return undefined;
  return nearestHint(value, issue.values.map(String));
}

function unitHint(issue: Issue, value: unknown): string | undefined {
  if (typeof value === 'string') {
    const meant = meantQuantity(issue.message, value);
    return meant === undefined || meant === value ? undefined : `Did you mean ${meant}?`;
  }
  const wantsText = issue.code === 'invalid_type' && issue.expected === 'string';
  if (!wantsText || typeof value !== 'number') return undefined;
  if (/span/.test(issue.message)) return `Write its unit, as in ${value}s.`;
  return /size|rate/.test(issue.message) ? 'Write its unit.' : 'Write it in quotes.';
}

/** The words in which the schema requires one. */
function meantQuantity(asked: string, text: string): string | undefined {
  if (asked.startsWith('a span')) return meantSpan(text);
  if (asked.startsWith('a size')) return meantSize(text);
  return asked.startsWith('a rate') ? meantRate(text) : undefined;
}

const LONGEST_PICTURE = 60;

function picture(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'a map';
  const text = JSON.stringify(value) ?? String(value);
  const short = text.length > LONGEST_PICTURE ? `${text.slice(0, LONGEST_PICTURE)}...` : text;
  return `${typeof value === 'string' ? 'the text ' : ''}${short}`;
}

/** The valid names in the map at that place, by the published schema. */
export function knownNames(schema: JsonSchema, place: DocumentPlace): readonly string[] {
  let parts = spread(schema, schema);
  for (const key of place) {
    parts = parts.flatMap((part) => {
      if (typeof key === 'number') {
        // A value that abbreviates a list of one has its description next to the list.
        const { items } = part;
        return typeof items === 'object' && !Array.isArray(items) ? spread(items as JsonSchema, schema) : [];
      }
      const named = part.properties?.[key];
      if (typeof named === 'object') return spread(named as JsonSchema, schema);
      const any = part.additionalProperties;
      return typeof any === 'object' ? spread(any as JsonSchema, schema) : [];
    });
  }
  const names = parts.flatMap((part) => {
    const { propertyNames } = part;
    const listed = typeof propertyNames === 'object' ? ((propertyNames as JsonSchema).enum ?? []) : [];
    return [...Object.keys(part.properties ?? {}), ...listed.map(String)];
  });
  return [...new Set(names)].filter((name) => name !== '$schema');
}

/** The schema and all its alternatives. */
function spread(part: JsonSchema, root: JsonSchema, depth = 0): readonly JsonSchema[] {
  if (depth > 8) return [];
  const { $ref } = part;
  const definitions = root['definitions'] as Readonly<Record<string, JsonSchema>> | undefined;
  const referred = $ref === undefined ? undefined : definitions?.[$ref.replace('#/definitions/', '')];
  const others = [...(part.anyOf ?? []), ...(part.oneOf ?? []), ...(part.allOf ?? [])];
  return [
    part,
    ...(referred === undefined ? [] : spread(referred, root, depth + 1)),
    ...others.flatMap((one) => (typeof one === 'object' ? spread(one as JsonSchema, root, depth + 1) : [])),
  ];
}

/** Where a misplaced word belongs, as far as it goes with its value: `command` in a step belongs below `call`. */
function rightPlaceOf(word: string, place: DocumentPlace, given: unknown): string | undefined {
  const [list, index, action, ...more] = place;
  if (list !== 'steps' || typeof index !== 'number' || more.length > 0) return undefined;
  // The reader of a flow map reads `at:3s` as one word.
  const [, name, value] = /^([a-z_-]+):(\S+)$/.exec(word) ?? [];
  if (name !== undefined) return `A space follows the colon: \`${name}: ${value}\`.`;
  if (action === 'call' && COMMAND_FOLDERS.has(word))
    return `A command is named so: \`call: { command: ${word} }\`.`;
  if (PLACE_WORDS.has(word) && action !== 'in') return `It belongs to a place: \`in: { ${word}: ... }\`.`;
  if (action !== undefined) return undefined;
  if (COMMAND_FOLDERS.has(word)) return `It is a command: \`call: { command: ${word} }\`.`;
  if (word === 'command' && typeof given === 'string') {
    const names = COMMAND_FOLDERS.has(given) ? [given] : nearestNames(given, [...COMMAND_FOLDERS.keys()]);
    if (names.length > 0)
      return `It belongs to a call: ${listed(names.map((name) => `\`call: { command: ${name} }\``))}.`;
  }
  if (Object.hasOwn(CALLS, word)) return `It belongs to a call: \`call: { ${word}: ... }\`.`;
  if (Object.hasOwn(WEATHER, word)) return `It is weather: \`weather: { ${word}: ... }\`.`;
  const part = Object.entries(BREAKS).find(([, words]) => Object.hasOwn(words, word))?.[0];
  if (part !== undefined) return `It is something that breaks: \`break: { ${part}: ${word} }\`.`;
  if (Object.hasOwn(BREAKS, word)) return `It is a part that breaks: \`break: { ${word}: ... }\`.`;
  if (Object.hasOwn(TRIGGERS, word) && word !== 'message')
    return `It is a trigger: \`when: { ${word}: ... }\`.`;
  if (word === 'every' || word === 'times')
    return `It belongs to a repetition: \`repeat: { ${word}: ... }\`.`;
  const act = typeof given === 'object' && given !== null ? Object.keys(given)[0] : given;
  if (typeof act === 'string' && isActName(act)) return `An act is a word of the step: \`${act}: ...\`.`;
  const isExpected = Object.values(EXPECTATIONS).some(({ settings: { shape } }) =>
    Object.hasOwn(shape, word),
  );
  if (isExpected) return `It is something to expect: \`expect: { ${word}: ... }\`.`;
  return undefined;
}
