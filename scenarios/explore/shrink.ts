import type { Document } from '../language/problem.ts';
import type { Outcome } from '../run/outcome.ts';
import type { Compared, Contrast } from './contrast.ts';
import type { Reason } from './reason.ts';
import { lessDrawn, PASSES, type Pass } from './smaller.ts';
import type { Trial } from './trial.ts';

/** A document that fails, with how. */
export interface Failing {
  readonly document: Document;
  readonly outcome: Outcome;
  readonly reason: Reason;
}

export interface Shrunk extends Failing {
  /** Nothing smaller that was thought of fails for the same reason; false: not all of it was tried. */
  readonly isSmallest: boolean;
  /** It passes with these values; absent: there was nothing to compare with, or no need to. */
  readonly compared?: Compared;
}

export interface ShrinkParts {
  readonly trial: Trial;
  /** Runs that may be made in all by the trial. */
  readonly untilRuns: number;
  /**
   * What the failing document is without what was drawn for it, where that passes. Where an expectation was missed,
   * something smaller counts only as long as that passes, too. What a checker finds is wrong in any document.
   */
  readonly contrast?: Contrast;
  /** Told of the smallest one so far whenever one is found. */
  readonly progress?: (best: Shrunk) => void;
}

/**
 * Makes a failing document smaller, as long as something smaller fails for the same reason: the same checker, or the
 * same expectation missed in the same way and met without what was drawn. Rejects with what the runner rejects with.
 */
export async function shrink(failing: Failing, { contrast, ...parts }: ShrinkParts): Promise<Shrunk> {
  const isCompared = contrast !== undefined && failing.reason.expectation !== undefined;
  let best: Compare = { failing, ...(isCompared ? { contrast } : {}) };
  for (;;) {
    const before = best;
    for (const pass of PASSES) best = await through(pass, best, parts);
    const isSpent = parts.trial.runs >= parts.untilRuns;
    if (best !== before && !isSpent) continue;
    return shrunk(best, !isSpent);
  }
}

/** A failing document as the smallest one, for now or for good. */
export function shrunk({ failing, contrast }: Compare, isSmallest: boolean): Shrunk {
  const isCompared = contrast !== undefined && failing.reason.expectation !== undefined;
  return { ...failing, isSmallest, ...(isCompared ? { compared: contrast.compared(failing.document) } : {}) };
}

/** With what it is compared, where it is. */
interface Compare {
  readonly failing: Failing;
  readonly contrast?: Contrast;
}

type Parts = Omit<ShrinkParts, 'contrast'>;

/** All candidates of one pass; what was tried before a success is not tried again behind it. */
async function through(pass: Pass, failing: Compare, parts: Parts): Promise<Compare> {
  let best = failing;
  for (let passed = 0; ; ) {
    const smaller = await firstOf(pass, best, passed, parts);
    if (smaller === undefined) return best;
    best = smaller.best;
    passed = smaller.passed;
    parts.progress?.(shrunk(best, false));
  }
}

async function firstOf(
  pass: Pass,
  best: Compare,
  skipped: number,
  { trial, untilRuns }: Parts,
): Promise<{ readonly best: Compare; readonly passed: number } | undefined> {
  const { document, reason } = best.failing;
  let passed = 0;
  const { contrast } = best;
  for (const candidate of pass(document, reason, contrast)) {
    if (trial.runs >= untilRuns) return undefined;
    const isRight = pass === lessDrawn || contrast?.isKept(document, candidate) !== false;
    if (passed >= skipped && isRight && !trial.has(candidate)) {
      const tried = await trial.of(candidate);
      const same = tried.kind === 'failed' ? tried.reasons.find(({ key }) => key === reason.key) : undefined;
      if (tried.kind === 'failed' && same !== undefined) {
        const failing = { document: candidate, outcome: tried.outcome, reason: same };
        const smaller = await compare(failing, best, trial, untilRuns);
        if (smaller !== undefined) return { best: smaller, passed };
      }
    }
    passed += 1;
  }
  return undefined;
}

/** Undefined: without what was drawn it would fail as well, or no run is left to see that. */
async function compare(
  failing: Failing,
  { failing: { document }, contrast }: Compare,
  trial: Trial,
  untilRuns: number,
): Promise<Compare | undefined> {
  if (contrast === undefined) return { failing };
  const after = contrast.after(document, failing.document);
  if (after === undefined) return undefined;
  for (const unbroken of after.unbroken(failing.document)) {
    if (trial.runs >= untilRuns || (await trial.of(unbroken)).kind !== 'passed') return undefined;
  }
  return { failing, contrast: after };
}
