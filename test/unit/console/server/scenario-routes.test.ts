import { describe, expect, test } from 'vitest';
import type { ScenarioRunner } from '../../../../console/server/scenario-routes.ts';
import { readScenario } from '../../../../scenarios/language/document/read.ts';
import { consoleStage } from '../../../support/console/console-stage.ts';

const TEXT = `name: one
about: One car.
seed: 1
fleet:
  - { count: 1, model: petrol-compact }
steps:
  - { at: 1m, weather: { coverage: none }, for: 1m }
  - { at: 5m, park: {} }
`;

function stage(change: Partial<ScenarioRunner> = {}) {
  const saved = new Map<string, string>();
  const runner: ScenarioRunner = {
    list: async () => [],
    read: async (name) => saved.get(name),
    save: async (name, text) => void saved.set(name, text),
    check: async (text) => (text === TEXT ? [] : [{ line: 7, column: 1, text: 'no coverage' }]),
    run: async () => undefined,
    runOf: async () => undefined,
    traceOf: async () => undefined,
    ...change,
  };
  const { asPage } = consoleStage({ scenarios: runner });
  const post = async (path: string, body: unknown) => {
    const answer = await asPage(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  return { saved, post, asPage };
}

describe('scenarios on the console', () => {
  test('are checked by the runner', async () => {
    const { post } = stage();
    expect((await post('/console/scenario-checks', { text: TEXT })).body).toEqual([]);
    const wrong = TEXT.replace('coverage', 'covrage');
    expect((await post('/console/scenario-checks', { text: wrong })).body).toMatchObject([
      { line: 7, text: expect.stringContaining('coverage') },
    ]);
  });

  test('are saved under plain names alone', async () => {
    const { post, saved } = stage();
    expect((await post('/console/scenarios', { name: 'one', text: TEXT })).status).toBe(200);
    for (const name of ['../one', 'a/b', '', '.hidden', 'One', 'x'.repeat(65)])
      expect((await post('/console/scenarios', { name, text: TEXT })).status, name).toBe(400);
    expect([...saved]).toEqual([['one', TEXT]]);
  });

  test('that nobody has, runs that are none, and traces that are not there are 404', async () => {
    const { asPage } = stage();
    for (const path of ['/console/scenarios/none', '/console/runs/9', '/console/runs/9/trace'])
      expect((await asPage(path)).status, path).toBe(404);
  });

  test('are not run where too many run', async () => {
    expect((await stage().post('/console/runs', { text: TEXT })).status).toBe(409);
  });

  test('a branch has the steps that had begun, and is a scenario', async () => {
    const { post } = stage();
    const read = readScenario(TEXT, 'one.yaml');
    if (!read.ok) throw new Error('It should be read.');
    const { body } = await post('/console/branches', { document: read.document, steps: 1, atMs: 90_000 });
    const again = readScenario(String(body['text']), 'branch.yaml');
    if (!again.ok) throw new Error(JSON.stringify(again.problems));
    expect(again.document['steps']).toEqual([{ at: '1m', weather: { coverage: 'none' }, for: '1m' }]);
    expect(body['text']).toContain('1m30s');
  });
});
