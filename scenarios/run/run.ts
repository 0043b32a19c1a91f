import type { Checker, CheckScope } from '../checkers/check.ts';
import type { Scenario } from '../language/document/scenario.ts';
import type { CheckerName } from '../language/expectations/checkers.ts';
import type { Testbed } from '../testbed/port/testbed.ts';
import { heal } from './heal.ts';
import type { RunObserver } from './options.ts';
import type { RunOutcome, RunVerdict } from './outcome.ts';
import { playSteps } from './play.ts';
import { RunRecord } from './record.ts';

/** What a run is made with beside the scenario. */
export interface RunParts {
  readonly testbed: Testbed;
  readonly checks: Readonly<Record<CheckerName, Checker>>;
  /** What has happened so far is read from it while the run goes on, and if it ends before its time. */
  readonly record?: RunRecord;
  readonly observer?: Pick<RunObserver, 'onStart' | 'onFact'>;
}

/** Everything that a run came to, but for what only its world knows (the hash of its trace). */
export type RunResult = Omit<RunOutcome, 'hash'>;

/**
 * Starts the testbed, plays the scenario, lets all heal and asks the checkers. Rejects with what the world threw;
 * `outcomeOfError` makes an outcome of that. The testbed is closed by the caller.
 */
export async function run(
  scenario: Scenario,
  { testbed, checks, record = new RunRecord(testbed.time), observer }: RunParts,
): Promise<RunResult> {
  if (observer !== undefined) record.listen((fact) => observer.onFact(fact));
  testbed.observe(
    (fact) => record.note(fact),
    (message) => record.keep(message),
  );
  await testbed.start();
  observer?.onStart(testbed);
  const { startMs, expectations } = await playSteps(scenario, testbed, record);
  const broken = scenario.always.length === 0 ? [] : await checkAll(scenario, testbed, checks, record);
  const { checkers, warnings } = record;
  const failed =
    expectations.some(({ isMet }) => !isMet) ||
    checkers.some(({ findings }) => findings.length > 0) ||
    (scenario.isStrict === true && warnings.length > 0);
  return {
    ...factsOf(scenario, testbed, record, startMs),
    ...(broken.length > 0
      ? { verdict: 'crashed', reason: broken.join(' ') }
      : { verdict: failed ? 'failed' : 'passed' }),
    expectations,
    checkers,
  };
}

/** The outcome of a run that ended before its time, with what had happened and what had been judged until then. */
export function cutShort(
  scenario: Scenario,
  testbed: Testbed,
  record: RunRecord,
  startMs: number,
  verdict: Extract<RunVerdict, 'stuck' | 'crashed'>,
  reason: string,
): RunResult {
  return {
    ...factsOf(scenario, testbed, record, record.beganMs ?? startMs),
    verdict,
    reason,
    expectations: record.expectations,
    checkers: record.checkers,
  };
}

/**
 * Asks every checker; resolves with a sentence for each that broke, which keeps none of the others from being asked.
 */
async function checkAll(
  scenario: Scenario,
  testbed: Testbed,
  checks: RunParts['checks'],
  record: RunRecord,
): Promise<readonly string[]> {
  const unhealed = await heal(testbed, scenario.limits.healMs);
  const scope: CheckScope = {
    scenario,
    vehicles: testbed.vehicles,
    evidence: testbed.evidence,
    testbed,
    facts: record.facts,
    factsDropped: record.dropped,
    unhealed,
  };
  const broken: string[] = [];
  for (const checker of scenario.always) {
    try {
      const { findings, seen } = await checks[checker](scope);
      const named = findings.map((finding) => ({ ...finding, checker }));
      for (const finding of named) record.note({ kind: 'finding', finding });
      record.checked({ checker, findings: named, seen });
    } catch (error) {
      broken.push(`The checker ${checker} broke: ${errorText(error)}.`);
    }
  }
  return broken;
}

/** An error in one line: its name and its words. */
export function errorText(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function factsOf(scenario: Scenario, testbed: Testbed, record: RunRecord, startMs: number) {
  return {
    scenario,
    world: testbed.world,
    seed: scenario.seed,
    startMs,
    endMs: testbed.time.nowMs(),
    warnings: record.warnings,
    warningsDropped: record.warningsDropped,
    facts: record.facts,
    factsDropped: record.dropped,
    vehicles: testbed.vehicles.map((vehicle) => {
      const { number, vehicleId, boxId, group, model } = vehicle;
      // Before the run began there is no box to ask.
      const firmware =
        boxId === undefined || record.beganMs === undefined
          ? undefined
          : testbed.snapshotOf(vehicle).belief['firmware'];
      return {
        number,
        vehicleId,
        ...(boxId === undefined ? {} : { boxId }),
        group: group.as,
        model,
        ...(typeof firmware === 'string' ? { firmware } : {}),
      };
    }),
  };
}
