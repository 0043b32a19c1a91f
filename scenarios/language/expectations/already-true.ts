import type { Step } from '../document/scenario.ts';
import type { DocumentPlace } from '../vary/vary.ts';
import type { Expectation, ExpectationKind } from './expectations.ts';
import { mismatchOf } from './match.ts';
import { isComparison } from './unsatisfiable.ts';

/** An expectation that is met before anything has happened. */
export interface AlreadyTrue {
  /** Of its step: `['expect', 0]`. */
  readonly place: DocumentPlace;
  /** Why, and what to write instead: one sentence, without the name of the step. */
  readonly text: string;
}

/** Why an expectation is met before anything has happened; undefined: it is not. */
type Reason = string | undefined;

/**
 * One row for each kind of expectation: why the initial state meets it, such as no message, no value, or a bulk job
 * without results. Kinds without a reason wait for an event, or are checked only after the step's action is done.
 */
const MET_BY_NOTHING: {
  readonly [Kind in ExpectationKind]: (
    expectation: Extract<Expectation, { kind: Kind }>,
    withinMs: number,
  ) => Reason;
} = {
  answer: () => undefined,
  phone: () => undefined,
  connected: () => undefined,
  life_status: () => undefined,
  setup_status: () => undefined,
  feature: () => undefined,
  state: ({ state }) => {
    const unreported = Object.entries(state).flatMap(([name, pattern]) =>
      isMetByAbsence(pattern) ? [name] : [],
    );
    if (Object.keys(state).length === 0) return names('state');
    if (unreported.length < Object.keys(state).length) return undefined;
    return `${unreported.join(', ')}: a value that was never reported matches too; add \`present: true\` to the comparison`;
  },
  message: ({ message, count }, withinMs) =>
    count === 0 && withinMs === 0
      ? `no ${message} can have come within 0 s; give it time with \`within\``
      : undefined,
  bulk: ({ bulk: { job: _job, ...wanted } }) => {
    if (Object.keys(wanted).length === 0) return names('bulk');
    return mismatchOf(wanted, { applied: 0, failed: 0 }) === undefined
      ? 'a job that has only been created matches too; add `status: COMPLETED`'
      : undefined;
  },
  vehicle: ({ vehicle }) => (Object.keys(vehicle).length === 0 ? names('vehicle') : undefined),
  truth: ({ truth }) => (Object.keys(truth).length === 0 ? names('truth') : undefined),
  belief: ({ belief }) => (Object.keys(belief).length === 0 ? names('belief') : undefined),
  journal: ({ journal }) =>
    typeof journal === 'object' && journal['at_least'] === 0
      ? 'every journal has at least 0 records; expect more, or `empty`'
      : undefined,
  took: ({ took: { at_least: least, at_most: most } }) =>
    most === undefined && least === 0
      ? 'every answer takes at least 0 s; expect longer, or `at_most`'
      : undefined,
};

/** The expectations of a step that are met before anything has happened, and those of `never` that cannot hold yet. */
export function alreadyTrueIn({ expect, never, withinMs }: Step): readonly AlreadyTrue[] {
  const met = expect.flatMap((one, index): readonly AlreadyTrue[] => {
    const reason = reasonOf(one, withinMs);
    return reason === undefined ? [] : [{ place: ['expect', index], text: said(one, reason) }];
  });
  const kept = never.flatMap((one, index): readonly AlreadyTrue[] =>
    withinMs === 0 && HAPPENINGS.has(one.kind)
      ? [
          {
            place: ['never', index],
            text: said(one, 'within 0 s it cannot have come; give it time with `within`'),
          },
        ]
      : [],
  );
  return [...met, ...kept];
}

/** What must happen before it can be evaluated. */
const HAPPENINGS: ReadonlySet<ExpectationKind> = new Set(['answer', 'message', 'phone', 'took']);

function reasonOf<Kind extends ExpectationKind>(
  expectation: Extract<Expectation, { kind: Kind }>,
  withinMs: number,
): Reason {
  const row = MET_BY_NOTHING[expectation.kind as Kind];
  return row(expectation, withinMs);
}

function said({ kind }: Expectation, reason: string): string {
  return `the expectation \`${kind}\` is met before anything has happened: ${reason}`;
}

function names(kind: ExpectationKind): string {
  return `\`${kind}\` compares nothing; name the expected value`;
}

/** Whether no value at all matches, unless the pattern itself says so with `present`. */
function isMetByAbsence(pattern: unknown): boolean {
  const saysSo = isComparison(pattern) && Object.hasOwn(pattern, 'present');
  return !saysSo && mismatchOf(pattern, undefined) === undefined;
}
