import type { VehicleNumber } from '../../judge/evidence/fact.ts';
import { reportLimits } from '../limits.ts';
import type { RunOutcome } from '../run/outcome.ts';
import { shortened } from '../run/time-text.ts';
import { groupsOf } from './played-scenario.ts';
import { stepText } from './step-text.ts';

/** One thing that went wrong in a run. */
export interface RunFailure {
  /** `steps[3].expect[0]`, `steps[3] brown-out`, a checker, or `run` for a stuck or crashed run. */
  readonly of: string;
  readonly kind: 'expectation' | 'checker' | 'run' | 'step';
  readonly text: string;
  readonly vehicle?: VehicleNumber;
  /** Milliseconds since 1970; absent when a checker gives none. */
  readonly atMs?: number;
}

/** Everything that went wrong, the run itself first, then in the order of the file. */
export function failuresOf(outcome: RunOutcome): readonly RunFailure[] {
  const { verdict, reason, endMs, checkers } = outcome;
  const ofRun: readonly RunFailure[] =
    verdict === 'stuck' || verdict === 'crashed'
      ? [
          {
            of: 'run',
            kind: 'run',
            text: sentence(`${verdict}: ${reason ?? 'no reason is known'}`),
            atMs: endMs,
          },
        ]
      : [];
  return [
    ...ofRun,
    ...groupsOf(outcome).flatMap(({ path, unmet }) =>
      unmet.map(
        ({ vehicle, atMs, text }): RunFailure => ({
          of: path,
          kind: 'expectation',
          text: sentence(text),
          atMs,
          ...(vehicle === undefined ? {} : { vehicle }),
        }),
      ),
    ),
    ...(outcome.scenario.isStrict === true ? outcome.warnings : []).map(
      ({ step, vehicle, atMs, text }): RunFailure => ({
        of: stepText(outcome.scenario, step),
        kind: 'step',
        text: sentence(text),
        atMs,
        ...(vehicle === undefined ? {} : { vehicle }),
      }),
    ),
    ...checkers.flatMap(({ checker, findings }) =>
      findings.map(
        ({ vehicle, atMs, text }): RunFailure => ({
          of: checker,
          kind: 'checker',
          text: sentence(text),
          ...(vehicle === undefined ? {} : { vehicle }),
          ...(atMs === undefined ? {} : { atMs }),
        }),
      ),
    ),
  ];
}

/** Failures of one vehicle at one moment, which share a timeline. */
export interface FailureBlock {
  readonly first: RunFailure;
  /** What failed, the first included: `steps[2].expect[0] and order-per-box`. */
  readonly of: string;
  /** The same with the vehicle: `steps[2].expect[0] and order-per-box, vehicle 2`. */
  readonly title: string;
}

/** The failures whose timeline is shown: the first of each expectation and each checker, those of one moment together. */
export function failureBlocks(failures: readonly RunFailure[]): readonly FailureBlock[] {
  const firsts = new Map<string, RunFailure>();
  for (const failure of failures) if (!firsts.has(failure.of)) firsts.set(failure.of, failure);
  const blocks = Map.groupBy(
    firsts.values(),
    ({ kind, of, vehicle, atMs }) => `${kind === 'run' ? of : ''} ${vehicle} ${atMs}`,
  );
  return [...blocks.values()].slice(0, reportLimits.timelines).flatMap((together) => {
    const [first] = together;
    if (first === undefined) return [];
    const names = together.map(({ of }) => of);
    const last = names.pop() ?? '';
    const of = names.length === 0 ? last : `${names.join(', ')} and ${last}`;
    return [{ first, of, title: first.vehicle === undefined ? of : `${of}, vehicle ${first.vehicle}` }];
  });
}

function sentence(text: string): string {
  return shortened(text, reportLimits.characters);
}
