import { afterEach, expect, vi } from 'vitest';
import type { App } from '../../../backend/http/app.ts';
import type { DocumentNode } from '../../../judge/certify/answer-validator.ts';
import { observeApp, observeFetch, takeAnswerFindings } from './observe-answers.ts';

/**
 * Every answer of the service in every test is checked by the validator: those of applications in this
 * process, and those received over a socket. A test with an undeclared answer fails, with the finding.
 */
vi.mock('../../../backend/backend-app.ts', async (original) => {
  // Loaded with the application: most files have none, and a virtual world forbids loading.
  const [actual, { AnswerValidator }, { openApiDocument }] = await Promise.all([
    original<typeof import('../../../backend/backend-app.ts')>(),
    import('../../../judge/certify/answer-validator.ts'),
    import('../../../backend/http/openapi/openapi.ts'),
  ]);
  type Parts = Parameters<typeof actual.buildBackendApp>[0];
  const describe = (app: App) =>
    new AnswerValidator(openApiDocument(app, 'http://service.test') as unknown as DocumentNode);
  return {
    ...actual,
    buildBackendApp: (parts: Parts) => observeApp(actual.buildBackendApp(parts), describe),
  };
});

observeFetch();

afterEach(async () => {
  expect(await takeAnswerFindings(), 'answers that the OpenAPI document does not declare').toEqual([]);
});
