import { basename } from 'node:path';
import pc from 'picocolors';
import { inputBytes } from '../../../deployment/input/input-file.ts';
import { proposalText } from '../../../deployment/models/proposal/proposal-text.ts';
import { type Proposal, proposeModel } from '../../../deployment/models/proposal/propose-model.ts';
import { CommandError } from '../../../deployment/shared/command-error.ts';
import { limits } from '../../../deployment/shared/limits.ts';
import { counted } from '../../../judge/wording.ts';
import type { DbcDatabase, DbcProblem, DbcReading, DbcSignal } from '../../../protocol/dbc/database.ts';
import { decodeDbc, readDbc } from '../../../protocol/dbc/read-dbc.ts';
import { knownModel } from '../../../protocol/models/known-models.ts';
import { MAKER_MODELS } from '../../../protocol/models/maker-models.ts';
import { printable } from '../../shared/output.ts';
import { refuseSameFiles, writeText } from '../scenario/scenario-output-files.ts';

export interface ModelFromDbcOptions {
  readonly out?: string;
  readonly name?: string;
  readonly bus: '0' | '1';
  readonly json: boolean;
}

/** Proposes a model from a DBC file. Throws a `CommandError` where the file yields none. */
export function modelFromDbc(file: string, options: ModelFromDbcOptions): void {
  const { out, json } = options;
  if (out !== undefined) refuseSameFiles([out], [file]);
  const name = nameOf(file, options.name);
  const reading = readDbc(decodeDbc(inputBytes('dbc', file)));
  const { database } = reading;
  if (database.messages.length === 0)
    throw new CommandError(
      `${file} has no messages (BO_), so it is not a DBC file. Name a CAN database (*.dbc).`,
    );
  const proposal = proposeModel(database, name, options.bus === '1' ? 1 : 0);
  if (!json) for (const line of problemLines(file, reading)) process.stderr.write(`${printable(line)}\n`);
  if (proposal.matches.length === 0)
    throw new CommandError(
      `Of the ${counted(signalsOf(database).length, 'signal')} in ${file} none resembles a property of a vehicle. ${NEXT}`,
    );
  const text = proposalText(proposal, basename(file));
  if (out !== undefined) writeText(out, text);
  if (json)
    process.stdout.write(
      `${JSON.stringify({ file, ...figuresOf(database), ...proposalJson(proposal), problems: reading.problems, more_problems: reading.moreProblems, ...(out === undefined ? { text } : { out }) })}\n`,
    );
  else if (out === undefined) process.stdout.write(text);
  else process.stdout.write(printable(summaryText(file, out, database, proposal)));
}

const NEXT = 'docs/models-from-dbc.md says by what signals are matched, and how a model is written by hand.';

/** The file name as the name of a model: `SmallVan_v2.dbc` is small-van-v2. */
function nameOf(file: string, given: string | undefined): string {
  const made =
    given ??
    basename(file)
      .replace(/\.dbc$/i, '')
      .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^[^a-z]+|-$/g, '')
      .slice(0, limits.modelNameCharacters);
  if (!/^[a-z][a-z0-9-]*$/.test(made) || made.length > limits.modelNameCharacters)
    throw new CommandError(
      `${JSON.stringify(made)} is no name of a model: small letters, digits and -, beginning with a letter. Give one with --name.`,
    );
  if (knownModel(made) !== undefined || MAKER_MODELS.has(made))
    throw new CommandError(`There is a built-in model ${made}. Give another name with --name.`);
  return made;
}

function problemLines(file: string, { problems, moreProblems }: DbcReading): readonly string[] {
  const shown = problems.slice(0, limits.shownModelFaults);
  const more = problems.length + moreProblems - shown.length;
  return [
    ...shown.map(({ line, column, message }: DbcProblem) => `${file}:${line}:${column}: ${message}`),
    ...(more > 0 ? [`${file}: and ${more} more; --json has them`] : []),
  ];
}

function signalsOf({ messages }: DbcDatabase): readonly DbcSignal[] {
  return messages.flatMap(({ signals }) => signals);
}

/** The contents of the file, in numbers. */
function figuresOf(database: DbcDatabase) {
  const signals = signalsOf(database);
  return {
    messages: database.messages.length,
    signals: signals.length,
    multiplexed: signals.filter(({ multiplexing }) => multiplexing?.under !== undefined).length,
    signed: signals.filter(({ isSigned }) => isSigned).length,
    motorola: signals.filter(({ order }) => order === 'big').length,
    with_value_table: signals.filter(({ values }) => values.size > 0).length,
  };
}

function proposalJson({ model, matches, wires, unmatched, assumptions }: Proposal) {
  return {
    model: model.name,
    matches: matches.map(({ message, signal, row, reason }) => ({
      message: message.name,
      signal: signal.name,
      line: signal.line,
      quantity: row.quantity,
      feeds: row.feeds,
      reason,
    })),
    wires,
    assumptions,
    unmatched: unmatched.map(({ message, signal, reason }) => ({
      message: message.name,
      signal: signal.name,
      line: signal.line,
      reason,
      minimum: signal.minimum,
      maximum: signal.maximum,
      unit: signal.unit,
    })),
  };
}

function summaryText(file: string, out: string, database: DbcDatabase, proposal: Proposal): string {
  const { matches, wires, unmatched } = proposal;
  const figures = figuresOf(database);
  const width = Math.max(
    ...matches.map(({ row }) => row.quantity.length),
    ...wires.map((one) => one.quantity.length),
  );
  const line = (quantity: string, text: string) => `  ${quantity.padEnd(width)}  ${text}`;
  return [
    `${file}: ${counted(figures.messages, 'message')}, ${counted(figures.signals, 'signal')}, ${figures.multiplexed} of them multiplexed, ${figures.signed} signed, ${figures.motorola} Motorola, ${figures.with_value_table} with a value table`,
    '',
    `${pc.bold('in the model')}, ${matches.length}`,
    ...matches.map(({ message, signal, row, reason }) =>
      line(row.quantity, `${message.name}.${signal.name}  ${pc.dim(reason)}`),
    ),
    ...wires.map(({ quantity, reason }) => line(quantity, pc.dim(reason))),
    '',
    `${pc.bold('not in it')}, ${unmatched.length}: listed in the file, with the reason of each`,
    '',
    `${out} is written. Look through it, and then:`,
    `  npx boxtwin model check ${out}`,
    `  npx boxtwin up --models ${out}`,
    '',
  ].join('\n');
}
