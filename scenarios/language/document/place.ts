import { languageLimits } from '../../limits.ts';
import type { DocumentPlace } from '../vary/vary.ts';

/** One part of a path: `.for`, `["smoke-detection"]`, `[1]`, `[darkness]`. */
const PART = /^(?:\.?([A-Za-z_$][\w-]*)|\[(\d{1,6})\]|\[([A-Za-z_][\w-]*)\]|\["((?:[^"\\]|\\["\\])*)"\])/;

export type PlaceResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: string };

/**
 * The place in a document that a path names: `steps[1].for`, or `steps[darkness].for` by a step's label and
 * `fleet[cars].count` by a group's `as`. Where there is no such place, `why` names what there is.
 */
export function findPlace(document: unknown, path: string): PlaceResult<DocumentPlace> {
  if (path.length > languageLimits.pathCharacters) return { ok: false, why: 'The path is too long.' };
  const place: (string | number)[] = [];
  let rest = path;
  let value = document;
  let done = '';
  while (rest !== '') {
    const match = PART.exec(rest);
    if (match === null || (done === '' && rest.startsWith('.'))) {
      return { ok: false, why: `After "${done}" a path goes on with .name or [number], as in steps[1].for.` };
    }
    const [text, word, digits, label, quoted] = match;
    const key = keyIn(value, word ?? quoted?.replaceAll(/\\(.)/g, '$1'), digits, label);
    if (key === undefined) return { ok: false, why: whatThereIs(value, done, text) };
    place.push(key);
    value = (value as Readonly<Record<string | number, unknown>>)[key];
    done += text;
    rest = rest.slice(text.length);
  }
  return place.length === 0 ? { ok: false, why: 'The path is empty.' } : { ok: true, value: place };
}

function keyIn(
  value: unknown,
  word: string | undefined,
  digits: string | undefined,
  label: string | undefined,
): string | number | undefined {
  if (Array.isArray(value)) {
    if (digits !== undefined) return Number(digits) < value.length ? Number(digits) : undefined;
    const index = value.findIndex((item) => label !== undefined && nameOf(item) === label);
    return index < 0 ? undefined : index;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const key = word ?? label;
  return key !== undefined && Object.hasOwn(value, key) ? key : undefined;
}

function nameOf(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return undefined;
  const { label, as, name } = item as Readonly<Record<string, unknown>>;
  return label ?? as ?? name;
}

function whatThereIs(value: unknown, done: string, text: string): string {
  const where = done === '' ? 'The scenario' : done;
  const what = text.replace(/^\./, '');
  if (Array.isArray(value)) {
    const names = value.map(nameOf).filter((one) => typeof one === 'string');
    const named = names.length === 0 ? '' : `, and by name ${names.join(', ')}`;
    return `${where} has no ${what}: there are [0] to [${value.length - 1}]${named}.`;
  }
  if (typeof value === 'object' && value !== null) {
    return `${where} has no ${what}: there are ${Object.keys(value).join(', ')}.`;
  }
  return `${where} has no ${what}: it is ${JSON.stringify(value)}.`;
}

/** The value at a place; undefined where there is none. */
export function valueAt(document: unknown, place: DocumentPlace): unknown {
  let value = document;
  for (const key of place) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[key];
  }
  return value;
}

/** The document with another value at that place, otherwise unchanged. */
export function withValueAt(document: unknown, place: DocumentPlace, value: unknown): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return value;
  if (Array.isArray(document)) {
    return document.map((item, index) => (index === key ? withValueAt(item, rest, value) : item));
  }
  if (typeof document !== 'object' || document === null) return document;
  const changed = Object.entries(document).map(([name, one]) => [
    name,
    name === key ? withValueAt(one, rest, value) : one,
  ]);
  return Object.fromEntries(changed);
}

/** `steps[1].for`, as people write it. */
export function printPlace(place: DocumentPlace): string {
  return place
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      if (!/^[A-Za-z_$][\w-]*$/.test(key)) return `[${JSON.stringify(key)}]`;
      return index === 0 ? key : `.${key}`;
    })
    .join('');
}
