import { failed, passed } from '../../../judge/verdict.ts';
import type { PlayedScenario } from '../../../scenarios/reports/played-scenario.ts';
import type { RunOutcome } from '../../../scenarios/run/outcome.ts';
import { SCENARIO, START_MS } from './any-outcome.ts';

/** A run in which the second of two vehicles did not answer as expected. */
export const FAILED_OUTCOME: RunOutcome = {
  scenario: SCENARIO,
  world: 'virtual',
  seed: 7,
  verdict: 'failed',
  startMs: START_MS,
  endMs: START_MS + 300_000,
  expectations: [
    {
      step: 2,
      expectation: 0,
      isNever: false,
      vehicle: 1,
      atMs: START_MS + 150_020,
      ...passed('status 504'),
    },
    {
      step: 2,
      expectation: 0,
      isNever: false,
      vehicle: 2,
      atMs: START_MS + 180_000,
      ...failed('status is 200, expected 504'),
    },
  ],
  warnings: [],
  warningsDropped: 0,
  checkers: [
    { checker: 'nothing-lost', ...passed('812 records') },
    {
      checker: 'order-per-box',
      ...failed('800 messages', [{ vehicle: 2, text: 'record 7 came after record 9' }]),
    },
  ],
  facts: [
    { atMs: START_MS + 1_000, kind: 'act', vehicle: 2, name: 'drive' },
    {
      atMs: START_MS + 120_000,
      kind: 'fault',
      name: 'coverage',
      detail: 'none',
      vehicles: [1],
      phase: 'begins',
    },
    {
      atMs: START_MS + 150_000,
      kind: 'call',
      call: 1,
      vehicle: 2,
      what: 'command unlock-central-lock',
      as: 'owner',
    },
    { atMs: START_MS + 150_800, kind: 'answer', call: 1, vehicle: 2, status: 200, tookMs: 800 },
    { atMs: START_MS + 151_000, kind: 'journal', vehicle: 1, held: 4 },
    { atMs: START_MS + 200_000, kind: 'fault', name: 'cut', detail: '{}', vehicles: [1], phase: 'happens' },
  ],
  factsDropped: 0,
  vehicles: [
    { number: 1, vehicleId: 'AAA11', boxId: '01', group: 'cars', model: 'petrol-compact' },
    { number: 2, vehicleId: 'BBB22', boxId: '02', group: 'cars', model: 'petrol-compact' },
  ],
  hash: 'ab12',
};
/** As reports are made of. */
export const FAILED_RUN: PlayedScenario = {
  file: 'tunnel.yaml',
  outcome: FAILED_OUTCOME,
  wallMs: 812,
  repeat: 'npx boxtwin scenario run tunnel.yaml --seed 7',
};
