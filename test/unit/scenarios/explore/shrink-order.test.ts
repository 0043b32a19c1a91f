import { expect, test } from 'vitest';
import { failed } from '../../../../judge/verdict.ts';
import { shrink } from '../../../../scenarios/explore/shrink.ts';
import { Trial } from '../../../../scenarios/explore/trial.ts';
import type { ScenarioDocument } from '../../../../scenarios/language/document/problem.ts';
import type { Scenario } from '../../../../scenarios/language/document/scenario.ts';
import type { RunOutcome } from '../../../../scenarios/run/outcome.ts';
import { fakeRunner } from '../../../support/scenarios/fake-runner.ts';

const command = { call: { command: 'request-vehicle-state' } };
const DRAWN: ScenarioDocument = {
  name: 'drawn',
  about: 'Two backends, three groups, and steps for hours; the second group fails within a minute.',
  seed: 7,
  backends: 2,
  fleet: [
    { as: 'cars', count: 3 },
    { as: 'vans', count: 2 },
    { as: 'mopeds', count: 3, model: 'electric-moped' },
  ],
  steps: [
    { at: '10s', on: 'cars', ...command },
    { at: '20s', on: { group: 'vans', box: 1 }, ...command },
    { at: '30s', break: { backend: { pause: { which: 2 } } }, for: '5s' },
    { at: '40s', break: { backend: { crash: {} } }, for: '2s' },
    { at: '2m', on: 'mopeds', ...command },
    { at: '3h', ...command },
  ],
  always: ['nothing-lost'],
};

/** Fails in vehicle 4, the first van, after 35 s, if that one is asked. */
function runner(isOfOneBackend: boolean) {
  const asked = ({ steps, fleet }: Scenario): boolean =>
    steps.some(({ when, does }) => when !== undefined && 'atMs' in when && does?.kind === 'call') &&
    fleet.some(({ as }) => as === 'vans');
  const ran: Scenario[] = [];
  const run = async (scenario: Scenario): Promise<RunOutcome> => {
    ran.push(scenario);
    const outcome = await fakeRunner(() => undefined)(scenario);
    if (!asked(scenario) || (!isOfOneBackend && scenario.backends === undefined)) return outcome;
    const finding = { vehicle: 4, atMs: 35_000, text: 'a record of the van is lost' };
    return {
      ...outcome,
      verdict: 'failed',
      checkers: [{ checker: 'nothing-lost', ...failed('', [finding]) }],
      vehicles: [{ number: 4, vehicleId: 'V4', group: 'vans', model: 'petrol-compact' }],
    };
  };
  return { ran, run };
}

async function shrunkWith({ run }: ReturnType<typeof runner>) {
  const trial = new Trial(run);
  const tried = await trial.of(DRAWN);
  if (tried.kind !== 'failed') throw new Error('it does not fail');
  const [reason] = tried.reasons;
  const first = { document: DRAWN, outcome: tried.outcome, reason };
  return shrink(first, { trial, untilRuns: 300 });
}

const shapeOf = ({ backends, fleet, steps }: Scenario) =>
  `${backends ?? 1} backends, ${fleet.map(({ as }) => as).join(' ')}, ${steps.length} steps`;

test('what a finding is not about goes first: later steps, other backends, other groups', async () => {
  const of = runner(true);
  const { document } = await shrunkWith(of);
  expect(of.ran.slice(1, 4).map(shapeOf)).toEqual([
    '2 backends, cars vans mopeds, 3 steps',
    '1 backends, cars vans mopeds, 2 steps',
    '1 backends, vans, 1 steps',
  ]);
  expect(document).toMatchObject({ fleet: [{ as: 'vans' }], steps: [command] });
});

test('several backends stay where a single one does not fail', async () => {
  const { document } = await shrunkWith(runner(false));
  expect(document).toMatchObject({ backends: 2, fleet: [{ as: 'vans' }] });
});
