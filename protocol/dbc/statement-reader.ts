import { dbcLimits } from '../limits.ts';
import type { DbcProblem } from './database.ts';
import { type DbcToken, DbcTokens } from './tokens.ts';

/** Thrown within one statement and caught around it: the rest of the statement is left out. */
export class StatementFault extends Error {
  readonly at: DbcToken;

  constructor(at: DbcToken, message: string) {
    super(message);
    this.at = at;
  }
}

/** Reads the pieces of statements; each throws a `StatementFault` that names the unexpected token. */
export class StatementReader {
  readonly problems: DbcProblem[] = [];
  moreProblems = 0;
  readonly #tokens: DbcTokens;

  constructor(text: string) {
    this.#tokens = new DbcTokens(text);
  }

  peek(): DbcToken {
    return this.#tokens.peek();
  }

  take(): DbcToken {
    return this.#tokens.take();
  }

  /** Reports a problem at a token. */
  report(at: Pick<DbcToken, 'line' | 'column'>, message: string): void {
    if (this.problems.length >= dbcLimits.problems) this.moreProblems += 1;
    else this.problems.push({ line: at.line, column: at.column, message });
  }

  /** Whether the next token is this one, which is taken then. */
  takes(text: string): boolean {
    const next = this.peek();
    if (next.kind === 'text' || next.text !== text || next.kind === 'end') return false;
    this.take();
    return true;
  }

  mark(text: string, where: string): void {
    const next = this.peek();
    if (!this.takes(text))
      throw new StatementFault(next, `${where}: ${text} is expected, not ${named(next)}.`);
  }

  word(what: string): string {
    return this.#of('word', what).text;
  }

  text(what: string): string {
    return this.#of('text', what).text;
  }

  /** A number with its sign. */
  number(what: string): number {
    const sign = this.takes('-') ? -1 : 1;
    if (sign === 1) this.takes('+');
    // Not -0: nothing would compare as the user sees it.
    return sign * Number(this.#of('number', what).text) || 0;
  }

  /** A whole number from 0 on. */
  whole(what: string, highest: number): number {
    const token = this.#of('number', what);
    const value = Number(token.text);
    if (Number.isInteger(value) && value <= highest) return value;
    throw new StatementFault(token, `${what} is a whole number up to ${highest}, not ${token.text}.`);
  }

  /** Continues after the next `;` or at the beginning of the next statement, whichever comes first. */
  skipStatement(begins: (token: DbcToken) => boolean): void {
    for (let next = this.peek(); next.kind !== 'end' && !begins(next); next = this.peek()) {
      this.take();
      if (next.kind === 'mark' && next.text === ';') return;
    }
  }

  #of(kind: 'word' | 'number' | 'text', what: string): DbcToken {
    const next = this.peek();
    if (next.kind !== kind) throw new StatementFault(next, `${what} is expected, not ${named(next)}.`);
    return this.take();
  }
}

const LONGEST_SHOWN = 30;

/** A token for a sentence. */
export function named({ kind, text }: DbcToken): string {
  if (kind === 'end') return 'the end of the file';
  const short = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text;
  if (kind === 'text') return `the text ${JSON.stringify(short)}`;
  return kind === 'wrong' && text === '"' ? 'a text without its closing quote' : short;
}
