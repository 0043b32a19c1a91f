import type { VehicleNumber } from '../run/fact.ts';
import type { Outcome } from '../run/outcome.ts';
import { limits } from './limits.ts';
import { shortened } from './moment.ts';
import { groupsOf } from './played.ts';

/** One thing that went wrong in a run. */
export interface Failure {
  /** `steps[3].expect[0]`, a checker, or `run` where it is stuck or crashed. */
  readonly of: string;
  readonly kind: 'expectation' | 'checker' | 'run';
  readonly text: string;
  readonly vehicle?: VehicleNumber;
  /** Milliseconds since 1970; absent where a checker tells none. */
  readonly atMs?: number;
}

/** Everything that went wrong, the run itself first, then in the order of the file. */
export function failuresOf(outcome: Outcome): readonly Failure[] {
  const { verdict, reason, endMs, checkers } = outcome;
  const ofRun: readonly Failure[] =
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
        ({ vehicle, atMs, text }): Failure => ({
          of: path,
          kind: 'expectation',
          text: sentence(text),
          atMs,
          ...(vehicle === undefined ? {} : { vehicle }),
        }),
      ),
    ),
    ...checkers.flatMap(({ checker, findings }) =>
      findings.map(
        ({ vehicle, atMs, text }): Failure => ({
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

/** Those whose surroundings are shown: of each expectation and each checker the first. */
export function toldFailures(failures: readonly Failure[]): readonly Failure[] {
  const firsts = new Map<string, Failure>();
  for (const failure of failures) if (!firsts.has(failure.of)) firsts.set(failure.of, failure);
  return [...firsts.values()].slice(0, limits.timelines);
}

function sentence(text: string): string {
  return shortened(text, limits.characters);
}
