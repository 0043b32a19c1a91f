import { expect, test } from 'vitest';
import { CHECKS } from '../../judge/rules/checks.ts';
import { failuresOf, playScenario } from '../support/simulation/play-scenario.ts';

/** Cars that drive, and more messages that get lost or late than there are in the whole run. */
function scenario(weather: string, more = ''): string {
  return `
name: lost-messages
about: Messages of one kind get lost or late.
seed: 4
fleet: [{ count: 2, model: petrol-compact, firmware: "2.31", driving: true }]
steps:
  - { at: 30s, weather: { ${weather} }${more} }
  - { at: 1m, call: { command: request-vehicle-state } }
  - { at: 3m, park: }
  - { at: 4m, expect: { journal: { at_least: 0 } } }
always: [nothing-lost, nothing-doubled, heals]
`;
}

const findingsOf = ({ checkers }: Awaited<ReturnType<typeof playScenario>>) =>
  checkers.flatMap(({ checker, findings }) => findings.map(({ text }) => `${checker}: ${text}`));

test.each([
  'lose: { message: amqp-confirm, count: 100000 }',
  'lose: { message: amqp-confirm, count: 100000, connection: cut }',
  'delay: { message: amqp-confirm, by: 5h, count: 100000 }',
  'lose: { message: receipt, count: 100000 }',
  'lose: { message: puback, count: 100000, connection: cut }',
  'lose: { message: command-request, count: 100000 }',
  'delay: { message: receipt, by: 5h, count: 100000 }',
  'delay: { message: puback, by: 5h, count: 100000 }',
  'delay: { message: command-reply, by: 5h, count: 100000 }',
])('%s ends with the run, whatever is left of its count, and everything recovers', async (weather) => {
  const outcome = await playScenario(scenario(weather), { checks: CHECKS });
  expect(failuresOf(outcome)).toEqual([]);
  expect(findingsOf(outcome)).toEqual([]);
});

test('with a `for` the connection recovers after it, while the run continues', async () => {
  const after = (more: string) =>
    playScenario(
      scenario('lose: { message: receipt, count: 100000 }', more).replace(
        '{ at: 4m, expect: { journal: { at_least: 0 } } }',
        '{ at: 4m, within: 10m, expect: { journal: empty } }',
      ),
      { checks: CHECKS },
    );
  expect(failuresOf(await after(', for: 1m'))).toEqual([]);
  expect(failuresOf(await after(''))).toHaveLength(2);
});
