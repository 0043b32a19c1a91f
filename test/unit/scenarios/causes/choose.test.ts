import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capabilityOf } from '../../../../contract/operation.ts';
import { OPERATIONS } from '../../../../contract/operations.ts';
import { PROBLEMS, type ProblemKind } from '../../../../contract/problems.ts';
import type { CandidateVehicle } from '../../../../scenarios/causes/cause.ts';
import {
  choose,
  nearestProblems,
  problemsNamed,
  rowlessReason,
  rowsOf,
} from '../../../../scenarios/causes/choose.ts';
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

  test('a cause or an endpoint that a problem does not have is named, with those that it has', () => {
    const reason = (endpoint: string | undefined, cause: string | undefined) =>
      rowlessReason({ problem: 'no-connection', endpoint, cause });
    expect(reason(undefined, 'none')).toBe(
      'no-connection has no cause "none". Its causes are no-coverage, box-is-silent, maker-is-silent and car-is-asleep.',
    );
    expect(reason(undefined, 'no-covrage')).toContain('Did you mean no-coverage?');
    expect(reason('lock-central-lok', undefined)).toBe(
      'No endpoint "lock-central-lok" answers with no-connection. Did you mean lock-central-lock?',
    );
    expect(reason('lok', 'car-is-asleep')).toContain('answers with no-connection because of car-is-asleep.');
    expect(reason('nonsense', undefined)).toContain('Among those that do are POST /');
  });

  test('for an unknown vehicle the nearest id is proposed, or some that exist', () => {
    const fleet = fc.sample(candidates, 1).map((one) => ({ ...one, id: '77B5C' }));
    const refusalOf = (vehicleId: string, vehicles = fleet) => {
      const choice = choose(
        { problem: 'no-connection', endpoint: undefined, cause: undefined, vehicleId },
        vehicles,
      );
      return 'refusal' in choice ? choice.refusal : '';
    };
    expect(refusalOf('77B5Z')).toBe(
      'The fleet has no vehicle 77B5Z that is set up. Did you mean 77B5C? "boxtwin vehicles" lists them.',
    );
    expect(refusalOf('NOBODY')).toContain('There are, for example, 77B5C.');
    expect(refusalOf('NOBODY', [])).toContain('It has none at all.');
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
