import { dbcLimits } from '../limits.ts';
import { isInFrame } from '../models/occupied-bits.ts';
import type { DbcMultiplexing } from './database.ts';
import type { DatabaseDraft, MessageDraft, SignalDraft } from './drafts.ts';
import { StatementFault, type StatementReader } from './statement-reader.ts';
import type { DbcToken } from './tokens.ts';

/** The reader and the target of a statement. `message`: the one whose signals follow, or that it was refused. */
export interface StatementContext {
  readonly reader: StatementReader;
  readonly draft: DatabaseDraft;
  message: MessageDraft | 'refused' | undefined;
}

/** Reads one statement behind its keyword. Throws a `StatementFault` where it is not as the format has it. */
export type Statement = (context: StatementContext, line: number) => void;

/** The bit that marks an identifier of 29 bits, and the name under which Vector's tools keep signals without a message. */
const EXTENDED = 0x8000_0000;
const NO_MESSAGE = 'VECTOR__INDEPENDENT_SIG_MSG';
const HIGHEST_ID = 0xffff_ffff;

/** `BO_ 500 Speed: 8 ECU` */
const message: Statement = (context, line) => {
  const { reader, draft } = context;
  context.message = 'refused';
  const at = reader.peek();
  const written = reader.whole('the number of a message', HIGHEST_ID);
  const name = reader.word('the name of a message');
  reader.mark(':', `message ${name}`);
  const bytesAt = reader.peek();
  const bytes = reader.whole(`the length of message ${name}`, HIGHEST_ID);
  const transmitter = reader.peek().kind === 'word' && !reader.peek().isFirst ? reader.take().text : '';
  // Its signals belong to no frame, and so to no model.
  if (name === NO_MESSAGE) return;
  const isMarked = written >= EXTENDED;
  const id = isMarked ? written - EXTENDED : written;
  const isExtended = isMarked || id > 0x7ff;
  if (id > 0x1fff_ffff)
    throw new StatementFault(at, `message ${name}: ${written} is no identifier of 11 bits, nor of 29 bits.`);
  if (bytes > dbcLimits.messageBytes)
    throw new StatementFault(bytesAt, `message ${name}: ${bytes} bytes are more than a frame can have.`);
  if (draft.messages.has(written))
    throw new StatementFault(at, `message ${name}: there is already a message ${written}.`);
  if (draft.messages.size >= dbcLimits.messages)
    throw new StatementFault(at, `message ${name}: there are more than ${dbcLimits.messages} messages.`);
  context.message = { name, id, isExtended, bytes, transmitter, comment: '', line, signals: new Map() };
  draft.messages.set(written, context.message);
  if (isExtended && !isMarked)
    reader.report(
      at,
      `Message ${name}: ${id} has more than 11 bits and is not marked, and is taken as one of 29 bits.`,
    );
};

/** `SG_ Speed m1 : 7|16@0- (0.01,-40) [0|250] "km/h" ECU,Other` */
const signal: Statement = ({ reader, draft, message: around }, line) => {
  const at = reader.peek();
  const name = reader.word('the name of a signal');
  const where = `signal ${name}`;
  const multiplexing = multiplexingOf(reader, where);
  reader.mark(':', where);
  const startAt = reader.peek();
  const startBit = reader.whole(`the start bit of ${where}`, 8 * dbcLimits.messageBytes - 1);
  reader.mark('|', where);
  const bitsAt = reader.peek();
  const bits = reader.whole(`the length of ${where}`, HIGHEST_ID);
  if (bits < 1 || bits > dbcLimits.signalBits)
    throw new StatementFault(bitsAt, `${where} has ${bits} bits; 1 to ${dbcLimits.signalBits} are possible.`);
  reader.mark('@', where);
  const order = reader.whole(`the byte order of ${where}`, 1) === 1 ? 'little' : 'big';
  const isSigned = reader.takes('-');
  if (!isSigned) reader.mark('+', where);
  reader.mark('(', where);
  const factorAt = reader.peek();
  const factor = reader.number(`the factor of ${where}`);
  reader.mark(',', where);
  const offset = reader.number(`the offset of ${where}`);
  reader.mark(')', where);
  if (factor === 0 || !Number.isFinite(factor) || !Number.isFinite(offset))
    throw new StatementFault(factorAt, `${where}: a factor is finite and not 0, and an offset is finite.`);
  reader.mark('[', where);
  const minimum = reader.number(`the minimum of ${where}`);
  reader.mark('|', where);
  const maximum = reader.number(`the maximum of ${where}`);
  reader.mark(']', where);
  const unit = reader.text(`the unit of ${where}`);
  while (!reader.peek().isFirst && (reader.peek().kind === 'word' || reader.peek().text === ','))
    reader.take();
  // The problem of its message has been reported.
  if (around === 'refused') return;
  if (around === undefined) throw new StatementFault(at, `${where} comes before any message.`);
  if (draft.signalCount >= dbcLimits.signals)
    throw new StatementFault(at, `${where}: there are more than ${dbcLimits.signals} signals.`);
  if (around.signals.has(name))
    throw new StatementFault(at, `message ${around.name} already has a ${where}.`);
  if (!isInFrame({ startBit, bits, order }, around.bytes))
    reader.report(startAt, `S${where.slice(1)} extends beyond the ${around.bytes} bytes of ${around.name}.`);
  const found: SignalDraft = {
    name,
    startBit,
    bits,
    order,
    isSigned,
    isFloat: false,
    factor,
    offset,
    minimum,
    maximum,
    unit,
    comment: '',
    values: new Map(),
    line,
    ...(multiplexing === undefined ? {} : { multiplexing }),
  };
  draft.signalCount += 1;
  around.signals.set(name, found);
};

/** `M`, `m3`, `m3M`; a bare `m` where another statement says under which numbers. */
function multiplexingOf(reader: StatementReader, where: string): DbcMultiplexing | undefined {
  const token = reader.peek();
  if (token.kind !== 'word') return undefined;
  const match = /^(?:M|m(\d*)(M?))$/.exec(token.text);
  if (match === null)
    throw new StatementFault(token, `${where}: ${token.text} is no multiplexing; it would be M, m0 or m0M.`);
  reader.take();
  if (token.text === 'M') return { selects: true };
  const [, under = '', selects = ''] = match;
  return {
    selects: selects !== '',
    under: under === '' ? [] : [[Number(under), Number(under)]],
  };
}

/** `CM_ SG_ 500 Speed "Of the wheels.";` */
const comment: Statement = ({ reader, draft }) => {
  const of = reader.peek().kind === 'word' ? reader.take().text : '';
  if (of === 'BO_') {
    const found = draft.messages.get(reader.whole('the number of a message', HIGHEST_ID));
    const text = reader.text('a comment');
    if (found !== undefined) found.comment = text;
  } else if (of === 'SG_') {
    const id = reader.whole('the number of a message', HIGHEST_ID);
    const found = draft.signalOf(id, reader.word('the name of a signal'));
    const text = reader.text('a comment');
    if (found !== undefined) found.comment = text;
  } else {
    if (of !== '') reader.word('a name');
    reader.text('a comment');
  }
  reader.mark(';', 'a comment');
};

/** `VAL_ 500 Gear 0 "P" 1 "R" ;`; of an environment variable it has no number. */
const values: Statement = ({ reader, draft }) => {
  const isOfSignal = reader.peek().kind === 'number';
  const id = isOfSignal ? reader.whole('the number of a message', HIGHEST_ID) : 0;
  const at = reader.peek();
  const name = reader.word('the name of a signal');
  const found = isOfSignal ? draft.signalOf(id, name) : undefined;
  const table = valueTable(reader, `the values of ${name}`);
  if (found !== undefined) found.values = table;
  else if (isOfSignal && draft.messages.has(id))
    reader.report(at, `Message ${id} has no signal ${name} that these values could be of.`);
};

/** `VAL_TABLE_ Gears 0 "P" 1 "R" ;`: a table that no signal has yet. */
const namedTable: Statement = ({ reader }) => {
  valueTable(reader, `the table ${reader.word('the name of a table')}`);
};

function valueTable(reader: StatementReader, where: string): Map<number, string> {
  const table = new Map<number, string>();
  while (!reader.takes(';')) {
    const at = reader.peek();
    const raw = reader.number(`a number of ${where}`);
    const label = reader.text(`a label of ${where}`);
    if (table.size >= dbcLimits.valuesOfSignal)
      throw new StatementFault(at, `${where}: there are more than ${dbcLimits.valuesOfSignal}.`);
    table.set(raw, label);
  }
  return table;
}

/** `SIG_VALTYPE_ 500 Speed : 1;`: 1 and 2 are floating-point numbers. */
const valueType: Statement = ({ reader, draft }) => {
  const id = reader.whole('the number of a message', HIGHEST_ID);
  const found = draft.signalOf(id, reader.word('the name of a signal'));
  reader.takes(':');
  const type = reader.whole('a type of values', 3);
  reader.mark(';', 'a type of values');
  if (found !== undefined) found.isFloat = type === 1 || type === 2;
};

/** `SG_MUL_VAL_ 500 Speed Selector 1-1, 4-7;` */
const multiplexingRanges: Statement = ({ reader, draft }) => {
  const id = reader.whole('the number of a message', HIGHEST_ID);
  const name = reader.word('the name of a signal');
  const found = draft.signalOf(id, name);
  reader.word('the name of a selector');
  const under: (readonly [number, number])[] = [];
  do {
    const from = reader.whole(`a number under which ${name} is`, HIGHEST_ID);
    reader.mark('-', `the numbers under which ${name} is`);
    const to = reader.whole(`a number under which ${name} is`, HIGHEST_ID);
    if (under.length < dbcLimits.valuesOfSignal) under.push([from, to]);
  } while (reader.takes(','));
  reader.mark(';', `the numbers under which ${name} is`);
  if (found !== undefined) found.multiplexing = { selects: found.multiplexing?.selects ?? false, under };
};

const nodes: Statement = ({ reader, draft }) => {
  reader.mark(':', 'the control units');
  const names: string[] = [];
  while (reader.peek().kind === 'word' && !reader.peek().isFirst) names.push(reader.take().text);
  draft.nodes = names;
};

const version: Statement = ({ reader, draft }) => {
  draft.version = reader.text('the version');
};

/** `NS_ :` and the names of statements below it, one a line. */
const newSymbols: Statement = ({ reader }) => {
  reader.takes(':');
  while (reader.peek().kind === 'word' && !NEVER_LISTED.has(reader.peek().text)) reader.take();
};

/** What follows the list of names, and never occurs in it. */
const NEVER_LISTED: ReadonlySet<string> = new Set(['VERSION', 'NS_', 'BS_', 'BU_', 'BO_', 'SG_']);

/** `BA_ "SystemSignalLongSymbol" SG_ 500 Spd_0001 "Speed_of_the_vehicle";` No other attribute matters to a model. */
const attribute: Statement = (context, line) => {
  const { reader, draft } = context;
  const name = reader.text('the name of an attribute');
  if (name === 'SystemSignalLongSymbol' && reader.peek().text === 'SG_') {
    reader.take();
    const id = reader.whole('the number of a message', HIGHEST_ID);
    const found = draft.signalOf(id, reader.word('the name of a signal'));
    const longName = reader.text('the long name of a signal');
    if (found !== undefined && longName !== '') found.longName = longName;
  } else if (name === 'SystemMessageLongSymbol' && reader.peek().text === 'BO_') {
    reader.take();
    const found = draft.messages.get(reader.whole('the number of a message', HIGHEST_ID));
    const longName = reader.text('the long name of a message');
    if (found !== undefined && longName !== '') found.longName = longName;
  }
  skipped(context, line);
};

/** A statement that does not matter to a model. It ends with a semicolon, except `BS_`. */
const skipped: Statement = ({ reader }) => reader.skipStatement(beginsStatement);

/** Each statement of the format by its keyword. */
export const STATEMENTS: Readonly<Record<string, Statement>> = {
  VERSION: version,
  NS_: newSymbols,
  BS_: skipped,
  BU_: nodes,
  VAL_TABLE_: namedTable,
  BO_: message,
  SG_: signal,
  CM_: comment,
  VAL_: values,
  SIG_VALTYPE_: valueType,
  SG_MUL_VAL_: multiplexingRanges,
  BA_: attribute,
  ...Object.fromEntries(
    [
      'BO_TX_BU_',
      'EV_',
      'ENVVAR_DATA_',
      'EV_DATA_',
      'SGTYPE_',
      'SGTYPE_VAL_',
      'SIG_GROUP_',
      'SIG_TYPE_REF_',
      'SIGTYPE_VALTYPE_',
      'SIGGROUP_',
      'BA_DEF_',
      'BA_DEF_DEF_',
      'BA_DEF_SGTYPE_',
      'BA_SGTYPE_',
      'BA_DEF_REL_',
      'BA_DEF_DEF_REL_',
      'BA_REL_',
      'BU_SG_REL_',
      'BU_EV_REL_',
      'BU_BO_REL_',
      'CAT_DEF_',
      'CAT_',
      'FILTER',
      'BA_DEF_DEF_SGTYPE_',
    ].map((keyword) => [keyword, skipped]),
  ),
};

/** Whether a token is the keyword of a statement, at the beginning of its line. */
export function beginsStatement({ kind, text, isFirst }: DbcToken): boolean {
  return kind === 'word' && isFirst && Object.hasOwn(STATEMENTS, text);
}
