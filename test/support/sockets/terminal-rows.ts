const ESCAPE = '\u001b';
/** A part of what a program writes to a terminal: a sequence of control, or a character. */
const PART = new RegExp(`${ESCAPE}\\[(?<parameters>[?\\d;]*)(?<final>[A-Za-z])|[\\s\\S]`, 'gu');
/** The beginning of one, at the end of a text. */
const BEGUN = new RegExp(`${ESCAPE}(\\[[?\\d;]*)?$`);

/**
 * What a terminal shows of the text that is written to it, as rows of any width: it knows line breaks, the column of the
 * cursor, and rows that are erased. Of other sequences of control it knows nothing and shows nothing.
 */
export class TerminalRows {
  readonly #rows: string[][] = [[]];
  /** Each text that the last row has held when something was written. */
  readonly lastRows: string[] = [];
  #column = 0;
  /** A sequence that is not there whole. */
  #rest = '';

  write(text: string): void {
    const all = this.#rest + text;
    const cut = BEGUN.exec(all)?.index ?? all.length;
    this.#rest = all.slice(cut);
    for (const part of all.slice(0, cut).matchAll(PART)) {
      const { parameters, final } = part.groups ?? {};
      if (final === undefined) this.#put(part[0]);
      else this.#control(parameters ?? '', final);
    }
    this.#keepLast();
  }

  rows(): readonly string[] {
    return this.#rows.map((row) => row.join('').trimEnd());
  }

  #put(character: string): void {
    if (character === '\r') this.#column = 0;
    else if (character === '\n') {
      this.#keepLast();
      this.#rows.push([]);
    } else {
      const row = this.#last();
      while (row.length < this.#column) row.push(' ');
      row[this.#column] = character;
      this.#column += 1;
    }
  }

  #control(parameters: string, final: string): void {
    if (final === 'G') this.#column = Number(parameters || '1') - 1;
    if (final !== 'K') return;
    this.#keepLast();
    // 0 or nothing: from the cursor on; 2: all of it.
    this.#last().splice(parameters === '2' ? 0 : this.#column);
  }

  #keepLast(): void {
    const last = this.#last().join('').trimEnd();
    if (last !== '' && this.lastRows.at(-1) !== last) this.lastRows.push(last);
  }

  #last(): string[] {
    return this.#rows.at(-1) ?? [];
  }
}
