import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DbcMessage } from '../../protocol/dbc/database.ts';
import { readDbc } from '../../protocol/dbc/read-dbc.ts';
import { anyDatabase, anyForm, databaseText } from '../support/dbc/drawn-database.ts';

/** What breaks a statement of this keyword, and nothing else in the file. */
const BREAKS: Readonly<Record<string, readonly ((statement: string) => string)[]>> = {
  BO_: [
    (text) => text.replace(':', ''),
    (text) => text.replace(/: \d+/, ': 65'),
    (text) => text.replace(/: \d+/, ': x'),
    (text) => text.replace(/BO_ \d+/, 'BO_ 1073741824'),
    (text) => text.replace(/BO_ \d+/, 'BO_ -1'),
    (text) => text.replace(/BO_ \d+ \w+/, 'BO_'),
  ],
  SG_: [
    (text) => text.replace(' :', ''),
    (text) => text.replace('|', ' '),
    (text) => text.replace(/\|\d+@/, '|0@'),
    (text) => text.replace(/\|\d+@/, '|65@'),
    (text) => text.replace(/\d+\|/, '512|'),
    (text) => text.replace(/@[01]/, '@2'),
    (text) => text.replace(/(@[01])[-+]/, '$1'),
    (text) => text.replace(/\([^,]+,/, '(0,'),
    (text) => text.replace(/\([^,]+,/, '(1e999,'),
    (text) => text.replace(/\(([^,]+),/, '($1 '),
    (text) => text.replace('[', '{'),
    (text) => text.replace(/"[^"]*"/, ''),
    (text) => text.replace(/SG_ (\w+) [^:]*:/, 'SG_ $1 x7 :'),
  ],
  VAL_: [(text) => text.replace(/"[^"]*"/, 'label'), (text) => text.replace(/-?\d+ "/, '"')],
  SIG_VALTYPE_: [(text) => text.replace(/\d;$/, '4;'), (text) => text.replace(/;$/, '')],
  SG_MUL_VAL_: [(text) => text.replace('-', ' '), (text) => text.replace(/Page/, '7')],
};

/** The signals of each message by name, without what a broken statement of a signal takes with it. */
function withoutSignal(
  messages: readonly DbcMessage[],
  number: number,
  name: string | undefined,
): readonly unknown[] {
  return messages.map(({ signals, ...message }) => {
    const written = message.isExtended ? [message.id, message.id + 0x8000_0000] : [message.id];
    const isOwn = written.includes(number);
    const left = signals.filter((signal) => !(isOwn && (name === undefined || signal.name === name)));
    return { ...message, line: 0, comment: '', longName: '', signals: left };
  });
}

test('what is broken in one statement is told with its line, and everything else is read as before', () => {
  let tried = 0;
  fc.assert(
    fc.property(anyDatabase, anyForm, fc.nat(99), fc.nat(99), (drawn, form, which, how) => {
      const { end } = form;
      const lines = databaseText(drawn, form).split(end);
      // A keyword within a text is none; the lines of a text are passed by.
      let quotes = 0;
      const statements = lines.flatMap((line, index) => {
        const isWithin = quotes % 2 === 1;
        quotes += line.split('"').length - 1;
        const [, keyword = ''] = /^ ?([A-Z_]+) /.exec(line) ?? [];
        const isWhole = quotes % 2 === 0 && !isWithin && /\d/.test(line);
        return isWhole && !/^VAL_ Mode/.test(line) && keyword in BREAKS ? [{ keyword, index, line }] : [];
      });
      const chosen = statements[which % Math.max(statements.length, 1)];
      if (chosen === undefined) return;
      const breaks = BREAKS[chosen.keyword] ?? [];
      const broken = breaks[how % breaks.length]?.(chosen.line) ?? '';
      if (broken === chosen.line) return;
      tried += 1;
      const sound = readDbc(lines.join(end));
      const read = readDbc(lines.with(chosen.index, broken).join(end));
      // Without its semicolon a statement ends where the next one begins, and there it is noticed.
      const isOpen = chosen.line.endsWith(';') && !broken.endsWith(';');
      const known = new Set(sound.problems.map(({ line, message }) => `${line} ${message}`));
      const isTold = read.problems.some(
        ({ line, message }) =>
          (isOpen ? line > chosen.index : line === chosen.index + 1) && !known.has(`${line} ${message}`),
      );
      if (!isTold) throw new Error(`nothing is told of line ${chosen.index + 1}: ${broken}`);
      if (chosen.keyword === 'BO_') {
        const number = Number(/BO_ (\d+)/.exec(chosen.line)?.[1]);
        const others = sound.database.messages.filter(({ line }) => line !== chosen.index + 1);
        const left = read.database.messages.filter(({ line }) => line !== chosen.index + 1);
        expect(withoutSignal(left, number, undefined)).toEqual(withoutSignal(others, number, undefined));
        return;
      }
      const head = lines.slice(0, chosen.index).findLast((line) => /^BO_ \d+ \w+: /.test(line)) ?? '';
      const words = chosen.line.trim().split(' ');
      const [number, name] = chosen.keyword === 'SG_' ? [head.split(' ')[1], words[1]] : [words[1], words[2]];
      expect(withoutSignal(read.database.messages, Number(number), name)).toEqual(
        withoutSignal(sound.database.messages, Number(number), name),
      );
    }),
    { numRuns: 400 },
  );
  expect(tried).toBeGreaterThan(250);
});
