import { afterEach, expect, vi } from 'vitest';
import { observe, observeSockets, takeFindings } from './observer.ts';

/**
 * Every answer of the service in every test passes through the validator: those of applications in this process, and
 * those that come over a socket. A test in which one has something undeclared fails, with what that is.
 */
vi.mock('../../backend/http/backend-app.ts', async (original) => {
  const actual = await original<typeof import('../../backend/http/backend-app.ts')>();
  type Parts = Parameters<typeof actual.buildBackendApp>[0];
  return { ...actual, buildBackendApp: (parts: Parts) => observe(actual.buildBackendApp(parts)) };
});

observeSockets();

afterEach(async () => {
  expect(await takeFindings(), 'answers that the OpenAPI document does not declare').toEqual([]);
});
