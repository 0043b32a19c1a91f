import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { failuresOf, playScenario } from '../support/simulation/play-scenario.ts';

const PAGE = readFileSync(new URL('../../docs/scenarios.md', import.meta.url), 'utf8');

/** Every whole scenario of docs/scenarios.md, by its name. */
const EXAMPLES = [...PAGE.matchAll(/```yaml\n([\s\S]*?)```/g)].flatMap(
  ([, text = '']): [string, string][] => {
    const [, name] = /^name: (\S+)$/m.exec(text) ?? [];
    return name === undefined ? [] : [[name, text]];
  },
);

test('the page has examples', () => {
  expect(EXAMPLES.length).toBeGreaterThan(1);
});

test.each(EXAMPLES)(
  'the example %s of docs/scenarios.md passes as it stands, and without warnings',
  async (_, text) => {
    const outcome = await playScenario(text);
    expect(failuresOf(outcome)).toEqual([]);
    expect(outcome.warnings).toEqual([]);
    expect(outcome.verdict).toBe('passed');
  },
);
