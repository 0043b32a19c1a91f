import type { Verdict } from '../verdict.ts';
import type { ObservedRun } from './observed.ts';
import { POINTS, type PointName } from './points.ts';

/** A point with its result. */
export interface JudgedPoint extends Verdict {
  readonly name: PointName;
  readonly about: string;
}

/** Judges a run by these points; absent: by all. In the order of the table. */
export function judgeClient(run: ObservedRun, only?: readonly PointName[]): readonly JudgedPoint[] {
  return POINTS.filter(({ name }) => only === undefined || only.includes(name)).map(
    ({ name, about, judge }) => ({ name, about, ...judge(run) }),
  );
}
