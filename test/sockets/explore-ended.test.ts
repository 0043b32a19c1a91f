import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readScenario } from '../../scenarios/language/read.ts';
import { runToEnd, UpProcess } from './up-process.ts';

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
describe('the end of explore and swarm', () => {
  test('is 0 where nothing was found, 1 where something was, and 2 where nothing could be run', async () => {
    const explored = async (...args: readonly string[]) => runToEnd(['scenario', 'explore', ...args]);
    writeFileSync(at('wrong.yaml'), FAILING.replace('weather: cut', 'weather: cutt'));
    const [passed, [failed, again], ...refused] = await Promise.all([
      explored(at('passing.yaml'), '--runs', '2', '--seed', '3'),
      explored(at('small.yaml'), '--runs', '2', '--seed', '3').then(
        async (found) => [found, await runToEnd(['scenario', 'run', at('small.found.yaml')])] as const,
      ),
      explored(at('wrong.yaml')),
      explored(at('nowhere.yaml')),
      explored(at('passing.yaml'), '--runs', '0'),
      runToEnd(['swarm', '--runs', 'x']),
    ]);
    expect([passed.code, passed.errors.includes('run 1 of 2')]).toEqual([0, true]);
    expect(existsSync(at('passing.found.yaml'))).toBe(false);
    expect([failed.code, failed.errors]).toEqual([1, expect.stringContaining('making it smaller')]);
    expect(again.code).toBe(1);
    expect(refused.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    expect(refused[0]?.errors).toMatch(/wrong\.yaml:6:\d+: .*cutt/);
  });

  test('by Ctrl-C is 130, with the seed and how far it came', async () => {
    const ended = async (args: readonly string[], when: string) => {
      const process = UpProcess.raw(args);
      await vi.waitUntil(() => `${process.output()}${process.errors()}`.includes(when), { timeout: 30_000 });
      return { code: await process.end('SIGINT'), errors: process.errors() };
    };
    const [swarm, explore] = await Promise.all([
      ended(['swarm', '--runs', '10000', '--seed', '2', '--out', at('swarm.yaml')], 'run 1: passed'),
      ended(['scenario', 'explore', at('passing.yaml'), '--runs', '9999', '--seed', '5'], 'run 1 of 9999'),
    ]);
    expect([swarm.code, explore.code]).toEqual([130, 130]);
    expect(swarm.errors).toMatch(/Ended after \d+ of 10000 scenarios with the seed 2\./);
    expect(explore.errors).toMatch(/Ended after \d+ of 9999 draws with the seed 5\./);
    expect(existsSync(at('swarm.yaml')) || existsSync(at('passing.found.yaml'))).toBe(false);
  });

  test('by Ctrl-C while a failure is made smaller leaves the smallest so far, which fails in the same way', async () => {
    const out = at('so-far.yaml');
    const args = ['scenario', 'explore', at('failing.yaml'), '--seed', '1', '--out', out, '--json'];
    const explore = UpProcess.raw(args);
    await vi.waitUntil(() => explore.errors().includes('making it smaller'), { timeout: 30_000 });
    expect(await explore.end('SIGINT')).toBe(130);
    expect(JSON.parse(explore.output())).toMatchObject({
      ended: true,
      seed: 1,
      found: { file: out, is_smallest: false },
    });
    const file = readFileSync(out, 'utf8');
    expect(file).toContain('It may become smaller still');
    expect(readScenario(file, 'so-far.yaml').ok).toBe(true);
    expect((await runToEnd(['scenario', 'run', out])).code).toBe(1);
  });
});
