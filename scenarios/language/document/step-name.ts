import type { DocumentPlace } from '../vary/vary.ts';
import { printPlace } from './place.ts';

/** The line of a step in the file that it was read from, from 1; undefined: it was not read from a text. */
export type LineOfStep = (index: number) => number | undefined;

/**
 * A step as every text names it: `step 2 (line 8)`, `step 2 "darkness" (line 8)` with its label, `step 2` where its line
 * is unknown. `index` is from 0, and the number in the text from 1.
 */
export function stepName(
  index: number,
  { label, line }: { readonly label?: string | undefined; readonly line?: number | undefined } = {},
): string {
  const labelText = label === undefined ? '' : ` "${label}"`;
  return `step ${index + 1}${labelText}${line === undefined ? '' : ` (line ${line})`}`;
}

/** A place of a scenario in a sentence: `step 2 (line 8) weather.coverage`, `step 2 expect 1 status`, `fleet[0].count`. */
export function placeName(place: DocumentPlace, lineOf: LineOfStep = () => undefined): string {
  const [list, index, ...rest] = place;
  if (list !== 'steps' || typeof index !== 'number') return printPlace(place);
  const [word, position, ...within] = rest;
  const isExpectation = (word === 'expect' || word === 'never') && typeof position === 'number';
  const parts = isExpectation ? [`${word} ${position + 1}`, printPlace(within)] : [printPlace(rest)];
  return [stepName(index, { line: lineOf(index) }), ...parts].filter((text) => text !== '').join(' ');
}
