import { failed } from '../../../judge/verdict.ts';
import type { ScenarioDocument } from '../../../scenarios/language/document/problem.ts';
import { readDocument } from '../../../scenarios/language/document/read.ts';
import type { Scenario } from '../../../scenarios/language/document/scenario.ts';
import type { ScenarioRunner } from '../../../scenarios/run/options.ts';
import type { RunOutcome } from '../../../scenarios/run/outcome.ts';

/** A runner without a world: `fault` says of a scenario why nothing-lost would find something, or that it crashes. */
export function fakeRunner(
  fault: (scenario: Scenario) => string | undefined,
): ScenarioRunner & { readonly ran: Scenario[] } {
  const ran: Scenario[] = [];
  const runner: ScenarioRunner = (scenario) => {
    ran.push(scenario);
    const thought = fault(scenario);
    const isCrash = thought?.startsWith('crash') === true;
    // A finding takes a checker that is asked.
    const text = isCrash || scenario.always.includes('nothing-lost') ? thought : undefined;
    const outcome: RunOutcome = {
      scenario,
      world: 'virtual',
      seed: scenario.seed,
      verdict: text === undefined ? 'passed' : isCrash ? 'crashed' : 'failed',
      ...(isCrash ? { reason: thought ?? '' } : {}),
      startMs: 0,
      endMs: 1,
      expectations: [],
      warnings: [],
      warningsDropped: 0,
      checkers: text === undefined || isCrash ? [] : [{ checker: 'nothing-lost', ...failed('', text) }],
      facts: [],
      factsDropped: 0,
      vehicles: [],
    };
    return Promise.resolve(outcome);
  };
  return Object.assign(runner, { ran });
}

export function parsedScenario(document: ScenarioDocument): Scenario {
  const checked = readDocument(document);
  if (!checked.ok) throw new Error(checked.faults.map(({ message }) => message).join('\n'));
  return checked.scenario;
}

/** How long there is no coverage in all. */
export function noCoverageMs({ steps }: Scenario): number {
  return steps.reduce((sum, { does, forMs = 0 }) => {
    const isDark =
      does?.kind === 'weather' && does.weather.name === 'coverage' && does.weather.settings === 'none';
    return sum + (isDark ? forMs : 0);
  }, 0);
}

/** Seven steps of which one matters. */
export const SEVEN_STEPS: ScenarioDocument = {
  name: 'drive',
  about: 'Cars and mopeds, and a tunnel.',
  seed: 7,
  fleet: [
    {
      as: 'cars',
      count: 12,
      model: 'petrol-compact',
      firmware: '2.31',
      driving: true,
      features: { tracking: {}, 'driving-events': {} },
    },
    { as: 'mopeds', count: 3, model: 'electric-moped' },
  ],
  steps: [
    { at: '20s', weather: { latency: { base: '50ms', jitter: '10ms' } }, on: 'cars', for: '5m' },
    { at: '1m', call: { command: 'draw-attention' }, on: 'mopeds', expect: { status: 200 } },
    { at: '1m', label: 'tunnel', weather: { coverage: 'none' }, for: '5s', on: 'cars' },
    { at: '1m', call: { command: 'request-vehicle-state' } },
    { after: 'tunnel', delay: '10s', on: { same_as: 'tunnel' }, call: { command: 'request-vehicle-state' } },
    { break: { box: 'brown-out' }, on: 'mopeds' },
    { within: '10s', expect: { connected: true } },
  ],
  vary: { 'steps[tunnel].for': '1s..10m', 'fleet[0].firmware': ['2.40', '2.10'] },
};
