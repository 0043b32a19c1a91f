import { describe, expect, test } from 'vitest';
import { operationName, problemsOf } from '../../../../contract/operation.ts';
import { OPERATIONS } from '../../../../contract/operations.ts';
import { PROBLEMS } from '../../../../contract/problems.ts';
import type { CandidateVehicle, CauseStep } from '../../../../scenarios/causes/cause.ts';
import type { CauseContext } from '../../../../scenarios/causes/cause-context.ts';
import { CAUSES } from '../../../../scenarios/causes/causes.ts';
import { curlLine } from '../../../../scenarios/causes/curl.ts';
import { fillAll, valuesOf } from '../../../../scenarios/causes/placeholder-values.ts';
import { prepare } from '../../../../scenarios/causes/request.ts';
import { PROBLEM_TABLE } from '../../../../scenarios/causes/table.ts';

const VEHICLE: CandidateVehicle = {
  id: 'VEH01',
  telematics: 'box',
  capabilities: [],
  sharedWith: undefined,
  vin: 'ZZ9ABCDEF12345678',
  model: 'petrol-compact',
  boxId: '0123456789abcdef',
  installation: 'OBD',
  generation: 2,
  hardwareRevision: 5,
  firmware: '2.31',
  simProvider: 'meridian',
};
const SCENE: CauseContext = {
  vehicles: [VEHICLE, { ...VEHICLE, id: 'VEH02', vin: 'ZZ9ABCDEF87654321' }],
  shelf: [{ boxId: 'fedcba9876543210', model: 'electric-hatchback' }],
  fleetId: 'OWN01',
  partnerFleetId: 'PARTNER',
  strangerFleetId: 'STRANGER',
};
const VALUES = valuesOf(SCENE, VEHICLE);

describe('the table of problems', () => {
  test('names each pair of a row once, and only existing causes', () => {
    const names = PROBLEM_TABLE.map(({ operation, problem, cause }) =>
      [operationName(operation), problem, cause].join(' '),
    );
    expect(new Set(names).size).toBe(names.length);
    expect(PROBLEM_TABLE.filter(({ cause }) => !CAUSES.has(cause))).toEqual([]);
  });

  test('brings every problem of every operation about', () => {
    for (const operation of OPERATIONS) {
      const caused = PROBLEM_TABLE.filter((row) => row.operation === operation).map((row) => row.problem);
      expect(new Set(caused), operationName(operation)).toEqual(new Set(problemsOf(operation)));
    }
  });

  test('has the rows of the contract: those of every endpoint, and a 404 for every id', () => {
    for (const operation of OPERATIONS) {
      const kinds = PROBLEM_TABLE.filter((row) => row.operation === operation).map((row) => row.problem);
      const statuses = new Set(kinds.map((kind) => PROBLEMS[kind].status));
      for (const status of [400, 401, 403, 405, 429, 500])
        expect(statuses, operationName(operation)).toContain(status);
      expect(statuses.has(413), operationName(operation)).toBe(operation.method !== 'GET');
      if (operation.path.includes('{')) expect(statuses, operationName(operation)).toContain(404);
    }
  });

  test('every row has a request, with no placeholder left in path and body', () => {
    for (const { operation, cause: name } of PROBLEM_TABLE) {
      const cause = CAUSES.get(name);
      if (cause === undefined) throw new Error(name);
      const { request } = prepare(operation, cause, VALUES);
      expect(request.path).toMatch(/^\/[A-Za-z0-9/?=-]+$/);
      expect(request.method === 'GET' && request.body !== undefined).toBe(false);
      expect(request.body ?? '').not.toMatch(/\{[a-z_]+\}/);
    }
  });

  test('every step can be filled in', () => {
    const steps: readonly CauseStep[] = [...CAUSES.values()].flatMap(({ steps: bring, undoSteps: undo }) => [
      ...bring,
      ...undo,
    ]);
    for (const { path, body, about: says } of steps) {
      expect(() => fillAll([path, body], VALUES)).not.toThrow();
      expect(says).toMatch(/^[A-Z].*\.$/);
    }
  });

  test('a missing value is reported', () => {
    expect(() => fillAll({ id: '{box}' }, {})).toThrow('There is no box to put into {box}.');
  });
});

describe('a request as a shell line', () => {
  const addresses = { api: 'http://127.0.0.1:1', simulator: 'http://127.0.0.1:2' };

  test('quotes characters special to a shell', () => {
    const request = {
      target: 'api',
      method: 'PUT',
      path: '/a?b=1',
      headers: { x: "it's" },
      body: '{}',
    } as const;
    expect(curlLine(request, addresses)).toBe(
      "curl -i -X PUT -H 'x: it'\\''s' -d '{}' 'http://127.0.0.1:1/a?b=1'",
    );
  });

  test('has shell variables in place of tokens', () => {
    const authorization = 'Bearer abc';
    const request = { target: 'api', method: 'GET', path: '/vehicles', headers: { authorization } } as const;
    expect(curlLine(request, addresses, new Map([[authorization, 'TOKEN']]))).toBe(
      `curl -i -H "authorization: Bearer $TOKEN" 'http://127.0.0.1:1/vehicles'`,
    );
  });

  test('shows a very long body as blanks', () => {
    const body = ' '.repeat(70_000);
    const request = { target: 'simulator', method: 'POST', path: '/', headers: {}, body } as const;
    expect(curlLine(request, addresses)).toBe(
      "yes ' ' | head -c 70000 | curl -i -X POST --data-binary @- 'http://127.0.0.1:2/'",
    );
  });
});
