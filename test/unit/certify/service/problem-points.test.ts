import { describe, expect, test } from 'vitest';
import { judgeProblem, missingFor, problemPoint } from '../../../../certify/service/problem-points.ts';
import { PROBLEM_TABLE, type ProblemCause } from '../../../../scenarios/causes/table.ts';

const FLOW = '3f1c2f0e-5d9c-4a51-9a0e-0d6f2b1c8e77';

function rowOf(cause: string): ProblemCause {
  const row = PROBLEM_TABLE.find((one) => one.cause === cause);
  if (row === undefined) throw new Error(`There is no row of ${cause}.`);
  return row;
}

/** The answer that the contract has for a vehicle that is unknown, changed. */
function judged(change: {
  readonly status?: number;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}) {
  const body = {
    type: '/problems/resource-not-found',
    title: 'The resource cannot be found.',
    status: 404,
    detail: 'There is no vehicle ZZZZZZZZZZ.',
    flow_id: FLOW,
    ...change.body,
  };
  const answer = {
    status: change.status ?? 404,
    headers: { 'content-type': 'application/json', 'x-service-flow-id': FLOW, ...change.headers },
    text: change.text ?? JSON.stringify(body),
  };
  const request = { target: 'api' as const, method: 'GET', path: '/vehicles/ZZZZZZZZZZ', headers: {} };
  return judgeProblem(rowOf('unknown-id'), { asked: { request, answer } });
}

describe('the point of a problem', () => {
  test('passes with the words of the contract, whatever else a foreign service says', () => {
    expect(judged({}).result).toBe('passed');
    expect(judged({ body: { hint: 'ours' }, headers: { server: 'theirs' } }).result).toBe('passed');
    expect(judged({ headers: { 'content-type': 'application/json; charset=utf-8' } }).result).toBe('passed');
  });

  test.each([
    [{ status: 400, body: { detail: 'A colour is missing.' } }, 'A colour is missing.'],
    [{ status: 400 }, 'It answered 400'],
    [{ body: { title: 'Not Found' } }, 'Its title'],
    [{ body: { type: 'about:blank' } }, '"about:blank", and not 404'],
    [{ body: { status: 400 } }, 'Its status in the body'],
    [{ body: { detail: '' } }, 'Its detail'],
    [{ body: { detail: 'Nothing there.' } }, 'does not name ZZZZZZZZZZ'],
    [{ headers: { 'content-type': 'text/html' } }, 'Its media type'],
    [{ headers: { 'x-service-flow-id': 'none' } }, 'X-Service-Flow-ID'],
    [{ text: '<html>' }, 'no JSON object'],
    [{ text: '[]' }, 'no JSON object'],
  ])('fails with %j, and says what came', (change, came) => {
    expect(judged(change)).toMatchObject({
      result: 'failed',
      findings: expect.arrayContaining([{ text: expect.stringContaining(came) }]),
    });
  });

  test('is not tried where no vehicle fits, and fails where its cause did not come about', () => {
    const row = rowOf('no-coverage');
    expect(judgeProblem(row, { missing: 'No vehicle fits.' }).result).toBe('not-seen');
    expect(judgeProblem(row, { failure: 'It did not come to that.' }).result).toBe('failed');
  });

  test('needs an admin interface for other clients, and the surroundings for makers and providers', () => {
    const nothing = { hasAdmin: false, hasSurroundings: false };
    expect(missingFor(rowOf('unknown-id'), nothing)).toBeUndefined();
    expect(missingFor(rowOf('forged-token'), nothing)).toBeUndefined();
    // Its body names a fleet, which is looked at before the id.
    const sharing = PROBLEM_TABLE.find(
      ({ operation, cause }) => operation.kind === 'share' && cause === 'unknown-id',
    );
    expect(missingFor(sharing as ProblemCause, nothing)).toContain('--admin');
    for (const cause of [
      'expired-token',
      'store-fails',
      'shared-and-asked-by-the-owner',
      'vehicle-of-another-fleet',
    ])
      expect(missingFor(rowOf(cause), nothing), cause).toContain('--admin');
    for (const cause of ['maker-fails', 'provider-fails'])
      expect(missingFor(rowOf(cause), { ...nothing, hasAdmin: true }), cause).toContain('--simulator-port');
    const all = { hasAdmin: true, hasSurroundings: true };
    expect(PROBLEM_TABLE.filter((row) => missingFor(row, all) !== undefined)).toEqual([]);
  });

  test('has a name of its own for each row', () => {
    expect(new Set(PROBLEM_TABLE.map((row) => problemPoint(row).id)).size).toBe(PROBLEM_TABLE.length);
  });
});
