import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTraceFile } from '../../cli/commands/scenario/scenario-from-trace.ts';
import { openTraceFile } from '../../deployment/jobs/trace-file.ts';
import { readScenario } from '../../scenarios/language/document/read.ts';
import type { Scenario } from '../../scenarios/language/document/scenario.ts';
import { writeDocument } from '../../scenarios/language/document/write.ts';
import type { RunOutcome } from '../../scenarios/run/outcome.ts';
import { runVirtual } from '../../scenarios/run/run-virtual.ts';
import { eventLine } from '../../scenarios/trace/row-of.ts';
import { traceRow } from '../../scenarios/trace/rows.ts';
import { scenarioOfRun } from '../../scenarios/trace/to-scenario.ts';
import { lineHash } from '../../world/trace/virtual-trace.ts';

const tunnel = fileURLToPath(new URL('../../scenarios/stories/tunnel.yaml', import.meta.url));
let place: string;
let lines: readonly string[];
let outcome: RunOutcome;

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'boxtwin-trace-'));
  outcome = await traced(scenarioIn(readFileSync(tunnel, 'utf8')), join(place, 'tunnel.ndjson'));
  lines = readFileSync(join(place, 'tunnel.ndjson'), 'utf8').trimEnd().split('\n');
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

function scenarioIn(text: string): Scenario {
  const reading = readScenario(text, 'test.yaml');
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.scenario;
}

async function traced(scenario: Scenario, path: string): Promise<RunOutcome> {
  const file = openTraceFile(path, scenario, 'virtual');
  const ran = await runVirtual(scenario, { observer: file.observer });
  file.end(ran);
  file.close();
  return ran;
}

/** Reads these lines as a file; returns what is wrong with it. */
function faultOf(...changed: readonly string[]): string {
  const path = join(place, 'changed.ndjson');
  writeFileSync(path, changed.join('\n'));
  try {
    readTraceFile(path);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test('a trace file contains only documented rows, from the header to the hash of the run', () => {
  const rows = lines.map((line) => traceRow.parse(JSON.parse(line)));
  expect(rows[0]).toMatchObject({ kind: 'header', scenario: 'tunnel', seed: 7, world: 'virtual' });
  expect(rows.at(-1)).toMatchObject({ kind: 'end', hash: outcome.hash, rows: rows.length - 1 });
  expect(rows.filter(({ kind }) => kind === 'vehicle')).toHaveLength(3);
});

test('a trace whose hash is over all lines and texts, as it was until November 2026, is read', () => {
  const hash = lineHash();
  for (const line of lines) {
    const row = traceRow.parse(JSON.parse(line));
    if (row.kind === 'event') hash.add(eventLine(row));
  }
  const end = { ...JSON.parse(lines.at(-1) ?? ''), hash: hash.hex() };
  expect(end.hash).not.toBe(outcome.hash);
  expect(faultOf(...lines.slice(0, -1), JSON.stringify(end))).toBe('');
});

test('the scenario made from the trace has the same times without coverage, and passes', async () => {
  const { document, leftOut } = scenarioOfRun(readTraceFile(join(place, 'tunnel.ndjson')));
  expect(leftOut).toBe(0);
  expect(document).toMatchObject({
    fleet: [{ count: 3, model: 'petrol-compact', firmware: '2.31', driving: true }],
    steps: [{ at: '2m', weather: { coverage: 'none' }, for: '1m30s' }, { expect: { connected: true } }],
  });
  const again = await traced(scenarioIn(writeDocument(document)), join(place, 'again.ndjson'));
  expect(again.verdict).toBe('passed');
  const darkIn = (file: string) => {
    const { beginMs, connectivity: seen } = readTraceFile(join(place, file));
    return seen.gaps.map(({ vehicle, fromMs, toMs }) => [vehicle, fromMs - beginMs, toMs - beginMs]);
  };
  expect(darkIn('again.ndjson')).toEqual(darkIn('tunnel.ndjson'));
});

describe('an invalid trace file is reported with its line', () => {
  test.each<[string, (all: readonly string[]) => readonly string[], RegExp]>([
    ['nothing', () => [], /ndjson is not a trace \(line 1: there is no row in it\)/],
    ['no JSON', (all) => [...all.slice(0, 2), '{', ...all.slice(2)], /ndjson:3: this is not JSON/],
    [
      'a run that was killed',
      (all) => [...all.slice(0, 2), '{'],
      /ndjson:3: the file ends in the middle of line 3, as that of a run does that was killed\./,
    ],
    ['a row of no kind', (all) => [...all.slice(0, 1), '{"kind":"no"}'], /ndjson:2: `kind` is not right/],
    ['a column too many', () => ['{"kind":"header","more":1}'], /ndjson is not a trace \(line 1: /],
    [
      'no header',
      (all) => all.slice(1),
      /ndjson is not a trace \(line 1: the first row has to be the `header`/,
    ],
    ['a second header', (all) => [all[0] ?? '', all[0] ?? ''], /ndjson:2: there is one `header` already/],
    ['a run that was ended', (all) => all.slice(0, -1), /the last row is not `end`/],
    ['a row after the end', (all) => [...all, all[1] ?? ''], /no row may follow the row `end`/],
    ['a row that is missing', (all) => all.filter((_, at) => at !== 5), /rows should precede it/],
    [
      'an event that was changed',
      (all) => all.map((line) => line.replace('"what":"frame-up"', '"what":"frame-down"')),
      /the hash is not that of the events/,
    ],
  ])('%s', (_, change, fault) => {
    expect(faultOf(...change(lines))).toMatch(fault);
  });
});
