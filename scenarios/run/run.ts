import type { CheckerName } from '../../judge/checkers.ts';
import type { Checker, CheckScope, PendingAfterHeal, RunPlan } from '../../judge/rules/check.ts';
import { sleep } from '../../world/time/time.ts';
import type { Scenario } from '../language/document/scenario.ts';
import { runLimits } from '../limits.ts';
import type { Testbed } from '../testbed/port/testbed.ts';
import type { RunObserver } from './options.ts';
import type { RunOutcome, RunVerdict } from './outcome.ts';
import { playSteps } from './play.ts';
import { RunRecord } from './record.ts';

/** The parameters of a run, in addition to the scenario. */
export interface RunParts {
  readonly testbed: Testbed;
  readonly checks: Readonly<Record<CheckerName, Checker>>;
  /** It is read for what has happened so far during the run, and if the run ends early. */
  readonly record?: RunRecord;
  readonly observer?: Pick<RunObserver, 'onStart' | 'onFact'>;
}

/** The whole result of a run, except for what only its world knows (the hash of its trace). */
export type RunResult = Omit<RunOutcome, 'hash'>;

/**
 * Starts the testbed, plays the scenario, lets all heal and calls the checkers. Rejects with what the world threw;
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
    expectations.some(({ result }) => result === 'failed') ||
    checkers.some(({ result }) => result === 'failed') ||
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

/** The outcome of a run that ended early, with the facts and results until then. */
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

/** Calls every checker; resolves with a sentence for each that threw, which does not stop the others. */
async function checkAll(
  scenario: Scenario,
  testbed: Testbed,
  checks: RunParts['checks'],
  record: RunRecord,
): Promise<readonly string[]> {
  const unhealed = await heal(testbed, scenario.limits.healMs);
  const scope: CheckScope = {
    plan: planOf(scenario),
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
      const verdict = await checks[checker](scope);
      for (const finding of verdict.findings)
        record.note({ kind: 'finding', finding: { ...finding, checker } });
      record.checked({ checker, ...verdict });
    } catch (error) {
      broken.push(`The checker ${checker} broke: ${errorWithName(error)}.`);
    }
  }
  return broken;
}

/** The part of a scenario that checkers read. */
export function planOf({ clients, backends = 1, rateLimit, steps, limits: { healMs } }: Scenario): RunPlan {
  const sharesTokens = steps.some(({ does }) => does?.kind === 'call' && does.call.bearer !== undefined);
  return { clients, backends, rateLimit, sharesTokens, healMs };
}

/** An error in one line: its name and its words. */
export function errorWithName(error: unknown): string {
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
      // Before the run began there is no box.
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

/**
 * Waits until pending work has settled. What was seen settled once counts as healed, since a driving vehicle always
 * has a record in transit. Resolves with what was pending at every poll until the time to heal was over.
 */
export async function heal(testbed: Testbed, healMs: number): Promise<readonly PendingAfterHeal[]> {
  const { time, evidence } = testbed;
  const untilMs = time.nowMs() + healMs;
  let still: ReadonlyMap<string, PendingAfterHeal> | undefined;
  for (;;) {
    const pending = new Map(
      (await evidence.pending()).map(({ what, reason, vehicle }) => [
        `${vehicle?.number ?? 0} ${what}`,
        { what, reason, ...(vehicle === undefined ? {} : { vehicle: vehicle.number }) },
      ]),
    );
    const before: ReadonlyMap<string, PendingAfterHeal> | undefined = still;
    still = before === undefined ? pending : new Map([...pending].filter(([key]) => before.has(key)));
    if (still.size === 0 || time.nowMs() >= untilMs) return [...still.values()];
    await sleep(time, Math.min(runLimits.healLookMs, untilMs - time.nowMs()));
  }
}
