import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CHECKER_TEXTS } from '../../../../../judge/checkers.ts';
import { describe } from '../../../../../scenarios/language/document/keyed.ts';
import type { WordRow, WordTable } from '../../../../../scenarios/language/document/word-row.ts';
import { COMPARISONS, EXPECTATIONS } from '../../../../../scenarios/language/expectations/expectations.ts';
import { CRASH_POINTS } from '../../../../../scenarios/language/steps/backend-breaks.ts';
import { BREAKS } from '../../../../../scenarios/language/steps/breaks.ts';
import { CALLERS, CALLS } from '../../../../../scenarios/language/steps/calls.ts';
import { TRIGGER_OF, TRIGGERS } from '../../../../../scenarios/language/steps/triggers.ts';
import { VEHICLE_ACTS } from '../../../../../scenarios/language/steps/vehicle-acts.ts';
import { LINKS, MESSAGES, NOT_FOR, WEATHER } from '../../../../../scenarios/language/steps/weather.ts';
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

/** The reference of all words in Markdown, generated from the tables. docs/scenarios.md contains it. */
function referenceText(): string {
  const brief = (words: Readonly<Record<string, string>>) =>
    wordTable(
      ['word', 'what it is'],
      Object.entries(words).map(([word, does]) => [`\`${word}\``, does]),
    );
  return [
    '## Acts on the vehicle',
    rowsOf(VEHICLE_ACTS, (name, example) => ({ [name]: example })),
    '## Calls',
    'With one of these words, `as` names a client, `bearer` a token that was kept, and `remember` keeps parts of the answer.',
    rowsOf(CALLS, (name, example) => ({ call: { [name]: example } })),
    'Clients that are always there:',
    brief(CALLERS),
    '## Weather',
    rowsOf(WEATHER, (name, example) => ({ weather: { [name]: example } })),
    'Links that are built in:',
    brief(LINKS),
    'Messages that can be lost, late, doubled or overtaken:',
    wordTable(
      ['word', 'what it is', 'what befalls it'],
      Object.entries(MESSAGES).map(([word, does]) => [`\`${word}\``, does, faultsOf(word)]),
    ),
    '## Broken parts',
    ...Object.entries(BREAKS).flatMap(([part, rows]) => [
      `### ${part}`,
      rowsOf(rows, (name, example) => ({ break: { [part]: { [name]: example } } })),
    ]),
    'Points at which the backend can crash:',
    brief(CRASH_POINTS),
    '## Triggers',
    'Whose it is (`of`):',
    brief(TRIGGER_OF),
    rowsOf(TRIGGERS, (name, example) => ({ when: { [name]: example } })),
    '## Expectations',
    rowsOf(EXPECTATIONS, (_name, example) => ({ expect: example })),
    'In place of a value, in bodies and states too:',
    brief(COMPARISONS),
    '## Checkers',
    brief({
      ...CHECKER_TEXTS,
      all: 'Every one; so it is without `always`. `twin-is-true` is asked in any case.',
    }),
  ].join('\n\n');
}

function faultsOf(message: string): string {
  const faults = Object.entries(NOT_FOR).filter(([, without]) => !Object.hasOwn(without, message));
  return faults.map(([fault]) => `\`${fault}\``).join(', ');
}

function rowsOf(rows: WordTable, written: (name: string, example: unknown) => unknown): string {
  return wordTable(
    ['word', 'what it does', 'for example'],
    Object.entries(rows).map(([name, row]: [string, WordRow]) => [
      `\`${name}\``,
      describe(row),
      `\`${flow(written(name, row.example))}\``,
    ]),
  );
}

function wordTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** YAML on one line; texts that are no plain words in quotes. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'string' && /^[A-Za-z/][\w./-]*$/.test(value) ? value : JSON.stringify(value);
  }
  const parts = Object.entries(value).map(([name, one]) => `${name}: ${flow(one)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}
