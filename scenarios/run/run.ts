import type { Check, CheckScope } from '../checkers/check.ts';
import type { CheckerName } from '../language/checkers.ts';
import type { Scenario } from '../language/scenario.ts';
import { heal } from './heal.ts';
import type { Witness } from './options.ts';
import type { Outcome, Verdict } from './outcome.ts';
import { playSteps } from './play.ts';
import { RunRecord } from './record.ts';
import type { Theatre } from './theatre.ts';

/** What a run is made with beside the scenario. */
export interface RunParts {
  readonly theatre: Theatre;
  readonly checks: Readonly<Record<CheckerName, Check>>;
  /** What has happened so far is read from it while the run goes on, and if it ends before its time. */
  readonly record?: RunRecord;
  readonly witness?: Pick<Witness, 'begins' | 'fact'>;
}

/** Everything that a run came to, but for what only its world knows (the hash of its trace). */
export type Ran = Omit<Outcome, 'hash'>;

/**
 * Raises the theatre, plays the scenario, lets all heal and asks the checkers. Rejects with what the world threw;
 * `outcomeOfError` makes an outcome of that. The theatre is closed by the caller.
 */
export async function run(
  scenario: Scenario,
  { theatre, checks, record = new RunRecord(theatre.time), witness }: RunParts,
): Promise<Ran> {
  if (witness !== undefined) record.listen((fact) => witness.fact(fact));
  theatre.watch(
    (fact) => record.note(fact),
    (message) => record.keep(message),
  );
  await theatre.raise();
  witness?.begins(theatre);
  const { startMs, expectations } = await playSteps(scenario, theatre, record);
  const broken = scenario.always.length === 0 ? [] : await checkAll(scenario, theatre, checks, record);
  const { checkers } = record;
  const failed =
    expectations.some(({ isMet }) => !isMet) || checkers.some(({ findings }) => findings.length > 0);
  return {
    ...factsOf(scenario, theatre, record, startMs),
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
  theatre: Theatre,
  record: RunRecord,
  startMs: number,
  verdict: Extract<Verdict, 'stuck' | 'crashed'>,
  reason: string,
): Ran {
  return {
    ...factsOf(scenario, theatre, record, record.beganMs ?? startMs),
    verdict,
    reason,
    expectations: record.expectations,
    checkers: record.checkers,
  };
}

/** Asks every checker; resolves with a sentence for each that broke, which keeps none of the others from being asked. */
async function checkAll(
  scenario: Scenario,
  theatre: Theatre,
  checks: RunParts['checks'],
  record: RunRecord,
): Promise<readonly string[]> {
  const unhealed = await heal(theatre, scenario.limits.healMs);
  const scope: CheckScope = {
    scenario,
    players: theatre.players,
    evidence: theatre.evidence,
    theatre,
    facts: record.facts,
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

function factsOf(scenario: Scenario, theatre: Theatre, record: RunRecord, startMs: number) {
  return {
    scenario,
    world: theatre.world,
    seed: scenario.seed,
    startMs,
    endMs: theatre.time.nowMs(),
    facts: record.facts,
    factsDropped: record.dropped,
    vehicles: theatre.players.map(({ number, vehicleId, boxId, group, model }) => ({
      number,
      vehicleId,
      ...(boxId === undefined ? {} : { boxId }),
      group: group.as,
      model,
    })),
  };
}
