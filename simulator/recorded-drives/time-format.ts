import { shownText } from '../routes/text.ts';
import { limits } from './limits.ts';
import { MONTH_NAME, type TimeParts, timeOfParts } from './time-text.ts';

/** The letters of a format, and their pattern. The longest first. */
const LETTERS: readonly (readonly [letters: string, pattern: string])[] = [
  ['YYYY', '(?<year>\\d{4})'],
  ['YY', '(?<year>\\d{2})'],
  ['MMM', MONTH_NAME],
  ['MM', '(?<month>\\d{1,2})'],
  ['M', '(?<month>\\d{1,2})'],
  ['DD', '(?<day>\\d{1,2})'],
  ['D', '(?<day>\\d{1,2})'],
  ['HH', '(?<hour>\\d{1,2})'],
  ['H', '(?<hour>\\d{1,2})'],
  ['hh', '(?<hour>\\d{1,2})'],
  ['h', '(?<hour>\\d{1,2})'],
  ['mm', '(?<minute>\\d{2})'],
  ['m', '(?<minute>\\d{1,2})'],
  ['ss', '(?<second>\\d{2})'],
  ['s', '(?<second>\\d{1,2})'],
  ['SSS', '(?<fraction>\\d{1,9})'],
  ['A', '(?<half>[ap])\\.?m\\.?'],
  ['Z', '(?<zone>[a-z]{1,5}(?:[+-]\\d{1,2}(?::?\\d{2})?)?|[+-]\\d{2}(?::?\\d{2})?)'],
];

/** The parts that a day needs, which belong together. */
const DAY = ['year', 'month', 'day'] as const;

/**
 * Reads times in a format such as `DD/MM/YYYY HH:mm:ss.SSS`, with `MMM` for the name of a month, `A` for AM or PM, and `Z`
 * for a zone. Undefined: it is no format, since a part is missing or there twice, or it has other letters.
 */
export function timeFormatOf(format: string): ((text: string) => number | undefined) | undefined {
  if (format.length > limits.formatCharacters || unknownLetters(format) !== undefined) return undefined;
  let pattern = '';
  for (let at = 0; at < format.length; ) {
    const rest = format.slice(at);
    const known = LETTERS.find(([letters]) => rest.startsWith(letters));
    const [letters, part] = known ?? [rest.charAt(0), literal(rest.charAt(0))];
    pattern += part;
    at += letters.length;
  }
  const names = [...pattern.matchAll(/\(\?<(\w+)>/g)].map(([, name = '']) => name);
  const dayParts = DAY.filter((name) => names.includes(name)).length;
  const isWhole = names.includes('hour') && names.includes('minute') && (dayParts === 0 || dayParts === 3);
  if (!isWhole || new Set(names).size !== names.length) return undefined;
  const compiled = new RegExp(`^${pattern}$`, 'i');
  return (text) => {
    const groups: TimeParts | undefined = compiled.exec(text.trim())?.groups;
    return groups === undefined ? undefined : timeOfParts(groups);
  };
}

function literal(character: string): string {
  return /\s/.test(character) ? '\\s' : character.replace(/[^\w\s]/, '\\$&');
}

/** The first letters in a format that are none of its parts, such as `SS` or `MMMM`; a T alone separates date and time. */
export function unknownLetters(format: string): string | undefined {
  return [...format.matchAll(/(\p{L})\1*/gu)]
    .map(([letters]) => letters)
    .find((run) => run !== 'T' && LETTERS.every(([letters]) => letters !== run));
}

/** The fault of a format. */
export function formatFault(format: string): string {
  const unknown = unknownLetters(format);
  if (unknown === undefined)
    return 'a format such as DD/MM/YYYY HH:mm:ss, which has hours and minutes, and all or nothing of a date';
  const known = LETTERS.map(([letters]) => letters).join(', ');
  return `a format without ${shownText(unknown)}: its letters are ${known}, and T`;
}
