import { describe, expect, test } from 'vitest';
import { problemResponse } from '../../../../backend/http/problem.ts';
import { PROBLEMS, type ProblemKind, type ProblemRow, problem } from '../../../../contract/problems.ts';
import { BASE_URL, openTestService } from '../../../support/http/test-service.ts';

const kinds = Object.keys(PROBLEMS) as ProblemKind[];
const occurrence = { baseUrl: BASE_URL, flowId: '6a0f5a8e-0000-4000-8000-000000000001' };

describe('problems', () => {
  test('no two rows share a type', () => {
    expect(new Set(kinds.map((kind) => PROBLEMS[kind].type)).size).toBe(kinds.length);
  });

  test.each([
    [404, '/problems/resource-not-found', 'The resource cannot be found.'],
    [409, '/problems/vehicle/command-not-supported', 'The command is not supported by the vehicle.'],
    [
      409,
      '/problems/conflicting-resource',
      'Request cannot be processed due to a conflicting resource or resource state.',
    ],
    [
      409,
      '/problems/vehicle/conflicting-setup-status',
      "The operation cannot be performed due to the vehicle's setup status.",
    ],
    [409, '/problems/vehicle/shared-with-partner', 'The vehicle is currently shared with a partner.'],
    [409, '/problems/incompatible-firmware-version', 'Incompatible firmware version'],
    [409, '/problems/resource-conflict', 'The resource has a conflict.'],
    [502, '/problems/third-party/error', 'An error occurred at a third party API or protocol.'],
    [504, '/problems/vehicle/no-connection', 'No connection to vehicle'],
    [500, '/problems/internal-server-error', 'Internal Server Error'],
  ])('the contract has %i %s', (status, type, title) => {
    const rows: readonly ProblemRow[] = Object.values(PROBLEMS);
    expect(rows.find((row) => row.type === type)).toMatchObject({ status, title });
  });

  test.each(kinds)(
    '%s is answered with its status, a Problem body and the right media type',
    async (kind) => {
      const answer = problemResponse(problem(kind, 'Why.'), occurrence);
      const { status, type, title } = PROBLEMS[kind];
      expect(answer.status).toBe(status);
      expect(answer.headers.get('content-type')).toBe(
        status === 404 ? 'application/json' : 'application/problem+json',
      );
      expect(await answer.json()).toEqual({
        type,
        title,
        status,
        detail: 'Why.',
        type_documentation: `${BASE_URL}/docs${type}`,
        flow_id: occurrence.flowId,
      });
    },
  );

  test('type_documentation leads to a page for every problem', async () => {
    const stage = await openTestService();
    for (const kind of kinds) {
      const page = await stage.ask('GET', `/docs${PROBLEMS[kind].type}`);
      expect(page.status).toBe(200);
      expect(await page.text()).toContain(PROBLEMS[kind].title);
    }
  });

  test('are listed at /docs/problems, each with the address of its page', async () => {
    const stage = await openTestService();
    const list = await (await stage.ask('GET', '/docs/problems')).text();
    for (const kind of kinds) expect(list).toContain(`${BASE_URL}/docs${PROBLEMS[kind].type}\n`);
  });

  test.each(kinds)('%s says when it happens, and what to do', (kind) => {
    const sentences = PROBLEMS[kind].meaning.split(/[.:;] /);
    expect(sentences.length, PROBLEMS[kind].meaning).toBeGreaterThanOrEqual(2);
  });
});
