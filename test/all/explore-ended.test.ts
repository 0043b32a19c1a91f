import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readScenario } from '../../scenarios/language/document/read.ts';
import { runCommand, UpProcess } from '../support/sockets/up-process.ts';

/** Many cars and steps, so that making it smaller takes its time. The last step cannot come true. */
const FAILING = `name: never
about: Cars drive and lose their connections, and a journal is expected that no box has room for.
seed: 7
fleet: [{ count: 10, model: petrol-compact, driving: true }]
steps:
${Array.from({ length: 12 }, (_, index) => `  - { at: ${index + 1}m, weather: cut }`).join('\n')}
  - { at: 15m, within: 1s, expect: { journal: { above: 99999 } } }
always: [nothing-lost]
`;
const PASSING = FAILING.replace('journal: { above: 99999 }', 'journal: { at_least: 0 }').replace(
  'count: 10',
  'count: 1',
);
const SMALL = FAILING.replace('count: 10', 'count: 1').replaceAll(
  / {2}- \{ at: (?:[2-9]|1\d)m, weather.*\n/g,
  '',
);

let place: string;
const at = (name: string): string => join(place, name);

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'boxtwin-ended-'));
  writeFileSync(at('failing.yaml'), FAILING);
  writeFileSync(at('passing.yaml'), PASSING);
  writeFileSync(at('small.yaml'), SMALL);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

// Most of it is the start of processes, which are started side by side where each comes to an end of its own.
describe('the exit code of explore and swarm', () => {
  test('is 0 if no failure was found, 1 if one was, and 2 if nothing could be run', async () => {
    const explored = async (...args: readonly string[]) => runCommand(['scenario', 'explore', ...args]);
    writeFileSync(at('wrong.yaml'), FAILING.replace('weather: cut', 'weather: cutt'));
    const [passed, [failed, again], ...refused] = await Promise.all([
      explored(at('passing.yaml'), '--runs', '2', '--seed', '3'),
      explored(at('small.yaml'), '--runs', '2', '--seed', '3').then(
        async (found) => [found, await runCommand(['scenario', 'run', at('small.found.yaml')])] as const,
      ),
      explored(at('wrong.yaml')),
      explored(at('nowhere.yaml')),
      explored(at('passing.yaml'), '--runs', '0'),
      runCommand(['swarm', '--runs', 'x']),
    ]);
    expect([passed.code, passed.errors.includes('run 1 of 2')]).toEqual([0, true]);
    expect(existsSync(at('passing.found.yaml'))).toBe(false);
    expect([failed.code, failed.errors]).toEqual([1, expect.stringContaining('making it smaller')]);
    expect(again.code).toBe(1);
    expect(refused.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    expect(refused[0]?.errors).toMatch(/wrong\.yaml:6:\d+: .*cutt/);
  });

  test('is 130 after Ctrl-C, with the seed and the progress', async () => {
    const ended = async (args: readonly string[], when: string) => {
      const process = UpProcess.raw(args);
      await vi.waitUntil(() => `${process.output()}${process.errors()}`.includes(when), { timeout: 120_000 });
      return { code: await process.end('SIGINT'), errors: process.errors() };
    };
    const [swarm, explore, alone] = await Promise.all([
      ended(
        ['swarm', '--runs', '10000', '--seed', '2', '--jobs', '2', '--out', at('swarm.yaml')],
        'run 1: passed',
      ),
      ended(
        ['scenario', 'explore', at('passing.yaml'), '--runs', '9999', '--seed', '5', '--jobs', '3'],
        'run 1 of 9999',
      ),
      ended(
        ['scenario', 'explore', at('passing.yaml'), '--runs', '9999', '--seed', '5', '--jobs', '1'],
        'run 1 of 9999',
      ),
    ]);
    expect([swarm.code, explore.code, alone.code]).toEqual([130, 130, 130]);
    expect(swarm.errors).toMatch(/Ended after \d+ of 10000 scenarios with the seed 2\./);
    expect(explore.errors).toMatch(/Ended after \d+ of 9999 runs with the seed 5\./);
    expect(existsSync(at('swarm.yaml')) || existsSync(at('passing.found.yaml'))).toBe(false);
  });

  test('after Ctrl-C during shrinking comes with the smallest scenario so far, which fails in the same way', async () => {
    const out = at('so-far.yaml');
    const args = ['scenario', 'explore', at('failing.yaml'), '--seed', '1', '--out', out, '--json'];
    const explore = UpProcess.raw(args);
    await vi.waitUntil(() => explore.errors().includes('making it smaller'), { timeout: 120_000 });
    expect(await explore.end('SIGINT')).toBe(130);
    expect(JSON.parse(explore.output())).toMatchObject({
      ended: true,
      seed: 1,
      found: { file: out, is_smallest: false },
    });
    const file = readFileSync(out, 'utf8');
    expect(file).toContain('It may become smaller still');
    expect(readScenario(file, 'so-far.yaml').ok).toBe(true);
    expect((await runCommand(['scenario', 'run', out])).code).toBe(1);
  });
});
