import { operationName } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { BOX_POINTS } from '../../judge/certify/boxes/box-points.ts';
import { checkerPoint } from '../../judge/certify/checker-points.ts';
import { MESSAGE_POINTS } from '../../judge/certify/message-points.ts';
import type { PointPlan } from '../../judge/certify/point.ts';
import { schemaPoint } from '../../judge/certify/schema-points.ts';
import { WIRE_POINTS } from '../../judge/certify/wire-points.ts';
import { OUTSIDE_CHECKERS } from '../../judge/checkers.ts';
import { PROBLEM_TABLE } from '../../scenarios/causes/table.ts';
import { accessPoints } from './access-points.ts';
import { problemPoint } from './problem-points.ts';
import { successPoint } from './success-points.ts';

/** Whose boxes are at whose service: `ours` certifies a service, `theirs` boxes. */
export type CertifiedSide = 'ours' | 'theirs';

/** Every point of a side, in the order of judging. */
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
