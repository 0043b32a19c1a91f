import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROGRAM } from '../support/run/product.ts';

const GOOD = `name: short-cut
about: A car loses its connection for a moment and comes back.
seed: 7
fleet: [{ count: 1, model: petrol-compact }]
steps:
  - { at: 5s, weather: cut }
  - { within: 60s, expect: { connected: true } }
`;

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'boxtwin-input-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** A command of `scenario` that is handed this text on its standard input. */
function scenario(input: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, 'scenario', ...args], {
    cwd: place,
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('a scenario is read from standard input by run and explore, and a trace by from-trace', () => {
  const ran = scenario(GOOD, 'run', '-', '--trace', 'trace.ndjson');
  expect([ran.status, ran.stdout]).toEqual([0, expect.stringContaining('✓ short-cut passed')]);
  const again = scenario(readFileSync(join(place, 'trace.ndjson'), 'utf8'), 'from-trace', '-');
  expect([again.status, again.stdout]).toEqual([0, expect.stringContaining('name: short-cut-from-trace')]);
  expect(scenario(again.stdout, 'run', '-').status).toBe(0);
  expect(scenario(GOOD, 'explore', '-', '--runs', '1', '--seed', '1').status).toBe(0);
});

test('an error in standard input is reported with its line', () => {
  const { status, stderr } = scenario(GOOD.replace('cut }', 'cutt }'), 'run', '-');
  expect([status, stderr]).toEqual([2, expect.stringMatching(/-:6:\d+: .*cutt/)]);
  expect(scenario('', 'run', '-').status).toBe(2);
});
