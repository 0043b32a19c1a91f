import { ACT_CHANGES, type ActChangeRow } from '../vehicles/act-changes.ts';
import { BREAK_STRUCK, type StruckRow, WEATHER_STRUCK } from './struck-rows.ts';

/** When each word of weather, of a break and of an act has struck, in Markdown. docs/scenarios.md holds it. */
export function struckText(): string {
  return [
    table('weather', Object.entries(WEATHER_STRUCK).map(faultLine)),
    table(
      'broken part',
      Object.entries(BREAK_STRUCK).flatMap(([part, rows]) =>
        Object.entries(rows).map(([name, row]) => faultLine([`${part}: ${name}`, row])),
      ),
    ),
    table(
      'act',
      Object.entries(ACT_CHANGES).map(
        ([name, { when }]: [string, ActChangeRow]) => `| \`${name}\` | ${when} |`,
      ),
    ),
  ].join('\n\n');
}

function faultLine([name, { when, notOverSockets }]: readonly [string, StruckRow]): string {
  const where = notOverSockets === undefined ? '' : `. Over sockets it is not always told: ${notOverSockets}`;
  return `| \`${name}\` | ${when}${where} |`;
}

function table(head: string, lines: readonly string[]): string {
  return [`| ${head} | it has struck when |`, '| --- | --- |', ...lines].join('\n');
}
