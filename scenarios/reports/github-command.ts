import type { Annotation } from './annotations.ts';

/**
 * The workflow command for an annotation in the output of a GitHub Actions step, without a line break at its end:
 * `::error file=a.yaml,line=3,col=5,title=…::message`. Characters that would end a property or the line are escaped
 * as `%` and the two hexadecimal digits of their byte, as workflow commands require.
 */
export function githubCommand({ level, place, title, message }: Annotation): string {
  const where =
    place === undefined ? {} : { file: place.file, line: `${place.line}`, col: `${place.column}` };
  const properties = Object.entries({ ...where, title }).map(
    ([name, value]) => `${name}=${escaped(value, PROPERTY)}`,
  );
  return `::${level} ${properties.join(',')}::${escaped(message, DATA)}`;
}

/** Of the text after the last colons, and of a value before them, where commas and colons separate the values. */
const DATA = /[%\r\n]/g;
const PROPERTY = /[%\r\n:,]/g;

function escaped(text: string, what: RegExp): string {
  return text.replaceAll(what, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}
