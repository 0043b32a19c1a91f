import { describe, expect, test } from 'vitest';
import { accessPoints } from '../../../../certify/service/access-points.ts';
import { successPoint } from '../../../../certify/service/success-points.ts';
import { OPERATIONS } from '../../../../contract/operations.ts';
import { triedService } from '../../../support/certify/fake-session.ts';
import { SERVICE_POINT_FAULTS } from '../../../support/certify/service-point-faults.ts';

const POINTS = [...accessPoints(), ...OPERATIONS.map(successPoint)].map(({ id }) => id);

describe('the points of access and success', () => {
  test('pass a service that does all of it right', async () => {
    const points = await triedService();
    expect(points.filter(({ result }) => result !== 'passed')).toEqual([]);
    expect(new Set(points.map(({ id }) => id))).toEqual(new Set(POINTS));
  });

  test('have a fault each that they must find', () => {
    expect(new Set(Object.keys(SERVICE_POINT_FAULTS))).toEqual(new Set(POINTS));
    expect(Object.values(SERVICE_POINT_FAULTS).filter(({ length }) => length === 0)).toEqual([]);
  });

  test.each(
    Object.entries(SERVICE_POINT_FAULTS).flatMap(([id, faults]) =>
      faults.map((one) => [id, one.what, one] as const),
    ),
  )('%s fails a service that %s', async (id, _, { fault, said }) => {
    const found = (await triedService(fault, [id])).find((point) => point.id === id);
    expect(found?.result).toBe('failed');
    expect(found?.findings.map(({ text }) => text).join('\n')).toContain(said);
  });
});
