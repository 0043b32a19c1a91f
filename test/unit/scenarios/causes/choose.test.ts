import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capabilityOf } from '../../../../contract/operation.ts';
import { OPERATIONS } from '../../../../contract/operations.ts';
import { PROBLEMS, type ProblemKind } from '../../../../contract/problems.ts';
import type { CandidateVehicle } from '../../../../scenarios/causes/cause.ts';
import { choose, nearestProblems, problemsNamed, rowsOf } from '../../../../scenarios/causes/choose.ts';
import { unfitReason } from '../../../../scenarios/causes/unfit-reason.ts';

const KINDS = Object.keys(PROBLEMS) as ProblemKind[];
const CAPABILITIES = [...new Set(OPERATIONS.flatMap((operation) => capabilityOf(operation) ?? []))];

/** A vehicle with a box or with its maker's telematics, whatever it can do. */
const candidates: fc.Arbitrary<CandidateVehicle> = fc.record({
  id: fc.stringMatching(/^[A-Z0-9]{5}$/),
  telematics: fc.constantFrom('box', 'maker'),
  capabilities: fc.subarray(CAPABILITIES),
  sharedWith: fc.constantFrom(undefined, 'PARTNER'),
  vin: fc.constantFrom('', 'ZZ9ABCDEF12345678'),
  model: fc.constant('petrol-compact'),
  boxId: fc.constantFrom(undefined, '0123456789abcdef'),
  installation: fc.constantFrom(undefined, 'OBD', 'HARDWIRED'),
  generation: fc.constantFrom(undefined, 1, 2),
  hardwareRevision: fc.constantFrom(undefined, 2, 4, 6),
  firmware: fc.constantFrom(undefined, '2.20', '2.24', '3.0'),
  simProvider: fc.constantFrom(undefined, 'harbour', 'tundra'),
});
const fleets = fc.uniqueArray(candidates, { selector: ({ id }) => id, maxLength: 6 });

describe('choosing a problem', () => {
  test('a type is found by its name, as a whole, and by its last parts', () => {
    for (const kind of KINDS) {
      expect(problemsNamed(kind)).toEqual([kind]);
      expect(problemsNamed(PROBLEMS[kind].type)).toEqual([kind]);
    }
    expect(problemsNamed('error')).toEqual(['telematics-unit-error', 'third-party-error']);
    expect(problemsNamed('')).toEqual([]);
    expect(nearestProblems('conflicting-stat')[0]).toBe('conflicting-state');
  });

  test('every problem has a row', () => {
    for (const problem of KINDS)
      expect(rowsOf({ problem, endpoint: undefined, cause: undefined }), problem).not.toEqual([]);
  });

  test('a choice matches, and a refusal has a reason', () => {
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), fleets, fc.nat(6), (problem, fleet, index) => {
        const vehicleId = fleet[index]?.id;
        const choice = choose({ problem, endpoint: undefined, cause: undefined, vehicleId }, fleet);
        if ('refusal' in choice) {
          expect(choice.refusal).toMatch(/\.$/);
          return;
        }
        const { row, cause, vehicle } = choice;
        expect(row.problem).toBe(problem);
        expect(cause.name).toBe(row.cause);
        if (vehicle === undefined) expect(cause.reserves).toBe('shelf');
        else expect(unfitReason(cause, row.operation, vehicle)).toBeUndefined();
        if (vehicleId !== undefined) expect(vehicle?.id).toBe(vehicleId);
      }),
    );
  });
});
