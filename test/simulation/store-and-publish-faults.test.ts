import { expect, test } from 'vitest';
import { CHECKS } from '../../judge/rules/checks.ts';
import { failuresOf, playScenario } from '../support/simulation/play-scenario.ts';

const scenario = (steps: string) => `
name: store-and-publish
about: What was written is told to have failed, and what was published is lost.
seed: 4
strict: true
fleet: [{ count: 3, model: petrol-compact, firmware: "2.31", driving: true }]
steps:
${steps}
  - { at: 10m, within: 60s, expect: { connected: true, journal: empty } }
always: all
`;

const play = async (steps: string) => {
  const outcome = await playScenario(scenario(steps), { checks: CHECKS });
  expect(outcome.warnings).toEqual([]);
  expect(failuresOf(outcome)).toEqual([]);
  expect(outcome.checkers.flatMap(({ findings }) => findings)).toEqual([]);
  return outcome;
};

test('what was committed and answered with an error is stored once, and told once', async () => {
  await play(`
  - { at: 30s, break: { store: { commit-unknown: { count: 20 } } }, for: 30s }
  - { at: 2m, break: { store: commit-unknown }, for: 30s }
  - { at: 2m, call: { command: request-vehicle-state } }
  - { at: 4m, break: { store: { commit-unknown: { count: 2 } } }, for: 30s }
  - { at: 4m, call: { configure: { tracking: { time_interval_in_seconds: 15 } } } }`);
});

test('the last message of a vehicle that then falls silent does not wait for the next one', async () => {
  // Its commit is answered with an error, and the next try finds nothing to write.
  const outcome = await playScenario(
    `
name: last-word
about: The state that a command brings is stored, and the answer of the database is lost; nothing comes after it.
seed: 4
strict: true
fleet: [{ model: petrol-compact, firmware: "2.31", driving: false, features: none }]
steps:
  - { at: 30s, call: { command: unlock-central-lock }, within: 10s, expect: [{ status: 200 }, { message: VehicleStateReceived }] }
  - { at: 30s, break: { store: { commit-unknown: { count: 3 } } }, for: 10s }
always: all
`,
    { checks: CHECKS },
  );
  expect(failuresOf(outcome)).toEqual([]);
  expect(outcome.checkers.flatMap(({ findings }) => findings)).toEqual([]);
});

test('a message that is lost with its connection, and a service that dies behind it, comes from the outbox', async () => {
  const { facts } = await play(`
  - { at: 30s, break: { backend: { crash: { point: publish-lost } } }, for: 20s }
  - { at: 2m, break: { backend: { crash: { point: publish-lost } } }, for: 20s }
  - { at: 3m, expect: { message: VehicleStateReceived } }`);
  const deaths = facts.flatMap((fact) =>
    fact.kind === 'service' && fact.state === 'down' ? [fact.reason] : [],
  );
  expect(deaths).toEqual(['it crashed: publish-lost', 'it crashed: publish-lost']);
});

test('faults that find nothing to strike are told', async () => {
  const { warnings } = await playScenario(
    scenario('  - { at: 30s, break: { store: { commit-unknown: { count: 3 } } }, for: 1ms }').replace(
      'driving: true',
      'driving: false, features: none',
    ),
  );
  expect(warnings.map(({ text }) => text)).toEqual(['nothing was written while it lasted']);
});
