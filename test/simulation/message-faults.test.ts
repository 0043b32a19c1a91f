import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CHECKS } from '../../judge/rules/checks.ts';
import { MESSAGE_KINDS } from '../../protocol/message-kinds.ts';
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
const MORE = {
  lose: [''],
  delay: [', by: 9s'],
  double: ['', ', by: 9s', ', by: 50s'],
  reorder: [''],
} as const;

/** Every word with every kind that it takes. */
const ways = (Object.keys(MORE) as (keyof typeof MORE)[]).flatMap((word) =>
  Object.keys(MESSAGES)
    .flatMap((message) => MORE[word].map((more) => `message: ${message}, count: 3${more}`))
    .filter((settings) => WEATHER[word].settings.safeParse(parse(`{ ${settings} }`)).success)
    .map((settings) => [word, settings] as const),
);

describe('a fault of single messages has an effect, and all is as it should be in the end', () => {
  test.each(ways)('%s %s', async (word, settings) => {
    const outcome = await playScenario(scenario(`${word}: { ${settings} }`), { checks: CHECKS });
    expect(outcome.warnings.map(({ text }) => text)).toEqual([]);
    expect(failuresOf(outcome)).toEqual([]);
    expect(outcome.checkers.flatMap(({ findings }) => findings)).toEqual([]);
  });
});

/** A car replies to one command; a strict run fails where the fault has no effect. */
const atItsFrame = (weather: string, status: number) => `
name: at-its-frame
about: A frame that a box sends begins a fault of messages.
seed: 2
strict: true
fleet: [{ count: 2, model: petrol-compact, firmware: "2.31", driving: false }]
steps:
  - { at: 1s, when: { frame: reply }, weather: { ${weather} }, for: 8s }
  - { at: 10s, call: { command: request-vehicle-state }, expect: { status: ${status} } }
`;

describe('a fault of single messages that begins with a frame that the box sends affects this very frame', () => {
  test.each([
    ['lose: { message: command-reply }', 504],
    ['lose: { message: command-reply, connection: cut }', 200],
    ['delay: { message: command-reply, by: 5s }', 200],
    ['double: { message: command-reply }', 200],
    ['double: { message: command-reply, by: 30s }', 200],
    ['reorder: { message: command-reply }', 200],
  ])('%s', async (weather, status) => {
    const outcome = await playScenario(atItsFrame(weather, status), { checks: CHECKS });
    expect(outcome.warnings).toEqual([]);
    expect(failuresOf(outcome)).toEqual([]);
    expect(outcome.verdict).toBe('passed');
  });

  test('and no later one where the box replies again', async () => {
    const again = '  - { at: 1m, call: { command: lock-central-lock }, expect: { status: 200 } }\n';
    const text = atItsFrame('lose: { message: command-reply }', 504).replace('for: 8s', 'for: 3m') + again;
    expect(failuresOf(await playScenario(text, { checks: CHECKS }))).toEqual([]);
  });
});

describe('a fault of single messages that begins with a frame and has no effect gets a warning', () => {
  test.each(MESSAGE_KINDS.map(({ name, direction }) => [direction, name]))('%s: %s', async (_, frame) => {
    const { warnings } = await playScenario(`
name: never-struck
about: No box says again that it is there, since none is started again.
seed: 2
fleet: [{ count: 1, model: petrol-compact, firmware: "2.31", driving: false }]
steps:
  - { at: 1s, label: it, when: { frame: ${frame}, within: 2m }, weather: { lose: { message: birth } } }
  - { at: 10s, call: { command: request-vehicle-state } }
limits: { duration: 3m }
`);
    expect(warnings.map(({ label, text }) => `${label}: ${text}`)).toEqual([
      expect.stringMatching(
        /^it: (it never began: no frame .* came within 120 s|no birth came while it lasted)$/,
      ),
    ]);
  });
});
