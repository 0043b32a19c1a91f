import { afterEach, expect, vi } from 'vitest';
import type { App } from '../../backend/http/app.ts';
import { observe, observeSockets, takeFindings } from './observer.ts';
import type { DocumentNode } from './validator.ts';

/**
 * Every answer of the service in every test passes through the validator: those of applications in this process, and
 * those that come over a socket. A test in which one has something undeclared fails, with what that is.
 */
vi.mock('../../backend/http/backend-app.ts', async (original) => {
  // Loaded with the application: most files have none, and a virtual world lets nothing be loaded.
  const [actual, { makeValidator }, { openApiDocument }] = await Promise.all([
    original<typeof import('../../backend/http/backend-app.ts')>(),
    import('./validator.ts'),
    import('../../backend/http/openapi.ts'),
  ]);
  type Parts = Parameters<typeof actual.buildBackendApp>[0];
  const describe = (app: App) =>
    makeValidator(openApiDocument(app, 'http://service.test') as unknown as DocumentNode);
  return { ...actual, buildBackendApp: (parts: Parts) => observe(actual.buildBackendApp(parts), describe) };
});

observeSockets();

afterEach(async () => {
  expect(await takeFindings(), 'answers that the OpenAPI document does not declare').toEqual([]);
});
