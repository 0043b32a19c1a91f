import { StringDecoder } from 'node:string_decoder';
import { closeInput, openInput, readSome, unreadableText } from '../../../deployment/input/input-file.ts';
import { CommandError } from '../../../deployment/shared/command-error.ts';
import { limits } from '../../../deployment/shared/limits.ts';
import { readDocument } from '../../../scenarios/language/document/read.ts';
import { placeName } from '../../../scenarios/language/document/step-name.ts';
import { writeDocument } from '../../../scenarios/language/document/write.ts';
import { traceLimits } from '../../../scenarios/limits.ts';
import { type TracedRun, type TraceFault, TraceReader } from '../../../scenarios/trace/read.ts';
import { scenarioOfRun, wholeScenarioOf } from '../../../scenarios/trace/to-scenario.ts';
import { refuseSameFiles, tellWritten, writeText } from './scenario-output-files.ts';

export interface FromTraceOptions {
  readonly out?: string;
  /** Only connection losses and down times. Absent: all recorded steps, where the trace has them. */
  readonly connectivity?: boolean;
}

/** Creates a scenario from a trace; prints it, or writes it to a file. Throws a `CommandError`. */
export function scenarioFromTrace(file: string, { out, connectivity = false }: FromTraceOptions): void {
  if (out !== undefined) refuseSameFiles([out], [file]);
  const run = readTraceFile(file);
  const whole = connectivity ? undefined : wholeScenarioOf(run);
  const { document, leftOut, notTaken } =
    whole === undefined ? scenarioOfRun(run) : { document: whole, leftOut: 0, notTaken: [] };
  const checked = readDocument(document);
  if (!checked.ok) {
    const [fault] = checked.faults;
    throw new CommandError(
      `${file} gives no scenario: ${fault === undefined ? '' : `${placeName(fault.place)}: ${fault.message}`}`,
    );
  }
  const comments = notTaken.map((line) => `# ${line.replaceAll(/\s+/g, ' ')}\n`);
  const text = `${comments.join('')}${writeDocument(document)}`;
  if (out === undefined) process.stdout.write(text);
  else {
    writeText(out, text);
    tellWritten([out], false);
  }
  if (leftOut > 0) process.stderr.write(`${leftOut} shorter losses of connections found no room in it.\n`);
}

/** Reads a trace in pieces. Throws a `CommandError` with the line that is wrong. */
export function readTraceFile(file: string): TracedRun {
  const reader = new TraceReader();
  const lines = linesOf(file);
  for (let isRest = false; !isRest; ) {
    const { value, done } = lines.next();
    isRest = done === true;
    const fault = isRest ? reader.takeRest(value) : reader.take(value);
    if (fault !== undefined) {
      lines.return('');
      throw new CommandError(faultText(file, reader, fault));
    }
  }
  const read = reader.finish();
  if ('what' in read) throw new CommandError(faultText(file, reader, read));
  return read;
}

/** The mistake and the remedy: a trace is written by a run, and another file is none. */
function faultText(file: string, { hasHeader }: TraceReader, { line, what }: TraceFault): string {
  if (hasHeader)
    return `${file}:${line}: ${what}. Write it again: boxtwin scenario run SCENARIO --trace FILE.`;
  const scenario = /\.ya?ml$/i.test(file) ? file : 'SCENARIO';
  const isScenario = scenario === file ? ' It looks like a scenario.' : '';
  return `${file} is not a trace (line ${line}: ${what}).${isScenario} A trace is what a run writes: boxtwin scenario run ${scenario} --trace trace.ndjson.`;
}

/** Yields each line that ends with a line break, and returns what follows the last one. */
function* linesOf(file: string): Generator<string, string> {
  const handle = opened(file);
  try {
    const piece = Buffer.alloc(limits.traceBlockCharacters);
    const decoder = new StringDecoder('utf8');
    let rest = '';
    for (let count = readSome(handle, piece); count > 0; count = readSome(handle, piece)) {
      const lines = (rest + decoder.write(piece.subarray(0, count))).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
      if (rest.length > traceLimits.rowCharacters)
        throw new CommandError(
          `${file} has a line of more than ${traceLimits.rowCharacters} characters: it is not a trace, which is what boxtwin scenario run SCENARIO --trace FILE writes.`,
        );
    }
    rest += decoder.end();
    return rest;
  } finally {
    closeInput(handle);
  }
}

function opened(file: string): number {
  const opening = openInput('trace', file);
  if ('fault' in opening) throw new CommandError(unreadableText('trace', file, opening.fault));
  return opening.handle;
}
