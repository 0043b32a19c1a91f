import type { DbcReading } from './database.ts';
import { DatabaseDraft } from './drafts.ts';
import { named, StatementFault, StatementReader } from './statement-reader.ts';
import { beginsStatement, STATEMENTS, type StatementContext } from './statements.ts';
import type { DbcToken } from './tokens.ts';

/**
 * Reads a CAN database (DBC file, as Vector's CANdb++ and cantools write it). Total, for any text: a violation of the
 * format is a problem with its line and column, the statement around it is left out, and the next one is read.
 */
export function readDbc(text: string): DbcReading {
  const reader = new StatementReader(text);
  const draft = new DatabaseDraft();
  const context: StatementContext = { reader, draft, message: undefined };
  for (let next = reader.peek(); next.kind !== 'end'; next = reader.peek()) {
    reader.take();
    if (next.text === ';' && next.kind === 'mark') continue;
    if (beginsStatement(next)) readStatement(context, next);
    else {
      reader.report(next, `A statement is expected, not ${named(next)}.`);
      // One report for all of it.
      if (!beginsStatement(reader.peek())) reader.skipStatement(beginsStatement);
    }
  }
  return { database: draft.finished(), problems: reader.problems, moreProblems: reader.moreProblems };
}

function readStatement(context: StatementContext, { text: keyword, line }: DbcToken): void {
  const { reader } = context;
  try {
    STATEMENTS[keyword]?.(context, line);
  } catch (error) {
    if (!(error instanceof StatementFault)) throw error;
    const { message } = error;
    reader.report(error.at, `${message.charAt(0).toUpperCase()}${message.slice(1)}`);
    reader.skipStatement(beginsStatement);
  }
}

/**
 * The text of a DBC file. Newer tools write UTF-8, older ones the code page of Western Windows, in which `°C` is no
 * UTF-8; editors of Windows save UTF-16, recognized by a byte order mark or by the zero byte of every ASCII character.
 */
export function decodeDbc(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0))
    return new TextDecoder('utf-16le').decode(bytes);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0))
    return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
