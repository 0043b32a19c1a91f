import { describe, expect, test } from 'vitest';
import { BOX_POINTS } from '../../../../judge/certify/boxes/box-points.ts';
import { MESSAGE_POINTS } from '../../../../judge/certify/message-points.ts';
import type { PointPlan } from '../../../../judge/certify/point.ts';
import { WIRE_POINTS } from '../../../../judge/certify/wire-points.ts';
import type { Verdict } from '../../../../judge/verdict.ts';
import { BOX_POINT_FAULTS, RIGHT_BOX } from '../../../support/certify/box-point-faults.ts';
import { MESSAGE_FAULTS, RIGHT_MESSAGES } from '../../../support/certify/message-faults.ts';
import type { PointFaults } from '../../../support/certify/point-fault.ts';
import { RIGHT_FRAMES, WIRE_FAULTS } from '../../../support/certify/wire-faults.ts';

/** A judge that cannot fail says nothing: each passes what is right, and finds the faults of its row. */
function everyPoint<Evidence>(
  what: string,
  points: readonly { readonly plan: PointPlan; readonly judge: (evidence: Evidence) => Verdict }[],
  right: Evidence,
  faults: PointFaults<Evidence>,
): void {
  describe(`each point of ${what}`, () => {
    test('has a fault that it must find', () => {
      expect(Object.keys(faults)).toEqual(points.map(({ plan }) => plan.id));
      expect(Object.values(faults).filter(({ length }) => length === 0)).toEqual([]);
    });

    test.each(points.map(({ plan, judge }) => [plan.id, judge] as const))(
      '%s passes what is right',
      (_, judge) => {
        expect(judge(right)).toMatchObject({ result: 'passed', findings: [] });
      },
    );

    test.each(
      points.flatMap(({ plan, judge }) =>
        (faults[plan.id] ?? []).map((fault) => [plan.id, fault.what, fault, judge] as const),
      ),
    )('%s fails %s', (_point, _what, { plant, said }, judge) => {
      const { result, findings } = judge(plant(right));
      expect(result).toBe('failed');
      expect(findings.map(({ text }) => text).join('\n')).toContain(said);
    });
  });
}

everyPoint('the wire', WIRE_POINTS, RIGHT_FRAMES, WIRE_FAULTS);
everyPoint('messages', MESSAGE_POINTS, RIGHT_MESSAGES, MESSAGE_FAULTS);
everyPoint('boxes', BOX_POINTS, RIGHT_BOX, BOX_POINT_FAULTS);
