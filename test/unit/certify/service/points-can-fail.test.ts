import { describe, expect, test } from 'vitest';
import { allPoints } from '../../../../certify/service/all-points.ts';
import { problemPoint } from '../../../../certify/service/problem-points.ts';
import { BOX_POINTS } from '../../../../judge/certify/boxes/box-points.ts';
import { checkerPoint, judgeByChecker } from '../../../../judge/certify/checker-points.ts';
import { MESSAGE_POINTS } from '../../../../judge/certify/message-points.ts';
import type { PointPlan } from '../../../../judge/certify/point.ts';
import { documentedOperations, schemaPoint } from '../../../../judge/certify/schema-points.ts';
import { WIRE_POINTS } from '../../../../judge/certify/wire-points.ts';
import { OUTSIDE_CHECKERS } from '../../../../judge/checkers.ts';
import type { CheckScope } from '../../../../judge/rules/check.ts';
import type { Verdict } from '../../../../judge/verdict.ts';
import { PROBLEM_TABLE } from '../../../../scenarios/causes/table.ts';
import { BOX_POINT_FAULTS, RIGHT_BOX } from '../../../support/certify/box-point-faults.ts';
import { MESSAGE_FAULTS, RIGHT_MESSAGES } from '../../../support/certify/message-faults.ts';
import type { PointFaults } from '../../../support/certify/point-fault.ts';
import { API_DOCUMENT } from '../../../support/certify/schema-faults.ts';
import { SERVICE_POINT_FAULTS } from '../../../support/certify/service-point-faults.ts';
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

describe('the points of certify', () => {
  test('have a fault each: here, of requests and answers beside, of checkers in test/unit/judge/rules', () => {
    const faulty = [
      ...[WIRE_FAULTS, MESSAGE_FAULTS, BOX_POINT_FAULTS, SERVICE_POINT_FAULTS].flatMap(Object.keys),
      ...PROBLEM_TABLE.map((row) => problemPoint(row).id),
      ...documentedOperations(API_DOCUMENT).map((operation) => schemaPoint(operation).id),
      ...OUTSIDE_CHECKERS.map((name) => checkerPoint(name).id),
    ];
    const points = [...allPoints('ours'), ...allPoints('theirs')].map(({ id }) => id);
    expect(points.filter((id) => !faulty.includes(id))).toEqual([]);
    expect(points.length).toBeGreaterThan(1_000);
  });

  test.each(OUTSIDE_CHECKERS)('the checker %s passes nothing that it cannot look at', async (name) => {
    expect(await judgeByChecker(name, {} as CheckScope)).toMatchObject({
      result: 'failed',
      findings: [{ text: expect.stringContaining('It could not look') }],
    });
  });
});
