import { CHECKER_TEXTS } from '../../../judge/checkers.ts';
import { COMPARISONS, EXPECTATIONS } from '../expectations/expectations.ts';
import { CRASH_POINTS } from '../steps/backend-breaks.ts';
import { BREAKS } from '../steps/breaks.ts';
import { CALLERS, CALLS } from '../steps/calls.ts';
import { TRIGGER_OF, TRIGGERS } from '../steps/triggers.ts';
import { VEHICLE_ACTS } from '../steps/vehicle-acts.ts';
import { LINKS, MESSAGES, NOT_FOR, WEATHER } from '../steps/weather.ts';
import { describe } from './keyed.ts';
import type { WordRow, WordTable } from './word-row.ts';

/** The reference of all words in Markdown, generated from the tables. docs/scenarios.md contains it. */
export function referenceText(): string {
  const brief = (words: Readonly<Record<string, string>>) =>
    table(
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
    table(
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
  return table(
    ['word', 'what it does', 'for example'],
    Object.entries(rows).map(([name, row]: [string, WordRow]) => [
      `\`${name}\``,
      describe(row),
      `\`${flow(written(name, row.example))}\``,
    ]),
  );
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
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
