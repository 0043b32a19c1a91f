/** A piece of a DBC file. A `text` has lost its quotes; a number has no sign, which is a `mark` before it. */
export interface DbcToken {
  readonly kind: 'word' | 'number' | 'text' | 'mark' | 'wrong' | 'end';
  readonly text: string;
  readonly line: number;
  readonly column: number;
  /** Whether a statement may begin with it: it is the first one of its line, or behind a `;`. */
  readonly isFirst: boolean;
}

const BLANK = /(?:[\s\uFEFF]|\/\/[^\n]*)*/y;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
/** A number that continues as a word is neither. */
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![A-Za-z0-9_.])/y;
/** A keyword where a statement may begin. */
const KEYWORD = '(?:[A-Z][A-Z_]*_|VERSION|FILTER)(?![A-Za-z0-9_])';
const KEYWORD_OF_WORD = new RegExp(KEYWORD, 'y');
const KEYWORD_OF_LINE = new RegExp(`\\n[ \\t]*${KEYWORD}`);
/** What follows the last text of a statement: its `;`, and then the next statement, a remark or the end of the file. */
const END_OF_STATEMENT = new RegExp(`\\s*;\\s*(?:$|//|${KEYWORD})`, 'y');
/** What follows a text within a statement, where the format has other pieces than `;` there. */
const WITHIN_STATEMENT: Readonly<Record<string, RegExp>> = {
  VERSION: /[ \t]*(?:\r?\n|$)/y,
  // The receivers, up to the end of the line.
  SG_: /[\w, \t]*(?:\r?\n|$)/y,
  // The number of the next label.
  VAL_: /\s*[+-]?\d+\s*"/y,
  VAL_TABLE_: /\s*[+-]?\d+\s*"/y,
  // The next value of an ENUM.
  BA_DEF_: /\s*,\s*"/y,
  BA_DEF_REL_: /\s*,\s*"/y,
};
const MARK = /[:|@()[\],;+-]/y;
/** A piece of what cannot be read, for its report. */
const WRONG = /"|[^\s:|@()[\],;+"-]+/y;

/** The tokens of a text one after the other, with one of look-ahead. Total; behind the last one come `end`s. */
export class DbcTokens {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #lineStart = 0;
  #isFirst = true;
  /** The keyword of the statement that is being read. */
  #statement = '';
  #next: DbcToken;

  constructor(text: string) {
    this.#text = text;
    this.#next = this.#read();
  }

  /** The next token, which stays. */
  peek(): DbcToken {
    return this.#next;
  }

  take(): DbcToken {
    const taken = this.#next;
    if (taken.kind !== 'end') this.#next = this.#read();
    return taken;
  }

  #read(): DbcToken {
    this.#skip(this.#match(BLANK)?.[0] ?? '');
    if (this.#at >= this.#text.length) return this.#token('end', '', '');
    const word = this.#match(WORD);
    if (word !== undefined) {
      if (this.#isFirst && this.#match(KEYWORD_OF_WORD) !== undefined) this.#statement = word[0];
      return this.#token('word', word[0], word[0]);
    }
    const number = this.#match(NUMBER);
    if (number !== undefined) return this.#token('number', number[0], number[0]);
    const end = this.#endOfText();
    if (end !== undefined) {
      const source = this.#text.slice(this.#at, end);
      return this.#token('text', source.slice(1, -1).replaceAll('\\"', '"'), source);
    }
    const mark = this.#match(MARK);
    if (mark !== undefined) {
      const token = this.#token('mark', mark[0], mark[0]);
      if (mark[0] === ';') this.#isFirst = true;
      return token;
    }
    const wrong = this.#match(WRONG)?.[0] ?? this.#text.charAt(this.#at);
    return this.#token('wrong', wrong, wrong);
  }

  #match(pattern: RegExp, at = this.#at): RegExpExecArray | undefined {
    pattern.lastIndex = at;
    return pattern.exec(this.#text) ?? undefined;
  }

  /**
   * The position after the quote that closes the text beginning here; undefined: there is none. The format has no
   * escapes: tools write a quote within a text as `\"`, and a path may end in a backslash. So a quote after a
   * backslash closes the text if the statement continues after it, or if no other one closes it before the next
   * statement.
   */
  #endOfText(): number | undefined {
    if (this.#text[this.#at] !== '"') return undefined;
    let at = this.#text.indexOf('"', this.#at + 1);
    while (at !== -1) {
      const end = at + 1;
      if (this.#text[at - 1] !== '\\' || this.#goesOnAt(end)) return end;
      const next = this.#text.indexOf('"', end);
      if (next === -1 || KEYWORD_OF_LINE.test(this.#text.slice(end, next))) return end;
      at = next;
    }
    return undefined;
  }

  /** Whether the statement continues as the format requires after a text. */
  #goesOnAt(at: number): boolean {
    const within = WITHIN_STATEMENT[this.#statement];
    return (
      this.#match(END_OF_STATEMENT, at) !== undefined ||
      (within !== undefined && this.#match(within, at) !== undefined)
    );
  }

  #token(kind: DbcToken['kind'], text: string, source: string): DbcToken {
    const column = this.#at - this.#lineStart + 1;
    const token = { kind, text, line: this.#line, column, isFirst: this.#isFirst };
    this.#isFirst = false;
    this.#skip(source);
    return token;
  }

  /** Continues after a piece, and counts its lines. A text may have several. */
  #skip(piece: string): void {
    for (let found = piece.indexOf('\n'); found !== -1; found = piece.indexOf('\n', found + 1)) {
      this.#line += 1;
      this.#lineStart = this.#at + found + 1;
      this.#isFirst = true;
    }
    this.#at += piece.length;
  }
}
