import type { FeatureName } from '../../contract/features.ts';
import { EVERY_CHECKER } from '../../judge/checkers.ts';
import type { JsonObject } from '../../world/json.ts';
import { seededRandom } from '../../world/random/seeded-random.ts';
import type { ScenarioDocument } from '../language/document/problem.ts';
import { formatSpan, parseSpan } from '../language/document/quantity.ts';
import type { WordTable } from '../language/document/word-row.ts';
import { CRASH_POINTS } from '../language/steps/backend-breaks.ts';
import { BREAKS } from '../language/steps/breaks.ts';
import { CALLS } from '../language/steps/calls.ts';
import { ACT_NAMES, canDo } from '../language/steps/vehicle-acts.ts';
import { WEATHER } from '../language/steps/weather.ts';
import type { RandomSource } from '../language/vary/draw.ts';
import { type GeneratorOptions, generateDocument } from '../language/vary/generate.ts';
import { type DrawnPart, drawnOne } from '../language/vary/step-action.ts';
import { exploreLimits } from '../limits.ts';
import type { ScenarioRunner } from '../run/options.ts';
import type { ParallelRuns } from './parallel-runs.ts';
import { type FailingScenario, type SmallestFailure, shrink, shrunk } from './shrink.ts';
import { Trial, type TrialResult } from './trial.ts';
import { type CellAim, UnmetCells } from './unmet-cells.ts';
import { withWorkOfBackends } from './workload/aimed-at-backends.ts';
import { canLead, withUnmetCells } from './workload/aimed-at-cells.ts';
import { withAimedWork } from './workload/aimed-work.ts';
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
  /** The maximum number of runs. */
  readonly runs: number;
  /** Called before each run; absent: only the number of runs ends it. */
  readonly isOver?: (() => boolean) | undefined;
  /** Whether it continues after a failure; each reason is shrunk once. Absent: it ends with the first. */
  readonly keepsGoing?: boolean | undefined;
  /** A whole number from 0 to 2^32 - 1. */
  readonly seed: number;
  readonly runner: ScenarioRunner;
  /** The preferred kind of work of each run; absent: all kinds are equally likely. */
  readonly focus?: OperationName | undefined;
  readonly shrinkRuns?: number;
  /** Absent: runs are sequential. The outcome and the progress are the same. */
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
  /** When one is found, and whenever it becomes smaller. */
  | { readonly phase: 'shrink'; readonly found: SwarmFound };

export interface SwarmFound {
  readonly drawn: DrawnScenario;
  readonly first: FailingScenario;
  readonly smallest: SmallestFailure;
  /** The number of runs for shrinking so far. */
  readonly shrinkRuns: number;
}

export interface SwarmOutcome {
  readonly seed: number;
  readonly runs: number;
  /** In the order of the runs, each for another reason. */
  readonly found: readonly SwarmFound[];
}

/**
 * The scenario of that run: each from its own stream, so that any one can be drawn without its predecessors, except
 * for its aims, which are cells that its predecessors left.
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
  const fitted = (document['fleet'] as readonly JsonObject[]).map(fitting);
  const fleet = lengthMs > exploreLimits.longRunMs ? fitted.map(reportingLess) : fitted;
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

/** The scenario of that run of a swarm, aimed at unmet cells. Must be called once a run, in order. */
export function drawLedScenario(
  unmet: UnmetCells,
  seed: number,
  run: number,
  focus?: OperationName,
): DrawnScenario {
  const aims = focus === undefined ? unmet.aimsOf(run, seededRandom(seed).stream(`swarm/${run}/aims`)) : [];
  return drawScenario(seed, run, focus, aims);
}

/** Features that every box accepts, for any drawn generation, sensors and installation. */
const FOR_EVERY_BOX: ReadonlySet<string> = new Set<FeatureName>([
  'tracking',
  'driving-events',
  'parking-events',
]);

/** A run begins with the features of its groups in force, so only features that every box accepts can be drawn. */
function fitting(group: JsonObject): JsonObject {
  const { features } = group;
  if (typeof features !== 'object' || features === null) return group;
  const kept = Object.entries(features).filter(([name]) => FOR_EVERY_BOX.has(name));
  return { ...group, features: kept.length === 0 ? 'none' : Object.fromEntries(kept) };
}

/** The group, whose vehicles on the move report no more often than a long run allows. */
function reportingLess(group: JsonObject): JsonObject {
  const { features } = group as { readonly features?: { readonly tracking?: JsonObject } };
  const intervalS = features?.tracking?.['time_interval_in_seconds'];
  if (typeof intervalS !== 'number' || intervalS >= exploreLimits.longRunIntervalS) return group;
  const tracking = { ...features?.tracking, time_interval_in_seconds: exploreLimits.longRunIntervalS };
  return { ...group, features: { ...features, tracking } };
}

/** A drawn scenario has no other files: only built-in recorded links are played. */
function withoutFile(step: JsonObject): JsonObject {
  const { trace } = (step['weather'] ?? {}) as { readonly trace?: JsonObject };
  if (trace?.['file'] === undefined) return step;
  const { file: _, ...rest } = trace;
  return { ...step, weather: { trace: { ...rest, link: 'train' } } };
}

/**
 * Shortens what lasts longer than any timeout. A store that takes minutes for each call is down in effect, and a box
 * that changes its network, or writes one page of its flash, for as long as the time to heal cannot heal.
 */
function withinPatience(step: JsonObject): JsonObject {
  const { store, box } = (step['break'] ?? {}) as {
    readonly store?: { readonly slow?: { readonly by: string } };
    readonly box?: { readonly 'flash-slow'?: { readonly by: string } };
  };
  const flash = box?.['flash-slow'];
  if (flash !== undefined)
    return { ...step, break: { box: { 'flash-slow': { by: scaled(flash.by, exploreLimits.swarmGapMs) } } } };
  if (store?.slow !== undefined)
    return {
      ...step,
      break: { store: { slow: { by: scaled(store.slow.by, exploreLimits.swarmStoreSlowMs) } } },
    };
  // A backend that restarts waits for its broker, and a run waits for the backend before it ends lasting faults.
  const { backend, broker } = (step['break'] ?? {}) as Readonly<Record<string, JsonObject | undefined>>;
  const isEndless =
    (backend !== undefined && ('stall' in backend || 'half_open' in backend)) ||
    (broker !== undefined && 'no-majority' in broker);
  if (isEndless && step['for'] === undefined) return { ...step, for: formatSpan(exploreLimits.swarmLinkMs) };
  const [[name, settings] = ['', undefined]] = Object.entries((step['weather'] ?? {}) as JsonObject);
  const { holdsBack } = (WEATHER as WordTable)[name] ?? {};
  if (holdsBack === undefined || typeof settings !== 'object') return step;
  const shorter = Object.entries(settings as JsonObject).map(([word, value]) => [
    word,
    holdsBack.includes(word) && typeof value === 'string' ? scaled(value, exploreLimits.swarmGapMs) : value,
  ]);
  return { ...step, weather: { [name]: Object.fromEntries(shorter) } };
}

/**
 * A card that its owner has suspended stays so, and its box offline: only the work of a day suspends one, and
 * activates it again.
 */
function withCard(step: JsonObject): JsonObject {
  const { command, ...rest } = (step['call'] ?? {}) as { readonly command?: string };
  if (command !== 'request-sim-suspension') return step;
  return { ...step, call: { command: 'request-sim-activation', ...rest } };
}

/** Not truncated: short ones are as likely as long ones. */
function scaled(drawn: string, mostMs: number): string {
  return formatSpan(Math.round(((parseSpan(drawn) ?? 0) * mostMs) / exploreLimits.swarmLongestMs));
}

/**
 * Runs drawn scenarios until one fails, and shrinks that one. A refusal is an outcome like any other: only a finding
 * of a checker, a stuck world and a crash are failures. Rejects with the runner's errors.
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
  const untilRuns = trial.runs + (shrinkRuns ?? exploreLimits.shrinkRuns);
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

/** Each run with its trial, in order. In parallel the following ones have been started. */
function* trialsInOrder({ runs, seed, runner, parallel, focus }: SwarmSettings, unmet: UnmetCells) {
  const ahead =
    parallel === undefined
      ? 0
      : Math.min(parallel.jobs * exploreLimits.aheadPerJob, exploreLimits.coverageRound - 1);
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
 * A menu for one run: each kind of fault, act and call is in it or not, by its own coin. This finds bugs that one
 * kind hides from another, which drawing everything at once would miss (Groce and others, Swarm Testing, ISSTA 2012).
 * There are no expectations: the checkers know what a random scenario can promise.
 */
function drawGeneratorOptions(source: RandomSource): GeneratorOptions {
  const some = <Name extends string>(names: readonly Name[]): readonly Name[] =>
    names.filter(() => source.whole(0, 1) === 1);
  const breaks = Object.entries(BREAKS)
    .map(
      ([part, table]) =>
        [part, some(virtual(table).filter((name) => !NOT_FOR_ANYBODY.has(`${part} ${name}`)))] as const,
    )
    .filter(([, names]) => names.length > 0);
  const acts = some(ACT_NAMES);
  return {
    acts: acts.some((name) => canDo('box', name)) ? acts : [],
    calls: some(virtual(CALLS)),
    weather: some(virtual(WEATHER)),
    breaks: breaks.length === 0 ? { box: ['brown-out'] } : Object.fromEntries(breaks),
    expectations: [],
    mostSteps: exploreLimits.swarmSteps,
    mostVehicles: exploreLimits.swarmVehicles,
    longestMs: exploreLimits.swarmLongestMs,
  };
}

function virtual(table: WordTable): readonly string[] {
  return Object.keys(table).filter((name) => table[name]?.worlds.virtual === true);
}

const POINTS = Object.keys(CRASH_POINTS);

/**
 * The steps, with crashes at all points equally likely, and some of those without a point at one: a word is drawn as
 * its example half of the time, so that chance alone hardly crashes at the others.
 */
function withEveryCrashPoint(source: RandomSource, steps: readonly DrawnPart[]): readonly DrawnPart[] {
  return steps.map((step) => {
    const { backend } = (step['break'] ?? {}) as { readonly backend?: { readonly crash?: DrawnPart } };
    if (backend?.crash === undefined) return step;
    const isAtPoint = backend.crash['point'] !== undefined || source.whole(0, 1) === 1;
    if (!isAtPoint) return step;
    const crash = { ...backend.crash, point: drawnOne(source, POINTS) };
    return { ...step, break: { backend: { crash } } };
  });
}

/** A client without other tasks: its refusals change nothing else in the run. */
const CLIENT = 'hasty';

/**
 * In some runs, most of them with several backends, each client has a limit of calls a minute, and one without other
 * tasks exceeds it, once or twice. The limit is high enough for all other work.
 */
function withClientQuota(source: RandomSource, document: ScenarioDocument): ScenarioDocument {
  const isOfSeveral = document['backends'] !== undefined;
  if (source.whole(1, isOfSeveral ? exploreLimits.quotaOfSeveralIn : exploreLimits.quotaIn) !== 1)
    return document;
  const rateLimit = source.whole(exploreLimits.quotaLeast, exploreLimits.quotaMost);
  const firstMs = source.whole(exploreLimits.settledMs, exploreLimits.swarmLongestMs / 2);
  const bursts = Array.from({ length: source.whole(1, 2) }, (_, index): DrawnPart => {
    const times = Math.ceil((rateLimit * source.whole(80, 150)) / 100);
    const everyMs = Math.max(1, Math.floor(source.whole(500, 50_000) / times));
    return {
      at: formatSpan(firstMs + index * source.whole(130_000, 200_000)),
      call: { get: '/vehicles?limit=1', as: CLIENT },
      repeat: { every: formatSpan(everyMs), times },
    };
  });
  const clients = (document['clients'] ?? []) as readonly DrawnPart[];
  return {
    ...document,
    rate_limit: rateLimit,
    clients: [...clients, { name: CLIENT, permissions: ['vehicles.ro'] }],
    steps: [...(document['steps'] as readonly DrawnPart[]), ...bursts],
  };
}
