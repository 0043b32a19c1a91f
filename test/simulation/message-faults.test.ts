import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../scenarios/checkers/checks.ts';
import { MESSAGES, WEATHER } from '../../scenarios/language/steps/weather.ts';
import { failuresOf, playScenario } from '../support/simulation/play-scenario.ts';

/** Two cars that drive, get a command and begin a connection while the weather is there. */
const scenario = (weather: string) => `
name: message-faults
about: Some messages of one kind meet a fault.
seed: 4
fleet: [{ count: 2, model: petrol-compact, firmware: "2.31", driving: true }]
steps:
  - { at: 30s, weather: { ${weather} }, for: 3m }
  - { at: 40s, call: { command: request-vehicle-state } }
  - { at: 80s, weather: cut }
  - { at: 2m, call: { command: request-system-status } }
  - { at: 5m, within: 2m, expect: { connected: true, journal: empty } }
always: all
`;

/** What a word needs beside the message. */
const MORE = { lose: {}, delay: { by: '9s' }, double: {}, reorder: {} } as const;

/** Every word with every kind that it takes. */
const ways = (Object.keys(MORE) as (keyof typeof MORE)[]).flatMap((word) =>
  Object.keys(MESSAGES)
    .filter((message) => WEATHER[word].settings.safeParse({ message, ...MORE[word] }).success)
    .map((message) => [word, message] as const),
);

describe('a fault of single messages strikes, and all is as it should be in the end', () => {
  test.each(ways)('%s %s', async (word, message) => {
    const more = word === 'delay' ? ', by: 9s' : '';
    const outcome = await playScenario(scenario(`${word}: { message: ${message}, count: 3${more} }`), {
      checks: CHECKS,
    });
    expect(outcome.warnings.map(({ text }) => text)).toEqual([]);
    expect(failuresOf(outcome)).toEqual([]);
    expect(outcome.checkers.flatMap(({ findings }) => findings)).toEqual([]);
  });
});
