import type { Document } from '../language/problem.ts';
import type { Outcome } from '../run/outcome.ts';
import type { Reason } from './reason.ts';
import { PASSES, type Pass } from './smaller.ts';
import type { Trial } from './trial.ts';

/** A document that fails, with how. */
export interface Failing {
  readonly document: Document;
  readonly outcome: Outcome;
  readonly reason: Reason;
}

export interface Shrunk extends Failing {
  /** Nothing smaller that was thought of fails for the same reason; false: the runs were used up before. */
  readonly isSmallest: boolean;
}

export interface ShrinkParts {
  readonly trial: Trial;
  /** Runs that may be made in all by the trial. */
  readonly untilRuns: number;
  readonly progress?: (best: Failing) => void;
}

/**
 * Makes a failing document smaller, as long as something smaller fails for the same reason: the same checker, or the
 * same expectation missed in the same way. Rejects with what the runner rejects with.
 */
export async function shrink(failing: Failing, parts: ShrinkParts): Promise<Shrunk> {
  let best = failing;
  for (;;) {
    const before = best;
    for (const pass of PASSES) best = await through(pass, best, parts);
    const isSpent = parts.trial.runs >= parts.untilRuns;
    if (best === before || isSpent) return { ...best, isSmallest: !isSpent };
  }
}

/** All candidates of one pass; what was tried before a success is not tried again behind it. */
async function through(
  pass: Pass,
  failing: Failing,
  { trial, untilRuns, progress }: ShrinkParts,
): Promise<Failing> {
  let best = failing;
  for (let passed = 0; ; ) {
    const smaller = await firstOf(pass, best, passed, trial, untilRuns);
    if (smaller === undefined) return best;
    best = smaller.failing;
    passed = smaller.passed;
    progress?.(best);
  }
}

async function firstOf(
  pass: Pass,
  { document, reason }: Failing,
  skipped: number,
  trial: Trial,
  untilRuns: number,
): Promise<{ readonly failing: Failing; readonly passed: number } | undefined> {
  let passed = 0;
  for (const candidate of pass(document, reason)) {
    if (trial.runs >= untilRuns) return undefined;
    if (passed >= skipped && !trial.has(candidate)) {
      const tried = await trial.of(candidate);
      const same = tried.kind === 'failed' ? tried.reasons.find(({ key }) => key === reason.key) : undefined;
      if (tried.kind === 'failed' && same !== undefined) {
        return { failing: { document: candidate, outcome: tried.outcome, reason: same }, passed };
      }
    }
    passed += 1;
  }
  return undefined;
}
