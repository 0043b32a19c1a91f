import { listed } from '../../../judge/wording.ts';
import { hintFor, nearestHint } from '../document/nearest.ts';
import type { Lacking, Possible } from './possible.ts';

/** Above this number the words are counted, not listed. */
const MOST_LISTED = 12;
/** Above this number the names of a map are omitted: for an unknown name the hint has them. */
const MOST_NAMES = 6;
const LONGEST_SHOWN = 60;

/** Why another value is impossible: `it is true or false`, `it is LOCKED or UNLOCKED`, `no petrol-compact has it`. */
export function reasonText(possible: readonly Possible[]): string {
  const lacking = lackingOf(possible);
  if (lacking === undefined) return `it is ${listed([...new Set(possible.flatMap(partsOf))])}`;
  const [only, ...more] = lacking.models;
  if (more.length === 0) return `no ${only ?? 'vehicle'} has it`;
  return `no vehicle of this fleet has it (${lacking.models.join(', ')})`;
}

/** What no vehicle has; undefined: a value is possible. */
function lackingOf(possible: readonly Possible[]): Lacking | undefined {
  const [first, ...more] = possible;
  return first?.kind === 'nothing' && more.length === 0 ? first.lacking : undefined;
}

function partsOf(one: Possible): readonly string[] {
  switch (one.kind) {
    case 'boolean':
      return one.values === undefined ? ['true or false'] : one.values.map(String);
    case 'number':
      if (one.values !== undefined) return one.values.map(String);
      return [`a ${one.range.isWhole ? 'whole ' : ''}number${rangeText(one.range)}`];
    case 'text':
      if (one.called !== undefined) return [one.called];
      if (one.values === undefined) return [one.form === undefined ? 'a text' : `a text as ${one.form}`];
      return one.values.length > MOST_LISTED
        ? [`one of ${one.values.length} words`]
        : one.values.map((value) => (value === '' ? '""' : String(value)));
    case 'list':
      return ['a list'];
    case 'map':
      return [one.parts === undefined ? 'a map' : `a map of ${shortList(Object.keys(one.parts))}`];
    default:
      return [one.kind];
  }
}

function rangeText({ least, most, isBelow }: Extract<Possible, { kind: 'number' }>['range']): string {
  const isLow = Math.abs(least) < Number.MAX_SAFE_INTEGER;
  const isHigh = Math.abs(most) < Number.MAX_SAFE_INTEGER;
  if (isLow && isHigh) return isBelow ? ` from ${least} to below ${most}` : ` from ${least} to ${most}`;
  if (isLow) return ` from ${least} on`;
  return isHigh ? ` of ${most} at most` : '';
}

function shortList(names: readonly string[]): string {
  if (names.length <= MOST_NAMES) return listed(names, 'and');
  return `${names.slice(0, MOST_NAMES).join(', ')} and ${names.length - MOST_NAMES} more`;
}

/** A value as a sentence shows it. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text;
}

/** A suggestion in place of an impossible value: `Did you mean UNLOCKED?` */
export function meantInstead(value: unknown, possible: readonly Possible[]): string | undefined {
  const { others = [] } = lackingOf(possible) ?? {};
  if (others.length > 0) return `Models that have it: ${others.join(', ')}.`;
  const has = (kind: Possible['kind']) => possible.some((one) => one.kind === kind);
  if (typeof value !== 'string') {
    const isPlain = typeof value === 'number' || typeof value === 'boolean';
    const isText = has('text') && possible.every(({ kind }) => kind === 'text' || kind === 'nothing');
    return isPlain && isText ? 'Write it in quotes.' : undefined;
  }
  const words = wordsOf(possible);
  const isCalled = possible.some((one) => one.kind === 'text' && one.called !== undefined);
  const near = words.length > MOST_LISTED && !isCalled ? hintFor(value, words) : nearestHint(value, words);
  if (near !== undefined) return near;
  if (has('number') && value.trim() !== '' && Number.isFinite(Number(value)))
    return `Did you mean ${Number(value)}, without quotes?`;
  if (!has('boolean')) return undefined;
  if (/^(true|yes|on)$/i.test(value)) return 'Did you mean true?';
  return /^(false|no|off)$/i.test(value) ? 'Did you mean false?' : undefined;
}

/** The words of an enumeration; none where any text is possible. */
function wordsOf(possible: readonly Possible[]): readonly string[] {
  return possible.flatMap((one) => (one.kind === 'text' ? (one.values ?? []).map(String) : []));
}
