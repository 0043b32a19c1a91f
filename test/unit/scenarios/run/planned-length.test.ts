import { expect, test } from 'vitest';
import { readScenario } from '../../../../scenarios/language/document/read.ts';
import { plannedLengthMs } from '../../../../scenarios/run/planned-length.ts';

const HEAD =
  'name: x\nabout: Something happens.\nseed: 1\nfleet: [{ count: 1, model: petrol-compact }]\nsteps:\n';

test.each([
  [
    'what lasts counts, what may come at once does not',
    '  - { at: 2m, weather: { coverage: none }, for: 90s }\n  - { within: 60s, expect: { connected: true } }\n',
    210,
  ],
  [
    'a step after a labelled one begins when that one is over',
    '  - { at: 1m, label: dark, weather: { coverage: none }, for: 9m }\n  - { after: dark, never: { connected: false }, within: 5m }\n',
    900,
  ],
  [
    'a step that is repeated lasts until the end of its last round',
    '  - { at: 1m, weather: { coverage: none }, for: 30s, repeat: { every: 1m, for: 3m } }\n',
    210,
  ],
  [
    'a run goes on for as long as it is to last',
    '  - { at: 1s, weather: cut }\nlimits: { duration: 1h }\n',
    3_600,
  ],
])('%s', (_what, steps, seconds) => {
  const read = readScenario(`${HEAD}${steps}`, 'x.yaml');
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('\n'));
  expect(plannedLengthMs(read.scenario)).toBe(seconds * 1_000);
});
