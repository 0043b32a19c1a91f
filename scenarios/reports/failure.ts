import type { VehicleNumber } from '../../judge/evidence/fact.ts';
import { reportLimits } from '../limits.ts';
import type { RunOutcome } from '../run/outcome.ts';
import { shortened } from '../run/time-text.ts';
import { groupsOf } from './played-scenario.ts';
import { stepPath, stepText } from './step-text.ts';

/** One thing that went wrong in a run. */
export interface RunFailure {
  /** Its path: `steps[3].expect[0]`, `steps[3] brown-out`, a checker, or `run` for a stuck or crashed run. */
  readonly of: string;
  /** The same for people: `step 4 (line 12) expect 1`. */
  readonly name: string;
  readonly kind: 'expectation' | 'checker' | 'run' | 'step';
  readonly text: string;
  /** Of an expectation or a step, from 0. */
  readonly step?: number;
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
            name: 'run',
            kind: 'run',
            text: sentence(`${verdict}: ${reason ?? 'no reason is known'}`),
            atMs: endMs,
          },
        ]
      : [];
  return [
    ...ofRun,
    ...groupsOf(outcome).flatMap(({ path, name, step, unmet }) =>
      unmet.map(
        ({ vehicle, atMs, text }): RunFailure => ({
          of: path,
          name,
          step,
          kind: 'expectation',
          text: sentence(text),
          atMs,
          ...(vehicle === undefined ? {} : { vehicle }),
        }),
      ),
    ),
    ...(outcome.scenario.isStrict === true ? outcome.warnings : []).map(
      ({ step, vehicle, atMs, text }): RunFailure => ({
        of: stepPath(outcome.scenario, step),
        name: stepText(outcome.scenario, step),
        step,
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
          name: checker,
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
  /** The paths of what failed, the first included: `steps[2].expect[0] and order-per-box`. */
  readonly of: string;
  /** The same for people, with the vehicle: `step 3 (line 9) expect 1 and order-per-box, vehicle 2`. */
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
    const of = joined(together.map((one) => one.of));
    const names = joined(together.map(({ name }) => name));
    return [{ first, of, title: first.vehicle === undefined ? names : `${names}, vehicle ${first.vehicle}` }];
  });
}

function joined(texts: readonly string[]): string {
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} and ${last}`;
}

function sentence(text: string): string {
  return shortened(text, reportLimits.characters);
}
