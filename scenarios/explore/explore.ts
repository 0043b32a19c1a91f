import fc from 'fast-check';
import { applyDraw } from '../language/draw.ts';
import type { Document } from '../language/problem.ts';
import type { Scenario } from '../language/scenario.ts';
import { countOf, type Draw, variedValue } from '../language/vary.ts';
import type { Runner } from '../run/options.ts';
import { Contrast } from './contrast.ts';
import { limits } from './limits.ts';
import { digitsFor, reordered } from './order.ts';
import { type Failing, type Shrunk, shrink, shrunk } from './shrink.ts';
import { Trial } from './trial.ts';

export interface ExploreSettings {
  /** As written, with its `vary`, and as read. */
  readonly document: Document;
  readonly scenario: Scenario;
  /** How many draws at most; the first is the file as it stands. */
  readonly runs: number;
  /** Of the draws. A whole number from 0 to 2^32 - 1. */
  readonly seed: number;
  readonly runner: Runner;
  /** Runs that may go into making a failure smaller. */
  readonly shrinkRuns?: number;
  readonly progress?: (at: Progress) => void;
}

/** Told before each run that looks for a failure; when one is found; and whenever that got smaller. */
export type Progress =
  | { readonly phase: 'search'; readonly run: number; readonly of: number; readonly options: Options }
  | { readonly phase: 'shrink'; readonly found: Found };

/** What was drawn for one run. */
export interface Options {
  /** Each path of `vary` with its value; empty for the file as it stands. */
  readonly draw: Draw;
  readonly seed: number;
  /** Steps with the same time are in another order than in the file. */
  readonly isReordered: boolean;
}

export interface Found {
  /** Which run it was, from 1. */
  readonly run: number;
  /** What was drawn in it. */
  readonly options: Options;
  readonly first: Failing;
  readonly smallest: Shrunk;
  /** Runs that made it smaller, so far. */
  readonly shrinkRuns: number;
}

export interface Explored {
  readonly seed: number;
  /** Draws that were looked at; some may have been equal. */
  readonly runs: number;
  /** Scenarios that were run for them. */
  readonly distinct: number;
  readonly found?: Found;
}

const SEEDS = 0x1_0000_0000;

/** Indices of what is drawn: 0 is simplest everywhere. */
interface Indices {
  readonly values: readonly number[];
  readonly order: readonly number[];
  readonly seed: number;
}

interface Drawn {
  readonly document: Document;
  readonly options: Options;
  /** Absent: it is the file as it stands. */
  readonly contrast?: Contrast;
}

/**
 * Runs a scenario with other values where its `vary` allows, in other orders of what begins at the same time, and with
 * other seeds, until one run fails, and makes that one smaller: first what was drawn, by fast-check, then the document.
 * The same settings draw the same. Rejects with what the runner rejects with.
 */
export async function explore(given: ExploreSettings): Promise<Explored> {
  // Steps that are aliases of one another become steps of their own, which can be told apart.
  const settings = { ...given, document: JSON.parse(JSON.stringify(given.document)) as Document };
  const { document, seed, runs, runner, progress } = settings;
  const { vary: _, ...asItStands } = document;
  const trial = new Trial(runner);
  const shrinkRuns = settings.shrinkRuns ?? limits.shrinkRuns;
  let looked = 0;
  let distinct = 0;
  let first: { readonly failing: Failing; readonly run: number; readonly options: Options } | undefined;
  let best: { readonly failing: Failing; readonly contrast?: Contrast } | undefined;
  let broken: { readonly error: unknown } | undefined;

  const holds = async (drawn: Drawn): Promise<boolean> => {
    if (broken !== undefined) return true;
    // Towards simpler values another cause may lie; `shrink` goes towards the file as it stands.
    if (first?.failing.reason.expectation !== undefined) return true;
    // Only the first failure is made smaller, and only so far.
    if (first !== undefined && trial.runs >= distinct + Math.min(shrinkRuns, limits.drawShrinkRuns))
      return true;
    if (first === undefined) {
      looked += 1;
      progress?.({ phase: 'search', run: looked, of: runs, options: drawn.options });
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
    const { contrast } = drawn;
    const failing: Failing = { document: drawn.document, outcome: tried.outcome, reason };
    best = { failing, ...(contrast === undefined ? {} : { contrast }) };
    first ??= { failing, run: looked, options: drawn.options };
    tell(shrunk(best, false));
    return false;
  };
  const soFar = (smallest: Shrunk): Found | undefined =>
    first === undefined
      ? undefined
      : {
          run: first.run,
          options: first.options,
          first: first.failing,
          smallest,
          shrinkRuns: trial.runs - distinct,
        };
  const tell = (smallest: Shrunk): void => {
    const found = soFar(smallest);
    if (found !== undefined) progress?.({ phase: 'shrink', found });
  };

  const asWritten = { draw: {}, seed: settings.scenario.seed, isReordered: false };
  if ((await holds({ document: asItStands, options: asWritten })) && runs > 1) {
    const property = fc.asyncProperty(indicesOf(settings), (indices) => holds(drawnBy(settings, indices)));
    await fc.check(property, { seed: seed | 0, numRuns: runs - 1 });
  }
  // Assigned in a closure, which the compiler does not follow.
  const rejected = broken as { readonly error: unknown } | undefined;
  if (rejected !== undefined) throw rejected.error;
  const simplest = best as typeof best;
  if (simplest === undefined) return { seed, runs: looked, distinct };
  const { contrast, failing } = simplest;
  const withMoreSeeds = async (one: Contrast): Promise<Contrast> => {
    const passing: number[] = [];
    const { seed: own } = failing.document;
    const isOther = own !== settings.scenario.seed && trial.runs < distinct + shrinkRuns;
    const passesWithDrawn = isOther && (await trial.of({ ...asItStands, seed: own })).kind === 'passed';
    for (let more = 1; more <= limits.contrastSeeds; more += 1) {
      const another = (settings.scenario.seed + more) % SEEDS;
      if (trial.runs >= distinct + shrinkRuns || another === own) continue;
      if ((await trial.of({ ...asItStands, seed: another })).kind === 'passed') passing.push(another);
    }
    const compared = one.alsoWith(passing);
    return passesWithDrawn ? compared.alsoWithDrawn() : compared;
  };
  const isCompared = contrast !== undefined && failing.reason.expectation !== undefined;
  const smallest = await shrink(failing, {
    trial,
    ...(isCompared ? { contrast: await withMoreSeeds(contrast) } : {}),
    untilRuns: distinct + shrinkRuns,
    progress: tell,
  });
  const found = soFar(smallest);
  return { seed, runs: looked, distinct, ...(found === undefined ? {} : { found }) };
}

function indicesOf({ document, scenario: { vary } }: ExploreSettings): fc.Arbitrary<Indices> {
  const digits = Math.min(
    limits.orderedSteps,
    digitsFor(
      document,
      vary.map(({ path }) => path),
    ),
  );
  return fc.record({
    values: fc.tuple(...vary.map(({ values }) => fc.nat(countOf(values) - 1))),
    order: fc.array(fc.nat(limits.orderedSteps), { minLength: digits, maxLength: digits }),
    // No seed is simpler than another.
    seed: fc.noShrink(fc.nat(limits.seeds - 1)),
  });
}

function drawnBy({ document, scenario }: ExploreSettings, indices: Indices): Drawn {
  const draw = Object.fromEntries(
    scenario.vary.map(({ path, values }, index) => [path, variedValue(values, indices.values[index] ?? 0)]),
  );
  const applied = applyDraw(document, draw);
  // Reading has tried every path: a document that was read is never refused here.
  if (!applied.ok) throw new Error(applied.problems.join(' '));
  const seed = (scenario.seed + indices.seed) % SEEDS;
  const inOrder: Document = { ...applied.document, seed };
  const changed = reordered(inOrder, indices.order);
  const isReordered = JSON.stringify(changed) !== JSON.stringify(inOrder);
  const contrast = Contrast.of(document, scenario.vary, scenario.seed).after(inOrder, changed);
  return {
    document: changed,
    options: { draw, seed, isReordered },
    ...(contrast === undefined ? {} : { contrast }),
  };
}
