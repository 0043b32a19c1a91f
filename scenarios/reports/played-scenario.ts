import type { Scenario } from '../language/document/scenario.ts';
import { EXIT_CODES, type ExpectationOutcome, expectationText, type RunOutcome } from '../run/outcome.ts';
import { nameOfStep } from './step-text.ts';

/** One scenario that was run, as reports need it. */
export interface PlayedScenario {
  /** The file as given. */
  readonly file: string;
  readonly outcome: RunOutcome;
  /** The duration on the wall clock. */
  readonly wallMs: number;
  /** The command that repeats the run. */
  readonly repeat: string;
}

/** The highest exit code; 0 when nothing was run. */
export function exitCodeOf(played: readonly PlayedScenario[]): number {
  return Math.max(0, ...played.map(({ outcome }) => EXIT_CODES[outcome.verdict]));
}

/** One expectation of one step, with its result for each vehicle. */
export interface ExpectationGroup {
  /** Its path as in `vary`: `steps[3].expect[0]`, `steps[darkness].never[1]`. */
  readonly path: string;
  /** Its name for people: `step 4 (line 12) expect 1`. */
  readonly name: string;
  /** From 0, in the order of the file. */
  readonly step: number;
  readonly met: readonly ExpectationOutcome[];
  readonly unmet: readonly ExpectationOutcome[];
}

/** The expectations of a run in the order of the file, each once, with their whole texts. */
export function groupsOf({ scenario, expectations }: RunOutcome): readonly ExpectationGroup[] {
  const groups = new Map<string, [ExpectationOutcome, ...ExpectationOutcome[]]>();
  const inOrder = [...expectations].sort(
    (one, other) => one.step - other.step || one.expectation - other.expectation,
  );
  for (const judged of inOrder) {
    const path = pathOf(scenario, judged);
    const one = { ...judged, text: expectationText(judged) };
    const group = groups.get(path);
    if (group === undefined) groups.set(path, [one]);
    else group.push(one);
  }
  return [...groups].map(([path, of]) => ({
    path,
    name: expectationName(scenario, of[0]),
    step: of[0].step,
    met: of.filter(({ result }) => result === 'passed'),
    unmet: of.filter(({ result }) => result !== 'passed'),
  }));
}

type OfStep = Pick<ExpectationOutcome, 'step' | 'label' | 'expectation' | 'isNever'>;

/** The path of the expectation in the file. Indices of `never` continue after those of `expect`. */
export function pathOf(scenario: Scenario, one: OfStep): string {
  const { word, index } = wordAndIndex(scenario, one);
  return `steps[${one.label ?? one.step}].${word}[${index}]`;
}

/** The expectation for people: `step 4 (line 12) expect 1`. */
export function expectationName(scenario: Scenario, one: OfStep): string {
  const { word, index } = wordAndIndex(scenario, one);
  return `${nameOfStep(scenario, one.step)} ${word} ${index + 1}`;
}

function wordAndIndex(scenario: Scenario, { step, expectation, isNever }: OfStep) {
  const before = isNever ? (scenario.steps[step]?.expect.length ?? 0) : 0;
  return { word: isNever ? 'never' : 'expect', index: Math.max(0, expectation - before) };
}
