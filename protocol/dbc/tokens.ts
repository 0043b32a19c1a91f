/** A piece of a DBC file. A `text` has lost its quotes; a number has no sign, which is a `mark` before it. */
export interface DbcToken {
  readonly kind: 'word' | 'number' | 'text' | 'mark' | 'wrong' | 'end';
  readonly text: string;
  readonly line: number;
  readonly column: number;
  /** Whether it is the first one of its line. */
  readonly isFirst: boolean;
}

const BLANK = /(?:[\s\uFEFF]|\/\/[^\n]*)*/y;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
/** A number that goes on as a word is neither. */
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![A-Za-z0-9_.])/y;
const TEXT = /"((?:\\"|[^"])*)"/y;
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
    if (word !== undefined) return this.#token('word', word[0], word[0]);
    const number = this.#match(NUMBER);
    if (number !== undefined) return this.#token('number', number[0], number[0]);
    const text = this.#match(TEXT);
    if (text !== undefined) return this.#token('text', (text[1] ?? '').replaceAll('\\"', '"'), text[0]);
    const mark = this.#match(MARK);
    if (mark !== undefined) return this.#token('mark', mark[0], mark[0]);
    const wrong = this.#match(WRONG)?.[0] ?? this.#text.charAt(this.#at);
    return this.#token('wrong', wrong, wrong);
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text) ?? undefined;
  }

  #token(kind: DbcToken['kind'], text: string, source: string): DbcToken {
    const column = this.#at - this.#lineStart + 1;
    const token = { kind, text, line: this.#line, column, isFirst: this.#isFirst };
    this.#isFirst = false;
    this.#skip(source);
    return token;
  }

  /** Goes on behind a piece, and counts its lines. A text may have several. */
  #skip(piece: string): void {
    for (let found = piece.indexOf('\n'); found !== -1; found = piece.indexOf('\n', found + 1)) {
      this.#line += 1;
      this.#lineStart = this.#at + found + 1;
      this.#isFirst = true;
    }
    this.#at += piece.length;
  }
}
