import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventLine, eventRow } from '../../../../scenarios/trace/row-of.ts';
import { columnsText, ROWS, traceRow } from '../../../../scenarios/trace/rows.ts';
import { lineHash } from '../../../../world/trace/virtual-trace.ts';

test('docs/running-scenarios.md has the columns of the rows', () => {
  const page = readFileSync(new URL('../../../../docs/running-scenarios.md', import.meta.url), 'utf8');
  expect(page).toContain(columnsText());
});

test('every kind of row can be read', () => {
  expect(traceRow.options).toEqual(Object.values(ROWS));
});

test('a line of the world becomes a row, and the row becomes the same line again', () => {
  const word = fc.stringMatching(/^[a-z/-]{1,12}$/);
  fc.assert(
    fc.property(
      fc.nat(2_000_000_000_000),
      word,
      word,
      fc.option(fc.string(), { nil: undefined }),
      (at, who, what, detail) => {
        const line = `${at} ${who} ${what}${detail === undefined ? '' : ` ${detail}`}`;
        const row = eventRow(line);
        expect(traceRow.parse(JSON.parse(JSON.stringify(row)))).toEqual(row);
        expect(eventLine(row)).toBe(line);
      },
    ),
  );
});

test('lines are hashed as one text', () => {
  const lines = ['one', 'two'];
  const [together, apart] = [lineHash(), lineHash()];
  together.add(lines.join('\n'));
  for (const line of lines) apart.add(line);
  expect(apart.hex()).toBe(together.hex());
});
