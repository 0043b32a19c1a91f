import fc from 'fast-check';
import type { ScenarioDocument } from '../language/document/problem.ts';
import type { Scenario } from '../language/document/scenario.ts';
import { applyDraw } from '../language/vary/draw.ts';
import { countOf, type DrawnValues, variedValue } from '../language/vary/vary.ts';
import { exploreLimits } from '../limits.ts';
import type { ScenarioRunner } from '../run/options.ts';
import { Baseline } from './baseline.ts';
import { digitsFor, reordered } from './order.ts';
import type { ParallelRuns } from './parallel-runs.ts';
import { type FailingScenario, type SmallestFailure, shrink, shrunk } from './shrink.ts';
import { Trial } from './trial.ts';

export interface ExploreSettings {
  /** The document as written, with its `vary`, and as read. */
  readonly document: ScenarioDocument;
  readonly scenario: Scenario;
  /** The maximum number of draws; the first is the file unchanged. */
  readonly runs: number;
  /** The seed of the draws: a whole number from 0 to 2^32 - 1. */
  readonly seed: number;
  readonly runner: ScenarioRunner;
  /** The maximum number of runs for shrinking a failure. */
  readonly shrinkRuns?: number;
  /** Absent: runs are sequential. The outcome and the progress are the same. */
  readonly parallel?: ParallelRuns | undefined;
  readonly progress?: (at: ExploreProgress) => void;
}

/** Reported before each run that searches for a failure, when one is found, and whenever it becomes smaller. */
export type ExploreProgress =
  | { readonly phase: 'search'; readonly run: number; readonly of: number; readonly options: DrawnOptions }
  | { readonly phase: 'shrink'; readonly found: FoundFailure };

/** What was drawn for one run. */
export interface DrawnOptions {
  /** Each path of `vary` with its value; empty for the unchanged file. */
  readonly draw: DrawnValues;
  readonly seed: number;
  /** Whether steps with the same time are in another order than in the file. */
  readonly isReordered: boolean;
}

export interface FoundFailure {
  /** The number of the run, from 1. */
  readonly run: number;
  /** What was drawn for it. */
  readonly options: DrawnOptions;
  readonly first: FailingScenario;
  readonly smallest: SmallestFailure;
  /** The number of runs for shrinking so far. */
  readonly shrinkRuns: number;
}

export interface ExploreOutcome {
  readonly seed: number;
  /** The number of draws; some may be equal. */
  readonly runs: number;
  /** The number of scenarios that were run for them. */
  readonly distinct: number;
  readonly found?: FoundFailure;
}

const SEEDS = 0x1_0000_0000;

/** Indices of the drawn values: 0 is always the simplest. */
interface Indices {
  readonly values: readonly number[];
  readonly order: readonly number[];
  readonly seed: number;
}

interface DrawnDocument {
  readonly document: ScenarioDocument;
  readonly options: DrawnOptions;
  /** Absent: the file is unchanged. */
  readonly baseline?: Baseline;
}

/**
 * Runs a scenario with other values where its `vary` allows, with other orders of steps that begin at the
 * same time, and with other seeds, until one run fails, and shrinks that one: first the drawn values, by
 * fast-check, then the document. The same settings draw the same values. Rejects with the runner's errors.
 */
export async function explore(given: ExploreSettings): Promise<ExploreOutcome> {
  // Steps that are YAML aliases of one another become separate objects, which can be distinguished.
  const settings = { ...given, document: JSON.parse(JSON.stringify(given.document)) as ScenarioDocument };
  const { document, seed, runs, runner, parallel, progress } = settings;
  const { vary: _, ...asItStands } = document;
  const trial = new Trial(runner);
  const check = { seed: seed | 0, numRuns: runs - 1 };
  const beginAhead = parallel === undefined ? undefined : beginnerOf(settings, parallel, trial, check);
  const shrinkRuns = settings.shrinkRuns ?? exploreLimits.shrinkRuns;
  let looked = 0;
  let distinct = 0;
  let first:
    | { readonly failing: FailingScenario; readonly run: number; readonly options: DrawnOptions }
    | undefined;
  let best: { readonly failing: FailingScenario; readonly baseline?: Baseline } | undefined;
  let broken: { readonly error: unknown } | undefined;

  const holds = async (drawn: DrawnDocument): Promise<boolean> => {
    if (broken !== undefined) return true;
    // Simpler values may fail for another cause; `shrink` moves towards the values of the file instead.
    if (first?.failing.reason.expectation !== undefined) return true;
    // Only the first failure is shrunk, within the bound.
    if (first !== undefined && trial.runs >= distinct + Math.min(shrinkRuns, exploreLimits.drawShrinkRuns))
      return true;
    if (first === undefined) {
      looked += 1;
      progress?.({ phase: 'search', run: looked, of: runs, options: drawn.options });
      beginAhead?.(looked, drawn);
    }
    const tried = await trial.of(drawn.document).catch((error: unknown) => {
      broken = { error };
      return undefined;
    });
    if (first === undefined) distinct = trial.runs;
    if (tried?.kind !== 'failed') return true;
    const reason =
      first === undefined
        ? tried.reasons[0]
        : tried.reasons.find(({ key }) => key === first?.failing.reason.key);
    if (reason === undefined) return true;
    const { baseline } = drawn;
    const failing: FailingScenario = { document: drawn.document, outcome: tried.outcome, reason };
    best = { failing, ...(baseline === undefined ? {} : { baseline }) };
    if (first === undefined) {
      first = { failing, run: looked, options: drawn.options };
      trial.forgetBegun();
      parallel?.dropAll();
    }
    tell(shrunk(best, false));
    return false;
  };
  const soFar = (smallest: SmallestFailure): FoundFailure | undefined =>
    first === undefined
      ? undefined
      : {
          run: first.run,
          options: first.options,
          first: first.failing,
          smallest,
          shrinkRuns: trial.runs - distinct,
        };
  const tell = (smallest: SmallestFailure): void => {
    const found = soFar(smallest);
    if (found !== undefined) progress?.({ phase: 'shrink', found });
  };

  const asWritten = { draw: {}, seed: settings.scenario.seed, isReordered: false };
  if ((await holds({ document: asItStands, options: asWritten })) && runs > 1) {
    const property = fc.asyncProperty(indicesOf(settings), (indices) => holds(drawnBy(settings, indices)));
    await fc.check(property, check);
  }
  // Assigned in a closure, which TypeScript's control flow does not see.
  const rejected = broken as { readonly error: unknown } | undefined;
  if (rejected !== undefined) throw rejected.error;
  const simplest = best as typeof best;
  if (simplest === undefined) return { seed, runs: looked, distinct };
  const { baseline, failing } = simplest;
  const withMoreSeeds = async (one: Baseline): Promise<Baseline> => {
    const passing: number[] = [];
    const { seed: own } = failing.document;
    const isOther = own !== settings.scenario.seed && trial.runs < distinct + shrinkRuns;
    const passesWithDrawn = isOther && (await trial.of({ ...asItStands, seed: own })).kind === 'passed';
    for (let more = 1; more <= exploreLimits.contrastSeeds; more += 1) {
      const another = (settings.scenario.seed + more) % SEEDS;
      if (trial.runs >= distinct + shrinkRuns || another === own) continue;
      if ((await trial.of({ ...asItStands, seed: another })).kind === 'passed') passing.push(another);
    }
    const compared = one.withSeeds(passing);
    return passesWithDrawn ? compared.withDrawnSeed() : compared;
  };
  const isCompared = baseline !== undefined && failing.reason.expectation !== undefined;
  const smallest = await shrink(failing, {
    trial,
    ...(isCompared ? { baseline: await withMoreSeeds(baseline) } : {}),
    untilRuns: distinct + shrinkRuns,
    progress: tell,
  });
  const found = soFar(smallest);
  return { seed, runs: looked, distinct, ...(found === undefined ? {} : { found }) };
}

/**
 * Returns the drawn inputs of the run with this number, from 1, and of those that follow it. `fc.sample` draws what
 * `fc.check` will draw with the same settings.
 */
function beginnerOf(
  settings: ExploreSettings,
  { jobs }: ParallelRuns,
  trial: Trial,
  check: { readonly seed: number; readonly numRuns: number },
): (run: number, drawn: DrawnDocument) => void {
  const following = check.numRuns === 0 ? [] : fc.sample(indicesOf(settings), check);
  let begun = 1;
  return (run, { document }) => {
    trial.begin(document);
    for (; begun < run + jobs * exploreLimits.aheadPerJob; begun += 1) {
      const indices = following[begun - 1];
      if (indices === undefined) return;
      trial.begin(drawnBy(settings, indices).document);
    }
  };
}

function indicesOf({ document, scenario: { vary } }: ExploreSettings): fc.Arbitrary<Indices> {
  const digits = Math.min(
    exploreLimits.orderedSteps,
    digitsFor(
      document,
      vary.map(({ path }) => path),
    ),
  );
  return fc.record({
    values: fc.tuple(...vary.map(({ values }) => fc.nat(countOf(values) - 1))),
    order: fc.array(fc.nat(exploreLimits.orderedSteps), { minLength: digits, maxLength: digits }),
    // No seed is simpler than another one.
    seed: fc.noShrink(fc.nat(exploreLimits.seeds - 1)),
  });
}

function drawnBy({ document, scenario }: ExploreSettings, indices: Indices): DrawnDocument {
  const draw = Object.fromEntries(
    scenario.vary.map(({ path, values }, index) => [path, variedValue(values, indices.values[index] ?? 0)]),
  );
  const applied = applyDraw(document, draw);
  // The reader has checked every path, so this never fails for a document that was read.
  if (!applied.ok) throw new Error(applied.problems.join(' '));
  const seed = (scenario.seed + indices.seed) % SEEDS;
  const inOrder: ScenarioDocument = { ...applied.document, seed };
  const changed = reordered(inOrder, indices.order);
  const isReordered = JSON.stringify(changed) !== JSON.stringify(inOrder);
  const baseline = Baseline.of(document, scenario.vary, scenario.seed).after(inOrder, changed);
  return {
    document: changed,
    options: { draw, seed, isReordered },
    ...(baseline === undefined ? {} : { baseline }),
  };
}
