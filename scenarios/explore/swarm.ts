import { seededRandom } from '../../world/random/seeded-random.ts';
import type { ScenarioDocument } from '../language/document/problem.ts';
import { formatSpan, parseSpan } from '../language/document/quantity.ts';
import type { WordTable } from '../language/document/word-row.ts';
import { EVERY_CHECKER } from '../language/expectations/checkers.ts';
import { BREAKS } from '../language/steps/breaks.ts';
import { CALLS } from '../language/steps/calls.ts';
import { VEHICLE_ACTS } from '../language/steps/vehicle-acts.ts';
import { WEATHER } from '../language/steps/weather.ts';
import type { RandomSource } from '../language/vary/draw.ts';
import { type GeneratorOptions, generateDocument } from '../language/vary/generate.ts';
import type { ScenarioRunner } from '../run/options.ts';
import { limits } from './limits.ts';
import type { ParallelRuns } from './parallel-runs.ts';
import { type FailingScenario, type SmallestFailure, shrink, shrunk } from './shrink.ts';
import { Trial, type TrialResult } from './trial.ts';
import { type CellAim, UnmetCells } from './unmet-cells.ts';
import { withWorkOfBackends } from './workload/aimed-at-backends.ts';
import { canLead, withUnmetCells } from './workload/aimed-at-cells.ts';
import { withAimedWork } from './workload/aimed-work.ts';
import { withClientQuota } from './workload/client-quota.ts';
import { withEveryCrashPoint } from './workload/crash-points.ts';
import type { OperationName } from './workload/operation-names.ts';
import { withOrderlyMoves } from './workload/orderly-moves.ts';
import { withFaultsOf, withServiceWork } from './workload/service-work.ts';
import { withSeveralBackends } from './workload/several-backends.ts';
import { withForms } from './workload/step-forms.ts';
import {
  drawWorkMenu,
  NOT_FOR_ANYBODY,
  PACES,
  preferredCell,
  type WorkMenu,
  withWork,
} from './workload/workload.ts';

export interface SwarmSettings {
  /** At most so many. */
  readonly runs: number;
  /** Asked before each run; absent: only the number of runs ends it. */
  readonly isOver?: (() => boolean) | undefined;
  /** Whether it looks on after a failure; the same reason is made smaller once. Absent: it ends with the first. */
  readonly keepsGoing?: boolean | undefined;
  /** A whole number from 0 to 2^32 - 1. */
  readonly seed: number;
  readonly runner: ScenarioRunner;
  /** Of this kind of work there is most in each run; absent: all kinds alike. */
  readonly focus?: OperationName | undefined;
  readonly shrinkRuns?: number;
  /** Absent: one run after the other. The outcome and the progress are the same. */
  readonly parallel?: ParallelRuns | undefined;
  readonly progress?: (at: SwarmProgress) => void;
}

/** A whole scenario, drawn, with the menu that it was drawn from. */
export interface DrawnScenario {
  /** From 1. */
  readonly run: number;
  readonly options: GeneratorOptions & WorkMenu;
  readonly document: ScenarioDocument;
}

export type SwarmProgress =
  | { readonly phase: 'begin'; readonly drawn: DrawnScenario; readonly of: number }
  | { readonly phase: 'end'; readonly drawn: DrawnScenario; readonly of: number; readonly tried: TrialResult }
  /** When one is found, and whenever that got smaller. */
  | { readonly phase: 'shrink'; readonly found: SwarmFound };

export interface SwarmFound {
  readonly drawn: DrawnScenario;
  readonly first: FailingScenario;
  readonly smallest: SmallestFailure;
  /** Runs that made it smaller, so far. */
  readonly shrinkRuns: number;
}

export interface SwarmOutcome {
  readonly seed: number;
  readonly runs: number;
  /** In the order of the runs, each for another reason. */
  readonly found: readonly SwarmFound[];
}

/**
 * The scenario of that run: each from its own stream, so that any one can be drawn without those before it, but for the
 * cells that it is led to, which those before it have left.
 */
export function drawScenario(
  seed: number,
  run: number,
  focus?: OperationName,
  aims: readonly CellAim[] = [],
): DrawnScenario {
  const random = seededRandom(seed);
  const menu = drawWorkMenu(random.stream(`swarm/${run}/work-menu`), focus);
  const options = { ...drawGeneratorOptions(random.stream(`swarm/${run}/menu`)), ...menu };
  const name = `swarm-${seed}-${run}`;
  const drawn = generateDocument(random.stream(`swarm/${run}/scenario`), name, {
    ...options,
    longestMs: PACES[menu.pace].lengthMs,
  });
  const alone = { ...drawn, steps: (drawn['steps'] as readonly JsonObject[]).map(withCard) };
  const worked = withWork(random.stream(`swarm/${run}/work`), alone, menu, options, {
    focus,
    preferred: preferredCell(run),
  });
  const lengthMs = PACES[menu.pace].lengthMs;
  const aimedAt = withAimedWork(random.stream(`swarm/${run}/aimed-work`), worked, lengthMs, options);
  const document = withUnmetCells(random.stream(`swarm/${run}/unmet-cells`), aimedAt, aims, lengthMs);
  const fleet = (document['fleet'] as readonly JsonObject[]).map(fitting);
  const timed = (document['steps'] as readonly JsonObject[]).map(withoutFile).map(withinPatience);
  const formed = withForms(random.stream(`swarm/${run}/forms`), timed);
  const steps = withEveryCrashPoint(random.stream(`swarm/${run}/crash-points`), formed);
  const ordinary = { ...document, fleet, steps, always: [EVERY_CHECKER] };
  if (focus !== undefined) return { run, options, document: ordinary };
  const served = withServiceWork(random.stream(`swarm/${run}/service-work`), ordinary, { run, lengthMs });
  const several = withSeveralBackends(random.stream(`swarm/${run}/backends`), served, run);
  const aimed = random.stream(`swarm/${run}/aimed-at-backends`);
  const workedOn = withWorkOfBackends(aimed, several, { run, lengthMs });
  const moved = withOrderlyMoves(random.stream(`swarm/${run}/orderly-moves`), workedOn);
  const whole = withClientQuota(random.stream(`swarm/${run}/client-quota`), moved);
  return { run, options: { ...withFaultsOf(options, whole), ...menu }, document: whole };
}

/** The scenario of that run of a swarm, led to what its runs have not met. To be asked once a run, in order. */
export function drawLedScenario(
  unmet: UnmetCells,
  seed: number,
  run: number,
  focus?: OperationName,
): DrawnScenario {
  const aims = focus === undefined ? unmet.aimsOf(run, seededRandom(seed).stream(`swarm/${run}/aims`)) : [];
  return drawScenario(seed, run, focus, aims);
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Features that every box takes, whatever its generation, sensors and installation are drawn to be. */
const FOR_EVERY_BOX: ReadonlySet<string> = new Set(['tracking', 'driving-events', 'parking-events']);

/** A run begins with the features of its groups in force: what a box would refuse cannot be drawn for one. */
function fitting(group: JsonObject): JsonObject {
  const { features } = group;
  if (typeof features !== 'object' || features === null) return group;
  const kept = Object.entries(features).filter(([name]) => FOR_EVERY_BOX.has(name));
  return { ...group, features: kept.length === 0 ? 'none' : Object.fromEntries(kept) };
}

/** No file stands beside a drawn scenario: of recorded links those that are built in are played. */
function withoutFile(step: JsonObject): JsonObject {
  const { trace } = (step['weather'] ?? {}) as { readonly trace?: JsonObject };
  if (trace?.['file'] === undefined) return step;
  const { file: _, ...rest } = trace;
  return { ...step, weather: { trace: { ...rest, link: 'train' } } };
}

/**
 * What lasts longer than anybody waits for it. A store that takes minutes for each call is one that is down, and a box
 * that changes its network, or writes one page of its flash, for as long as all may take to heal cannot heal.
 */
function withinPatience(step: JsonObject): JsonObject {
  const { store, box } = (step['break'] ?? {}) as {
    readonly store?: { readonly slow?: { readonly by: string } };
    readonly box?: { readonly 'flash-slow'?: { readonly by: string } };
  };
  const flash = box?.['flash-slow'];
  if (flash !== undefined)
    return { ...step, break: { box: { 'flash-slow': { by: scaled(flash.by, limits.swarmGapMs) } } } };
  if (store?.slow !== undefined)
    return { ...step, break: { store: { slow: { by: scaled(store.slow.by, limits.swarmStoreSlowMs) } } } };
  // A backend that begins anew waits for its broker, and a run waits for the backend before it ends what lasts.
  const { backend, broker } = (step['break'] ?? {}) as Readonly<Record<string, JsonObject | undefined>>;
  const isEndless =
    (backend !== undefined && ('stall' in backend || 'half_open' in backend)) ||
    (broker !== undefined && 'no-majority' in broker);
  if (isEndless && step['for'] === undefined) return { ...step, for: formatSpan(limits.swarmLinkMs) };
  const [[name, settings] = ['', undefined]] = Object.entries((step['weather'] ?? {}) as JsonObject);
  const spans = SPANS_OF_WEATHER[name];
  if (spans === undefined || typeof settings !== 'object') return step;
  const shorter = Object.entries(settings as JsonObject).map(([word, value]) => [
    word,
    spans.includes(word) && typeof value === 'string' ? scaled(value, limits.swarmGapMs) : value,
  ]);
  return { ...step, weather: { [name]: Object.fromEntries(shorter) } };
}

/** How long something stays away: what is sent under minutes of latency comes long after the weather is over. */
const SPANS_OF_WEATHER: Readonly<Record<string, readonly string[]>> = {
  roaming: ['gap'],
  latency: ['base', 'jitter'],
  slow_close: ['delay'],
};

/**
 * A card that its owner has suspended stays so, and its box away: only the work of a day suspends one, and activates
 * it again.
 */
function withCard(step: JsonObject): JsonObject {
  const { command, ...rest } = (step['call'] ?? {}) as { readonly command?: string };
  if (command !== 'request-sim-suspension') return step;
  return { ...step, call: { command: 'request-sim-activation', ...rest } };
}

/** Not cut off: short ones are drawn as often as long ones. */
function scaled(drawn: string, mostMs: number): string {
  return formatSpan(Math.round(((parseSpan(drawn) ?? 0) * mostMs) / limits.swarmLongestMs));
}

/**
 * Runs drawn scenarios until one fails, and makes that one smaller. What is refused is an outcome like any other: only
 * a finding of a checker, a world that is stuck and a crash are failures. Rejects with what the runner rejects with.
 */
export async function swarm(settings: SwarmSettings): Promise<SwarmOutcome> {
  const { runs, seed, parallel, isOver, keepsGoing = false, progress } = settings;
  const found: SwarmFound[] = [];
  const known = new Set<string>();
  let ended = 0;
  const unmet = new UnmetCells(canLead);
  for (const { drawn, trial } of trialsInOrder(settings, unmet)) {
    if (isOver?.() === true) break;
    const { run } = drawn;
    progress?.({ phase: 'begin', drawn, of: runs });
    const tried = await trial.of(drawn.document);
    ended = run;
    progress?.({ phase: 'end', drawn, of: runs, tried });
    if (tried.kind === 'unreadable')
      throw new Error(`The drawn scenario of run ${run} is wrong: ${tried.message}`);
    unmet.note(run, tried.outcome.cells ?? []);
    if (tried.kind === 'passed') continue;
    const reason = tried.reasons.find(({ key }) => !known.has(key));
    if (reason === undefined) continue;
    for (const { key } of tried.reasons) known.add(key);
    if (!keepsGoing) parallel?.dropAll();
    found.push(
      await smallestOf(
        { drawn, first: { document: drawn.document, outcome: tried.outcome, reason }, trial },
        settings,
      ),
    );
    if (!keepsGoing) break;
  }
  return { seed, runs: ended, found };
}

async function smallestOf(
  {
    drawn,
    first,
    trial,
  }: { readonly drawn: DrawnScenario; readonly first: FailingScenario; readonly trial: Trial },
  { shrinkRuns, progress }: SwarmSettings,
): Promise<SwarmFound> {
  const untilRuns = trial.runs + (shrinkRuns ?? limits.shrinkRuns);
  const soFar = (smallest: SmallestFailure): SwarmFound => ({
    drawn,
    first,
    smallest,
    shrinkRuns: trial.runs - 1,
  });
  const tell = (smallest: SmallestFailure): void => progress?.({ phase: 'shrink', found: soFar(smallest) });
  tell(shrunk({ failing: first }, false));
  return soFar(await shrink(first, { trial, untilRuns, progress: tell }));
}

/** Each run with its trial, in order. In parallel those that follow have been begun. */
function* trialsInOrder({ runs, seed, runner, parallel, focus }: SwarmSettings, unmet: UnmetCells) {
  const ahead =
    parallel === undefined ? 0 : Math.min(parallel.jobs * limits.aheadPerJob, limits.coverageRound - 1);
  const begun: { readonly drawn: DrawnScenario; readonly trial: Trial }[] = [];
  for (let run = 1; run <= runs; run += 1) {
    const one = { drawn: drawLedScenario(unmet, seed, run, focus), trial: new Trial(runner) };
    if (ahead > 0) one.trial.begin(one.drawn.document);
    begun.push(one);
    if (begun.length > ahead) yield* begun.splice(0, 1);
  }
  yield* begun;
}

/**
 * A menu for one run: each kind of fault, act and call is in it or not, by a coin of its own. Bugs that one kind hides
 * from another are found so, and not where everything is drawn at once (Groce and others, Swarm Testing, ISSTA 2012).
 * Nothing is expected: what a random scenario can promise, the checkers know.
 */
function drawGeneratorOptions(source: RandomSource): GeneratorOptions {
  const some = (names: readonly string[]): readonly string[] => {
    const kept = names.filter(() => source.whole(0, 1) === 1);
    // A kind without a name in it cannot be drawn from; without any the menu would be empty.
    return kept;
  };
  const breaks = Object.entries(BREAKS)
    .map(
      ([part, table]) =>
        [part, some(virtual(table).filter((name) => !NOT_FOR_ANYBODY.has(`${part} ${name}`)))] as const,
    )
    .filter(([, names]) => names.length > 0);
  const acts = some(Object.keys(VEHICLE_ACTS));
  return {
    acts: acts.some((name) => VEHICLE_ACTS[name]?.of.includes('box')) ? acts : [],
    calls: some(virtual(CALLS)),
    weather: some(virtual(WEATHER)),
    breaks: breaks.length === 0 ? { box: ['brown-out'] } : Object.fromEntries(breaks),
    expectations: [],
    mostSteps: limits.swarmSteps,
    mostVehicles: limits.swarmVehicles,
    longestMs: limits.swarmLongestMs,
  };
}

function virtual(table: WordTable): readonly string[] {
  return Object.keys(table).filter((name) => table[name]?.worlds.virtual === true);
}
