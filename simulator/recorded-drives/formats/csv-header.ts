import { parse } from 'csv-parse/sync';
import { findColumns } from '../column-names.ts';
import type { DriveMapping } from '../columns.ts';
import { limits } from '../limits.ts';
import { signalColumnsOf } from './signal-log.ts';

/** The line of a table that names its columns. */
export interface CsvHeader {
  /** In the text, where that line begins. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  readonly delimiter: string;
}

const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The line that states the delimiter for spreadsheets. */
const SEPARATOR_LINE = /^"?sep=(.)"?\s*$/i;

/**
 * The first line in which a time and a place are named, or the columns of a mapping; where there is none, the first
 * one. The delimiter is the one with which these are found, or else the most frequent one.
 */
export function csvHeaderOf(text: string, mapping: DriveMapping): CsvHeader {
  let first: CsvHeader | undefined;
  for (const { line, offset, content } of linesOf(text)) {
    if (content.trim() === '' || SEPARATOR_LINE.test(content)) continue;
    const byCount = [...DELIMITERS].sort(
      (one, other) => content.split(other).length - content.split(one).length,
    );
    first ??= { offset, line, delimiter: byCount[0] ?? ',' };
    const delimiter = byCount.find((one) => isHeader(cellsOf(content, one), mapping));
    if (delimiter !== undefined) return { offset, line, delimiter };
  }
  return first ?? { offset: 0, line: 1, delimiter: ',' };
}

function isHeader(cells: readonly string[], mapping: DriveMapping): boolean {
  if (cells.length < 3) return false;
  const { columns, missing } = findColumns(cells, mapping);
  if (missing.length > 0) return false;
  const has = (what: string) => columns.some((column) => column.what === what);
  const hasMoments = has('time') && has('latitude') && has('longitude');
  return hasMoments || (Object.keys(mapping).length === 0 && signalColumnsOf(cells) !== undefined);
}

function cellsOf(line: string, delimiter: string): readonly string[] {
  try {
    const [cells = []] = parse(line, { delimiter, trim: true, relax_quotes: true }) as string[][];
    return cells;
  } catch {
    return [];
  }
}

function* linesOf(text: string): Generator<{ line: number; offset: number; content: string }> {
  let offset = 0;
  for (let line = 1; line <= limits.headerLines && offset < text.length; line += 1) {
    const end = text.indexOf('\n', offset);
    const next = end < 0 ? text.length : end;
    yield { line, offset, content: text.slice(offset, Math.min(next, offset + limits.lineCharacters)) };
    offset = next + 1;
  }
}
