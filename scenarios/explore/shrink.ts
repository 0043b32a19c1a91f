import type { ScenarioDocument } from '../language/document/problem.ts';
import type { RunOutcome } from '../run/outcome.ts';
import type { Baseline, PassingVariant } from './baseline.ts';
import type { FailureReason } from './reason.ts';
import { lessDrawn, PASSES, type ShrinkPass, withoutSteps } from './smaller.ts';
import type { Trial } from './trial.ts';

/** A document that fails, and the reason. */
export interface FailingScenario {
  readonly document: ScenarioDocument;
  readonly outcome: RunOutcome;
  readonly reason: FailureReason;
}

export interface SmallestFailure extends FailingScenario {
  /** No smaller candidate fails for the same reason; false: not every candidate was tried. */
  readonly isSmallest: boolean;
  /** The values with which it passes; absent: no comparison was made. */
  readonly compared?: PassingVariant;
  /** There was no such comparison, but it does not fail for its reason without its weather and breaks. */
  readonly failsByFaults?: boolean;
}

export interface ShrinkParts {
  readonly trial: Trial;
  /** The maximum number of runs of the trial. */
  readonly untilRuns: number;
  /**
   * The counterpart of the failing document without the drawn values, if that passes. After a missed
   * expectation a smaller document counts only while its counterpart passes. Findings of checkers are wrong
   * in any document.
   */
  readonly baseline?: Baseline;
  /** Called with the smallest one so far whenever a smaller one is found. */
  readonly progress?: (best: SmallestFailure) => void;
}

/**
 * Shrinks a failing document while a smaller one fails for the same reason: the same checker, or the same expectation
 * missed in the same way and met without the drawn values. Where no values were drawn, and the document does not fail
 * this way without its faults, a smaller one must also have this property: otherwise it would fail for what it lacks.
 * Rejects with the runner's errors.
 */
export async function shrink(
  failing: FailingScenario,
  { baseline, ...parts }: ShrinkParts,
): Promise<SmallestFailure> {
  const isCompared = baseline !== undefined && failing.reason.expectation !== undefined;
  const needsFaults =
    !isCompared && failing.reason.expectation !== undefined && (await failsByFaults(failing, parts));
  let best: ComparedFailure = { failing, needsFaults, ...(isCompared ? { baseline } : {}) };
  for (;;) {
    const before = best;
    for (const pass of PASSES) best = await throughPass(pass, best, parts);
    const isSpent = parts.trial.runs >= parts.untilRuns;
    if (best !== before && !isSpent) continue;
    return shrunk(await writtenOut(best, parts), !isSpent);
  }
}

/** A failing document as the smallest one, so far or finally. */
export function shrunk(
  { failing, baseline, needsFaults = false }: ComparedFailure,
  isSmallest: boolean,
): SmallestFailure {
  const isCompared = baseline !== undefined && failing.reason.expectation !== undefined;
  return {
    ...failing,
    isSmallest,
    ...(isCompared ? { compared: baseline.passingVariant(failing.document) } : {}),
    ...(needsFaults ? { failsByFaults: true } : {}),
  };
}

/** The document of comparison, if any. */
interface ComparedFailure {
  readonly failing: FailingScenario;
  readonly baseline?: Baseline;
  /** Without its weather and breaks it does not fail for its reason, and no smaller one may. */
  readonly needsFaults?: boolean;
}

type Parts = Omit<ShrinkParts, 'contrast'>;

/** Tries all candidates of one pass; those tried before a success are not tried again after it. */
async function throughPass(
  pass: ShrinkPass,
  failing: ComparedFailure,
  parts: Parts,
): Promise<ComparedFailure> {
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
  pass: ShrinkPass,
  best: ComparedFailure,
  skipped: number,
  parts: Parts,
): Promise<{ readonly best: ComparedFailure; readonly passed: number } | undefined> {
  const { trial, untilRuns } = parts;
  const { document, reason } = best.failing;
  let passed = 0;
  const { baseline } = best;
  for (const candidate of pass(document, reason, baseline)) {
    if (trial.runs >= untilRuns) return undefined;
    const isRight = pass === lessDrawn || baseline?.isKept(document, candidate) !== false;
    if (passed >= skipped && isRight && !trial.has(candidate)) {
      const tried = await trial.of(candidate);
      const same = tried.kind === 'failed' ? tried.reasons.find(({ key }) => key === reason.key) : undefined;
      if (tried.kind === 'failed' && same !== undefined) {
        const failing = { document: candidate, outcome: tried.outcome, reason: same };
        const smaller = await comparedFailure(failing, best, parts);
        if (smaller !== undefined) return { best: smaller, passed };
      }
    }
    passed += 1;
  }
  return undefined;
}

/** Undefined: it also fails without the drawn values, or without its faults, or no run is left to find out. */
async function comparedFailure(
  failing: FailingScenario,
  { failing: { document }, baseline, needsFaults = false }: ComparedFailure,
  parts: Pick<Parts, 'trial' | 'untilRuns'>,
): Promise<ComparedFailure | undefined> {
  if (needsFaults) return (await failsByFaults(failing, parts)) ? { failing, needsFaults } : undefined;
  if (baseline === undefined) return { failing };
  const after = baseline.after(document, failing.document);
  if (after === undefined) return undefined;
  const { trial, untilRuns } = parts;
  for (const unbroken of after.withoutDraw(failing.document)) {
    if (trial.runs >= untilRuns || (await trial.of(unbroken)).kind !== 'passed') return undefined;
  }
  return { failing, baseline: after };
}

/** The same with the drawn values of its vehicles written into it, where it still fails for the same reason. */
async function writtenOut(best: ComparedFailure, parts: Parts): Promise<ComparedFailure> {
  const { document, outcome, reason } = best.failing;
  const written = withDrawnVehicles(document, outcome);
  if (written === undefined || parts.trial.runs >= parts.untilRuns) return best;
  const tried = await parts.trial.of(written);
  const same = tried.kind === 'failed' ? tried.reasons.find(({ key }) => key === reason.key) : undefined;
  if (tried.kind !== 'failed' || same === undefined) return best;
  const failing = { document: written, outcome: tried.outcome, reason: same };
  return (await comparedFailure(failing, best, parts)) ?? best;
}

/** Whether it has weather or breaks, and does not fail for its reason without them. */
async function failsByFaults(
  { document, reason }: FailingScenario,
  { trial, untilRuns }: Pick<Parts, 'trial' | 'untilRuns'>,
): Promise<boolean> {
  const faultless = withoutFaults(document);
  if (faultless === undefined || trial.runs >= untilRuns) return false;
  const tried = await trial.of(faultless);
  if (tried.kind === 'unreadable') return false;
  return tried.kind === 'passed' || tried.reasons.every(({ key }) => key !== reason.key);
}

type Step = Readonly<Record<string, unknown>>;

/** A step with an expectation stays, without its fault. */
const LOOKS = ['expect', 'never'] as const;

/**
 * The document without its weather and breaks. A step of that kind with an expectation stays, without the fault.
 * Undefined: it has none.
 */
export function withoutFaults(document: ScenarioDocument): ScenarioDocument | undefined {
  const steps = (document['steps'] ?? []) as readonly Step[];
  const faults = steps.flatMap((step, index) => ('weather' in step || 'break' in step ? [index] : []));
  if (faults.length === 0) return undefined;
  const looking = new Set(faults.filter((index) => LOOKS.some((word) => word in (steps[index] ?? {}))));
  const still = steps.map((step, index) => {
    if (!looking.has(index)) return step;
    const { weather: _weather, break: _break, for: _for, in: _in, ...rest } = step;
    return rest;
  });
  return withoutSteps({ ...document, steps: still }, new Set(faults.filter((index) => !looking.has(index))));
}

type Group = Readonly<Record<string, unknown>>;

/**
 * The document with the drawn model and firmware of each group: a later release, or another group before it, would
 * draw others. A group whose vehicles differ stays as it is. Undefined: nothing was drawn.
 */
export function withDrawnVehicles(
  document: ScenarioDocument,
  { vehicles }: Pick<RunOutcome, 'vehicles'>,
): ScenarioDocument | undefined {
  const fleet = (document['fleet'] ?? []) as readonly Group[];
  const written = fleet.map((group, index): Group => {
    const own = vehicles.filter((one) => one.group === (group['as'] ?? `fleet-${index}`));
    return {
      ...only(
        'model',
        own.map(({ model }) => model),
      ),
      ...only(
        'firmware',
        own.map(({ firmware }) => firmware),
      ),
      ...group,
    };
  });
  const isSame = written.every((group, index) => sizeOf(group) === sizeOf(fleet[index] ?? {}));
  return isSame ? undefined : { ...document, fleet: written };
}

function only(word: string, values: readonly (string | undefined)[]): Group {
  const [value, ...others] = new Set(values);
  return value === undefined || others.length > 0 ? {} : { [word]: value };
}

function sizeOf(group: Group): number {
  return Object.keys(group).length;
}
