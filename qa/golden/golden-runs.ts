import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ThreadedRuns } from '../../deployment/jobs/threaded-runs.ts';
import type { Fact } from '../../judge/evidence/fact.ts';
import { drawScenario } from '../../scenarios/explore/swarm.ts';
import { readDocument, readScenario } from '../../scenarios/language/document/read.ts';
import type { Scenario } from '../../scenarios/language/document/scenario.ts';
import type { RunOutcome, RunVerdict } from '../../scenarios/run/outcome.ts';
import { STORIES, storyFileOf } from '../../test/support/simulation/play-story.ts';

/** What a run did, as three values to compare with those of an earlier state of the code. */
export interface GoldenRow {
  readonly verdict: RunVerdict;
  /** Of the trace. */
  readonly hash: string;
  /**
   * SHA-256 over what users see, without ids and times: expectations, findings, answers, and the messages of
   * each vehicle in their order. A change of interleaving changes the hash of the trace, and not this.
   */
  readonly seen: string;
}

export type GoldenRows = Readonly<Record<string, GoldenRow>>;

/** A run by its name: `tunnel/2` is the story with seed 2, `swarm/17` the seventeenth scenario of the swarm. */
interface GoldenRun {
  readonly name: string;
  readonly scenario: Scenario;
  readonly readFile: (file: string) => string | undefined;
}

const SEEDS = [1, 2, 3];
const SWARM_SEED = 1;
const SWARM_RUNS = 200;

/** The names of all recorded runs: every story with each seed, then the scenarios of the swarm. */
export const GOLDEN_RUNS: readonly string[] = [
  ...STORIES.flatMap((story) => SEEDS.map((seed) => `${story}/${seed}`)),
  ...Array.from({ length: SWARM_RUNS }, (_, index) => `swarm/${index + 1}`),
];

/** Runs those runs on the threads; `ended` gets each row as soon as it is known. */
export async function goldenRows(
  names: readonly string[],
  threads: ThreadedRuns,
  ended: (name: string, row: GoldenRow) => void = () => undefined,
): Promise<GoldenRows> {
  const rows = names.map(async (name) => {
    const { scenario, readFile } = goldenRun(name);
    const { outcome } = await threads.run(scenario, { readFile, keepsFacts: true });
    const row = { verdict: outcome.verdict, hash: outcome.hash ?? '', seen: seenIn(outcome) };
    ended(name, row);
    return [name, row] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

function goldenRun(name: string): GoldenRun {
  const [family = '', number = ''] = name.split('/');
  return family === 'swarm' ? swarmRun(name, Number(number)) : storyRun(name, family, Number(number));
}

function storyRun(name: string, story: string, seed: number): GoldenRun {
  const path = storyFileOf(story);
  const read = readScenario(readFileSync(path, 'utf8'), path);
  if (!read.ok) throw new Error(`${path}: ${JSON.stringify(read.problems)}`);
  const readFile = (file: string): string => readFileSync(join(dirname(path), file), 'utf8');
  return { name, scenario: { ...read.scenario, seed }, readFile };
}

function swarmRun(name: string, run: number): GoldenRun {
  const read = readDocument(drawScenario(SWARM_SEED, run).document);
  if (!read.ok) throw new Error(`${name}: ${JSON.stringify(read.faults)}`);
  return { name, scenario: read.scenario, readFile: () => undefined };
}

function seenIn({ verdict, expectations, checkers, facts }: RunOutcome): string {
  const met = expectations.map(({ step, expectation, vehicle, result }) => [
    step,
    expectation,
    vehicle ?? 0,
    result === 'passed',
  ]);
  const findings = checkers.map(({ checker, findings: all }) => [checker, all.length]);
  const seen = [verdict, met, findings, answersIn(facts), messagesIn(facts)];
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex');
}

function answersIn(facts: readonly Fact[]): readonly unknown[] {
  const calls = new Map<number, unknown[]>();
  for (const fact of facts) {
    if (fact.kind === 'call') calls.set(fact.call, [fact.what, fact.as, fact.vehicle ?? 0]);
    if (fact.kind === 'answer') calls.get(fact.call)?.push(fact.status, fact.problem ?? '');
  }
  return [...calls.entries()].sort(([a], [b]) => a - b).map(([, call]) => call);
}

/** The messages of each vehicle in each queue, in order, by their names. */
function messagesIn(facts: readonly Fact[]): readonly unknown[] {
  const byVehicle = new Map<string, string[]>();
  for (const fact of facts) {
    if (fact.kind !== 'message') continue;
    const key = `${fact.vehicle ?? 0} ${fact.queue}`;
    const names = byVehicle.get(key) ?? [];
    names.push(fact.name);
    byVehicle.set(key, names);
  }
  return [...byVehicle.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
}
