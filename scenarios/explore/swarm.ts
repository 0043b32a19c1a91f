import { seededRandom } from '../../world/seeded-random.ts';
import { EVERY_CHECKER } from '../language/checkers.ts';
import { generateDocument, type Menu } from '../language/generate.ts';
import type { Document } from '../language/problem.ts';
import { formatSpan, parseSpan } from '../language/quantity.ts';
import type { Runner } from '../run/options.ts';
import { limits } from './limits.ts';
import { drawMenu } from './menu.ts';
import { type Failing, type Shrunk, shrink, shrunk } from './shrink.ts';
import { Trial, type Tried } from './trial.ts';

export interface SwarmSettings {
  readonly runs: number;
  /** A whole number from 0 to 2^32 - 1. */
  readonly seed: number;
  readonly runner: Runner;
  readonly shrinkRuns?: number;
  readonly progress?: (at: SwarmProgress) => void;
}

/** A whole scenario, drawn, with the menu that it was drawn from. */
export interface Swarmed {
  /** From 1. */
  readonly run: number;
  readonly menu: Menu;
  readonly document: Document;
}

export type SwarmProgress =
  | { readonly phase: 'begin'; readonly drawn: Swarmed; readonly of: number }
  | { readonly phase: 'end'; readonly drawn: Swarmed; readonly of: number; readonly tried: Tried }
  /** When one is found, and whenever that got smaller. */
  | { readonly phase: 'shrink'; readonly found: SwarmFound };

export interface SwarmFound {
  readonly drawn: Swarmed;
  readonly first: Failing;
  readonly smallest: Shrunk;
  /** Runs that made it smaller, so far. */
  readonly shrinkRuns: number;
}

export interface SwarmOutcome {
  readonly seed: number;
  readonly runs: number;
  readonly found?: SwarmFound;
}

/** The scenario of that run: each from its own stream, so that any one can be drawn without those before it. */
export function drawSwarmed(seed: number, run: number): Swarmed {
  const random = seededRandom(seed);
  const menu = drawMenu(random.stream(`swarm/${run}/menu`));
  const name = `swarm-${seed}-${run}`;
  const document = generateDocument(random.stream(`swarm/${run}/scenario`), name, menu);
  const fleet = (document['fleet'] as readonly Loose[]).map(fitting);
  const steps = (document['steps'] as readonly Loose[]).map(withoutFile).map(withinPatience).map(withCard);
  return { run, menu, document: { ...document, fleet, steps, always: [EVERY_CHECKER] } };
}

type Loose = Readonly<Record<string, unknown>>;

/** Features that every box takes, whatever its generation, sensors and installation are drawn to be. */
const FOR_EVERY_BOX: ReadonlySet<string> = new Set(['tracking', 'driving-events', 'parking-events']);

/** A run begins with the features of its groups in force: what a box would refuse cannot be drawn for one. */
function fitting(group: Loose): Loose {
  const { features } = group;
  if (typeof features !== 'object' || features === null) return group;
  const kept = Object.entries(features).filter(([name]) => FOR_EVERY_BOX.has(name));
  return { ...group, features: kept.length === 0 ? 'none' : Object.fromEntries(kept) };
}

/** No file stands beside a drawn scenario: of recorded links those that are built in are played. */
function withoutFile(step: Loose): Loose {
  const { trace } = (step['weather'] ?? {}) as { readonly trace?: Loose };
  if (trace?.['file'] === undefined) return step;
  const { file: _, ...rest } = trace;
  return { ...step, weather: { trace: { ...rest, link: 'train' } } };
}

/**
 * What lasts longer than anybody waits for it. A store that takes minutes for each call is one that is down, and a box
 * that changes its network for as long as all may take to heal cannot heal.
 */
function withinPatience(step: Loose): Loose {
  const { store } = (step['break'] ?? {}) as {
    readonly store?: { readonly slow?: { readonly by: string } };
  };
  if (store?.slow !== undefined)
    return { ...step, break: { store: { slow: { by: scaled(store.slow.by, limits.swarmStoreSlowMs) } } } };
  const { roaming } = (step['weather'] ?? {}) as Readonly<Record<string, { readonly gap?: string }>>;
  if (roaming?.gap !== undefined)
    return { ...step, weather: { roaming: { gap: scaled(roaming.gap, limits.swarmGapMs) } } };
  return step;
}

/** A card that its owner has suspended stays so, and its box away: the weather `sim` suspends cards and is over in the end. */
function withCard(step: Loose): Loose {
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
export async function swarm({
  runs,
  seed,
  runner,
  shrinkRuns,
  progress,
}: SwarmSettings): Promise<SwarmOutcome> {
  for (let run = 1; run <= runs; run += 1) {
    const drawn = drawSwarmed(seed, run);
    progress?.({ phase: 'begin', drawn, of: runs });
    const trial = new Trial(runner);
    const tried = await trial.of(drawn.document);
    progress?.({ phase: 'end', drawn, of: runs, tried });
    if (tried.kind === 'unreadable')
      throw new Error(`The drawn scenario of run ${run} is wrong: ${tried.message}`);
    if (tried.kind === 'passed') continue;
    const first: Failing = { document: drawn.document, outcome: tried.outcome, reason: tried.reasons[0] };
    const untilRuns = trial.runs + (shrinkRuns ?? limits.shrinkRuns);
    const soFar = (smallest: Shrunk): SwarmFound => ({ drawn, first, smallest, shrinkRuns: trial.runs - 1 });
    const tell = (smallest: Shrunk): void => progress?.({ phase: 'shrink', found: soFar(smallest) });
    tell(shrunk({ failing: first }, false));
    return { seed, runs: run, found: soFar(await shrink(first, { trial, untilRuns, progress: tell })) };
  }
  return { seed, runs };
}
