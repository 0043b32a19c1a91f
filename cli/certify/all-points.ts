import { OPERATIONS, operationName } from '../../scenarios/causes/operations.ts';
import { PROBLEM_TABLE } from '../../scenarios/causes/table.ts';
import { accessPoints } from './access-points.ts';
import { BOX_POINTS } from './boxes/box-points.ts';
import { checkerPoint, OUTSIDE_CHECKERS } from './checker-points.ts';
import { MESSAGE_POINTS } from './message-points.ts';
import type { PointPlan } from './point.ts';
import { problemPoint } from './problem-points.ts';
import { schemaPoint } from './schema-points.ts';
import { successPoint } from './success-points.ts';
import { WIRE_POINTS } from './wire-points.ts';

/** Whose boxes are at whose service: `ours` certifies a service, `theirs` boxes. */
export type CertifiedSide = 'ours' | 'theirs';

/** Every point of a side, in the order in which they are judged. */
export function allPoints(boxes: CertifiedSide): readonly PointPlan[] {
  if (boxes === 'theirs') return BOX_POINTS.map(({ plan }) => plan);
  return [
    ...accessPoints(),
    ...OPERATIONS.map(successPoint),
    ...MESSAGE_POINTS.map(({ plan }) => plan),
    ...OUTSIDE_CHECKERS.map(checkerPoint),
    ...PROBLEM_TABLE.map(problemPoint),
    ...WIRE_POINTS.map(({ plan }) => plan),
    ...OPERATIONS.map((operation) => schemaPoint(operationName(operation))),
  ];
}
