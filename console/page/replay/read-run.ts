import { RunIndex } from './run-index.ts';
import { readRow } from './trace-row.ts';

/** A run that was read, and a notice about its file. */
export interface ReadRun {
  readonly run: RunIndex;
  /** Undefined: the file is whole. */
  readonly trouble: string | undefined;
}

/** After this number of characters the event loop gets a turn, and the progress is reported. */
const TURN_CHARACTERS = 4 * 1024 * 1024;

/**
 * Reads a trace as it arrives, so that a file of any size is read within bounded memory. A file that was cut, or that
 * has an invalid line, is shown up to there. Rejects with a sentence where it is no trace.
 */
export async function readRun(
  text: ReadableStream<Uint8Array>,
  progress: (bytes: number) => void,
): Promise<ReadRun> {
  const run = new RunIndex();
  const reader = text.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let line = 0;
  let bytes = 0;
  let sinceTurn = 0;
  let trouble: string | undefined;
  const take = (one: string): boolean => {
    line += 1;
    const row = readRow(one);
    if (typeof row === 'string') {
      if (line === 1 || run.scenario === '') throw new Error(`Line ${line}: ${row}.`);
      trouble = `Line ${line}: ${row}. Everything before it is shown.`;
      return false;
    }
    if (row === undefined) return true;
    if (line === 1 && row.kind !== 'header')
      throw new Error('Line 1: the first row of a trace is its header.');
    run.add(row);
    return true;
  };
  let isReading = true;
  while (isReading) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    sinceTurn += value.byteLength;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    isReading = lines.every((one) => one === '' || take(one));
    if (sinceTurn < TURN_CHARACTERS) continue;
    sinceTurn = 0;
    progress(bytes);
    await new Promise((resolve) => setTimeout(resolve));
  }
  if (isReading && rest !== '') take(rest);
  if (line === 0) throw new Error('The file is empty.');
  if (trouble === undefined && run.verdict === undefined)
    trouble = 'The last row is not the end: the run was ended, or the file was cut. What there is is shown.';
  progress(bytes);
  return { run, trouble };
}
