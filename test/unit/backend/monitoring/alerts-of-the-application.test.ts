import { describe, expect, test } from 'vitest';
import { buildApp } from '../../../../backend/http/app.ts';
import { refuse } from '../../../../backend/http/environment.ts';
import type { RequestFailure } from '../../../../backend/monitoring/operator.ts';
import { problem } from '../../../../contract/problems.ts';

const FLOW_ID = '6a0f5a8e-0000-4000-8000-000000000001';

/** An application whose endpoints fail in every way that there is. */
function failing() {
  const failures: RequestFailure[] = [];
  const app = buildApp({
    world: { ids: { ulid: () => '', uuid: () => FLOW_ID, code: () => '', secret: () => '' } },
    operator: { failed: (failure) => void failures.push(failure) },
    baseUrl: 'http://service.test',
    alsoTaken: {},
  });
  app.post('/throws', () => {
    throw new TypeError('x is not a function');
  });
  app.post('/says-so', (c) => refuse(c, problem('telematics-unit-error', 'The relay is stuck.')));
  app.post('/elsewhere', () => new Response(null, { status: 500 }));
  app.post('/maker', (c) => refuse(c, problem('third-party-error', 'Their error.')));
  app.post('/fine', (c) => c.body(null, 204));
  const ask = (path: string) =>
    app.request(`${path}?code=query-secret`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer token-secret' },
      body: '{"password":"body-secret"}',
    });
  return { failures, ask };
}

describe('the operator is alerted about', () => {
  test.each([
    ['/throws', 'internal-server-error', 'TypeError: x is not a function'],
    ['/says-so', 'telematics-unit-error', 'The relay is stuck.'],
    ['/elsewhere', 'internal-server-error', ''],
  ])('%s once, with its flow id and nothing of its token, query or body', async (path, kind, error) => {
    const { failures, ask } = failing();
    const answer = await ask(path);
    expect(answer.status).toBe(500);
    expect(failures).toMatchObject([{ flowId: FLOW_ID, method: 'POST', path, problem: kind, error }]);
    expect(JSON.stringify(failures)).not.toContain('secret');
  });

  test.each(['/maker', '/fine', '/nowhere'])('nothing of %s', async (path) => {
    const { failures, ask } = failing();
    await ask(path);
    expect(failures).toEqual([]);
  });
});
