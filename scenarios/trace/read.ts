import { type LineHash, lineHash } from '../../world/trace/virtual-trace.ts';
import { Connectivity } from './connectivity.ts';
import { eventLine, hashedLine } from './row-of.ts';
import { type RowOf, type TraceRow, traceRow } from './rows.ts';

/** The content of a whole trace. */
export interface TracedRun {
  readonly header: RowOf<'header'>;
  readonly beginMs: number;
  readonly endMs: number;
  readonly connectivity: Connectivity;
  /** When each step began, by its place in the scenario, from 0. */
  readonly stepsBeganMs: ReadonlyMap<number, number>;
}

/** What is wrong with a trace, and in which line, from 1. */
export interface TraceFault {
  readonly line: number;
  readonly what: string;
}

/** Reads a trace line by line, in memory proportional to its spans, not to its length. */
export class TraceReader {
  readonly #connectivity = new Connectivity();
  readonly #hash: LineHash = lineHash();
  /** Of all lines with all texts: traces written until November 2026 have this one. */
  readonly #hashOfAll: LineHash = lineHash();
  readonly #stepsBeganMs = new Map<number, number>();
  #line = 0;
  #header: RowOf<'header'> | undefined;
  #beginMs: number | undefined;
  #end: RowOf<'end'> | undefined;

  /** Whether it begins like a trace: otherwise it is another file. */
  get hasHeader(): boolean {
    return this.#header !== undefined;
  }

  /** One line, without its line break. Total: for any text, a fault or nothing. */
  take(text: string): TraceFault | undefined {
    this.#line += 1;
    const row = rowOf(text);
    const what = typeof row === 'string' ? row : this.#add(row);
    return what === undefined ? undefined : { line: this.#line, what };
  }

  /** The text after the last line break: every row is written with one, but an editor may have removed it. */
  takeRest(text: string): TraceFault | undefined {
    if (text === '') return undefined;
    const fault = this.take(text);
    if (fault === undefined || this.#header === undefined || isJson(text)) return fault;
    const what = `the file ends in the middle of line ${fault.line}, as that of a run does that was killed`;
    return { ...fault, what };
  }

  /** After the last line. */
  finish(): TracedRun | TraceFault {
    const line = Math.max(this.#line, 1);
    if (this.#header === undefined) return { line, what: 'there is no row in it' };
    if (this.#end === undefined)
      return { line, what: 'the last row is not `end`: the run was ended, or the file was cut' };
    if (this.#beginMs === undefined) return { line, what: 'there is no row `begin`: the run never began' };
    return {
      header: this.#header,
      beginMs: this.#beginMs,
      endMs: this.#end.at_ms,
      connectivity: this.#connectivity,
      stepsBeganMs: this.#stepsBeganMs,
    };
  }

  #add(row: TraceRow): string | undefined {
    if (this.#header === undefined) {
      if (row.kind !== 'header') return 'the first row has to be the `header`';
      this.#header = row;
      return undefined;
    }
    if (this.#end !== undefined) return 'no row may follow the row `end`';
    if (row.kind === 'header') return 'there is one `header` already';
    if (row.kind === 'end') return this.#finished(row);
    if (row.kind === 'event') this.#addEvent(row);
    else if (row.kind === 'begin') this.#beginMs = row.at_ms;
    else if (row.kind === 'step' && row.phase === 'begins') this.#stepsBeganMs.set(row.step, row.at_ms);
    else this.#connectivity.take(row);
    return this.#connectivity.isFull ? 'there are too many losses of connections for a scenario' : undefined;
  }

  #addEvent(row: RowOf<'event'>): void {
    this.#hashOfAll.add(eventLine(row));
    const hashed = hashedLine(row);
    if (hashed !== undefined) this.#hash.add(hashed);
  }

  #finished(row: RowOf<'end'>): string | undefined {
    const before = this.#line - 1;
    if (row.rows !== before) return `${row.rows} rows should precede it, and there are ${before}`;
    if (row.hash !== undefined && row.hash !== this.#hash.hex() && row.hash !== this.#hashOfAll.hex())
      return 'the hash is not that of the events in the file: something in it was changed';
    this.#end = row;
    this.#connectivity.end(row.at_ms);
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A row, or what is wrong with the text. */
function rowOf(text: string): TraceRow | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'this is not JSON';
  }
  const read = traceRow.safeParse(value);
  if (read.success) return read.data;
  const [{ path, message } = { path: [], message: '' }] = read.error.issues;
  return `${path.length === 0 ? 'this is not a row of a trace' : `\`${path.join('.')}\` is not right`}: ${message}`;
}
