import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { referenceText } from '../../../../../scenarios/language/document/reference.ts';
import { VEHICLE_ACTS } from '../../../../../scenarios/language/steps/vehicle-acts.ts';
import {
  BREAK_EFFECTS,
  type EffectRow,
  WEATHER_EFFECTS,
} from '../../../../../scenarios/testbed/common/faults/effect-rows.ts';

const PAGE = '../../../../../docs/scenarios.md';

/** When each word of weather, of a break and of an act has an effect, in Markdown. docs/scenarios.md contains it. */
function effectTables(): string {
  return [
    table('weather', Object.entries(WEATHER_EFFECTS).map(faultLine)),
    table(
      'broken part',
      Object.entries(BREAK_EFFECTS).flatMap(([part, rows]) =>
        Object.entries(rows).map(([name, row]) => faultLine([`${part}: ${name}`, row])),
      ),
    ),
    table(
      'act',
      Object.entries(VEHICLE_ACTS).map(([name, { change }]) => `| \`${name}\` | ${change.when} |`),
    ),
  ].join('\n\n');
}

function faultLine([name, { when, notOverSockets }]: readonly [string, EffectRow]): string {
  const where =
    notOverSockets === undefined ? '' : `. Over sockets it is not always known: ${notOverSockets}`;
  return `| \`${name}\` | ${when}${where} |`;
}

function table(head: string, lines: readonly string[]): string {
  return [`| ${head} | it has an effect when |`, '| --- | --- |', ...lines].join('\n');
}

/** The page with that text between the line that begins with `from` and the one with `to`, or the end. */
function withPart(page: string, from: string, to: string | undefined, text: string): string {
  const begin = page.indexOf('\n', page.indexOf(from)) + 1;
  const end = to === undefined ? page.length : page.indexOf(to);
  return `${page.slice(0, begin)}\n${text.trimEnd()}\n${to === undefined ? '' : '\n'}${page.slice(end)}`;
}

/** `-u` writes them anew. */
test('docs/scenarios.md contains the tables of the words', async () => {
  const page = readFileSync(new URL(PAGE, import.meta.url), 'utf8');
  const effects = withPart(page, '<!-- The tables are made', '## Whether the twin is true', effectTables());
  await expect(
    withPart(effects, '<!-- What follows is made', undefined, referenceText()),
  ).toMatchFileSnapshot(PAGE);
});
