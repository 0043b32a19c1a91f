import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventLine, eventRow } from '../../../../scenarios/trace/row-of.ts';
import { ROWS, traceRow } from '../../../../scenarios/trace/rows.ts';
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

/** The columns of all rows as a table in Markdown. docs/running-scenarios.md contains it. */
function columnsText(): string {
  const lines = Object.entries(ROWS).flatMap(([kind, { shape }]) =>
    Object.entries(shape as Readonly<Record<string, z.ZodType>>)
      .filter(([column]) => column !== 'kind')
      .map(([column, schema]) => {
        const inside = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
        const may = schema instanceof z.ZodOptional ? ', or absent' : '';
        return `| \`${kind}\` | \`${column}\` | ${typeOf(inside)}${may} | ${inside.meta()?.description ?? ''} |`;
      }),
  );
  return ['| kind | column | type | what it is |', '| --- | --- | --- | --- |', ...lines].join('\n');
}

function typeOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodEnum) return schema.options.map((one) => `\`${one}\``).join(', ');
  if (schema instanceof z.ZodLiteral) return `\`${[...schema.values].join(', ')}\``;
  if (schema instanceof z.ZodArray) return 'list of numbers';
  if (schema instanceof z.ZodRecord) return 'a scenario';
  if (schema instanceof z.ZodNumber) return 'number';
  return schema instanceof z.ZodBoolean ? 'true, false' : 'text';
}
