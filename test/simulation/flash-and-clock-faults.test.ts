import { expect, test } from 'vitest';
import { CHECKS } from '../../judge/rules/checks.ts';
import { failuresOf, playAndInspect, playScenario } from '../support/simulation/play-scenario.ts';

const scenario = (steps: string) => `
name: flash-and-clock
about: The flash and the clock of boxes fail.
seed: 4
strict: true
fleet: [{ count: 2, model: petrol-compact, firmware: "2.31", driving: true }]
steps:
${steps}
always: all
`;

const findingsOf = ({ checkers }: Awaited<ReturnType<typeof playScenario>>) =>
  checkers.flatMap(({ checker, findings }) => findings.map(({ text }) => `${checker}: ${text}`));

test.each(['torn-write', 'lost-write'])(
  'a box whose power fails in a write (%s) starts again, and no sequence is missing',
  async (word) => {
    await playAndInspect(
      scenario(`
  - { at: 30s, break: { box: ${word} }, for: 30s, expect: { connected: false } }
  - { at: 3m, break: { box: ${word} }, for: 60s }
  - { at: 3m, call: { command: request-vehicle-state } }
  - { at: 6m, break: { box: ${word} }, for: 60s }
  - { at: 6m, call: { command: unlock-central-lock } }
  - { at: 10m, within: 60s, expect: { connected: true, journal: empty } }`),
      async (evidence, { vehicles }, findings) => {
        expect(findings).toEqual([]);
        for (const vehicle of vehicles) {
          expect(vehicle.box?.snapshot()).toMatchObject({ boot: 4, resetReason: 'GENERAL' });
          const sequences: number[] = [];
          for await (const page of evidence.records(vehicle))
            sequences.push(...page.map(({ sequence }) => sequence));
          expect(sequences.toSorted((one, other) => one - other)).toEqual(
            Array.from({ length: sequences.length }, (_, index) => index + 1),
          );
        }
      },
    );
  },
);

test('a write that is interrupted while nothing is recorded is told as missed', async () => {
  const outcome = await playScenario(
    scenario(`
  - { at: 30s, park: }
  - { at: 90s, break: { box: torn-write }, for: 1s }`),
  );
  expect(outcome.warnings.map(({ text }) => text)).toEqual(['no box wrote a record while it lasted']);
});

test('on a slow flash all that is recorded takes longer, and nothing is lost', async () => {
  const outcome = await playScenario(
    scenario(`
  - { at: 30s, break: { box: { flash-slow: { by: 3s } } }, for: 2m }
  - { at: 60s, call: { command: request-vehicle-state }, expect: [{ status: 200 }, { took: { at_least: 3s } }] }
  - { at: 3m, within: 60s, expect: { connected: true, journal: empty } }`),
    { checks: CHECKS },
  );
  expect(failuresOf(outcome)).toEqual([]);
  expect(findingsOf(outcome)).toEqual([]);
});

test('a command that expires while the flash is slow moves nothing, and says so', async () => {
  await playAndInspect(
    scenario(`
  - { at: 10s, park: }
  - { at: 60s, break: { box: { flash-slow: { by: 40s } } }, for: 30s }
  - { at: 61s, call: { command: disable-driving }, expect: { status: 504 }, within: 60s }
  - { at: 5m, within: 60s, expect: [{ connected: true }, { truth: { drivingEnabled: true } }] }`),
    async (evidence, { vehicles }, findings) => {
      expect(findings).toEqual([]);
      for (const vehicle of vehicles) expect(await evidence.outputActions(vehicle)).toEqual([]);
    },
  );
});

test('a clock that runs slow is wrong by what it has lost, until the backend tells the time', async () => {
  await playAndInspect(
    scenario(`
  - { at: 1m, weather: { coverage: none }, for: 20m }
  - { at: 1m, break: { box: { clock-drift: { ppm: -20000 } } }, for: 20m }
  - { at: 30m, within: 60s, expect: { connected: true } }`),
    async (evidence, { vehicles }, findings) => {
      expect(findings).toEqual([]);
      for (const vehicle of vehicles) {
        const errors = evidence.clockErrors(vehicle).map(({ errorMs }) => errorMs ?? 0);
        // A fiftieth of twenty minutes.
        expect(Math.min(...errors) / 1_000).toBeCloseTo(-24, 0);
        expect(Math.abs(errors.at(-1) ?? 0)).toBeLessThan(1_000);
      }
    },
  );
});
