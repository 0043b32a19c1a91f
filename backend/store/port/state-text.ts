import { jsonName, jsonText } from '../../base/json-text.ts';
import type { StateProperty, VehicleState } from './stored-vehicle.ts';

/** The current values of one record: its time and place in the journal, and the values by name. */
type RecordValues = readonly [
  timestampMs: number,
  epoch: number,
  sequence: number,
  values: Record<string, unknown>,
];

/**
 * The column text of a vehicle's state: a list with one entry for each record that has current values. It is
 * written with each record, and nearly all of a state comes from one.
 */
export function writeState(state: VehicleState): string {
  let text = '';
  let last: StateProperty | undefined;
  for (const name of Object.keys(state)) {
    const property = state[name];
    if (property === undefined) continue;
    if (last !== undefined && isOfSame(property, last)) text += jsonName(name);
    else {
      const { timestampMs, epoch, sequence } = property;
      text += `${last === undefined ? '[[' : '}],['}${timestampMs},${epoch},${sequence},{${jsonName(name).slice(1)}`;
      last = property;
    }
    text += property.json ?? jsonText(property.value);
  }
  return last === undefined ? '[]' : `${text}}]]`;
}

function isOfSame(one: StateProperty, other: StateProperty): boolean {
  return (
    one.sequence === other.sequence && one.epoch === other.epoch && one.timestampMs === other.timestampMs
  );
}

/**
 * Reads such a text, or one from before version 17, which had all properties by name; `{}` is empty in both.
 */
export function readState(text: string): VehicleState {
  const read = JSON.parse(text) as readonly RecordValues[] | VehicleState;
  if (!isList(read)) return read;
  const state: Record<string, StateProperty> = {};
  for (const [timestampMs, epoch, sequence, values] of read) {
    for (const name of Object.keys(values))
      state[name] = { timestampMs, value: values[name], epoch, sequence };
  }
  return state;
}

function isList(read: readonly RecordValues[] | VehicleState): read is readonly RecordValues[] {
  return Array.isArray(read);
}

/** Takes one value of a stored state: its name, its time and its JSON. */
export type TakeStoredValue = (name: string, timestampMs: number, json: string) => void;

/**
 * Passes on each value of a text that `writeState` has written, in its order. Nothing is parsed: the JSON of a value is a
 * part of the text. False: the text has another form, and nothing that was taken counts.
 */
export function takeStoredValues(text: string, take: TakeStoredValue): boolean {
  let at = 0;
  while (text.startsWith(at === 0 ? '[[' : ',[', at)) {
    const timestampMs = Number(text.slice(at + 2, text.indexOf(',', at + 2)));
    at = text.indexOf('{', at) + 1;
    while (text.charCodeAt(at) === QUOTE) {
      const nameEnd = text.indexOf(COLON, at);
      const from = nameEnd + COLON.length;
      const end = nameEnd < 0 ? -1 : endOfValue(text, from);
      if (end < 0) return false;
      take(text.slice(at + 1, nameEnd), timestampMs, text.slice(from, end));
      at = text.charCodeAt(end) === COMMA ? end + 1 : end;
    }
    if (!text.startsWith('}]', at)) return false;
    at += 2;
  }
  return at > 0 && at === text.length - 1 && text.charCodeAt(at) === CLOSING_BRACKET;
}

/** What is between the name of a value and the value. */
const COLON = '":';
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** Where the value that begins at `from` ends; -1: it does not. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfString(text, at);
      if (at < 0) return -1;
      continue;
    }
    if (depth === 0 && (unit === COMMA || unit === CLOSING_BRACE)) return at;
    if (unit === OPENING_BRACE || unit === OPENING_BRACKET) depth += 1;
    else if (unit === CLOSING_BRACE || unit === CLOSING_BRACKET) depth -= 1;
    at += 1;
  }
  return -1;
}

/** Where the string that begins at `from` with its quotation mark ends; -1: it does not. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((at - before) % 2 === 1) return at + 1;
  }
  return -1;
}
