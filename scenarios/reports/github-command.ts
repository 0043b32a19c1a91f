import type { Annotation } from './annotations.ts';

/**
 * The line by which GitHub Actions takes an annotation out of the output of a step, without a line break at its end:
 * `::error file=a.yaml,line=3,col=5,title=…::message`. What would end a property or the line is written with `%` and the
 * two hexadecimal digits of its byte, as workflow commands have it.
 */
export function githubCommand({ level, place, title, message }: Annotation): string {
  const where =
    place === undefined ? {} : { file: place.file, line: `${place.line}`, col: `${place.column}` };
  const properties = Object.entries({ ...where, title }).map(
    ([name, value]) => `${name}=${escaped(value, PROPERTY)}`,
  );
  return `::${level} ${properties.join(',')}::${escaped(message, DATA)}`;
}

/** Of the text behind the last colons, and of a value before them, where commas and colons stand between the values. */
const DATA = /[%\r\n]/g;
const PROPERTY = /[%\r\n:,]/g;

function escaped(text: string, what: RegExp): string {
  return text.replaceAll(what, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}
