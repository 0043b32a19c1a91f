import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calledRequest } from '../../../../console/server/service-calls.ts';
import type { SessionRecord } from '../../../../console/server/session-record.ts';
import type { ServiceCaller } from '../../../../console/server/sources.ts';

const session = { beforeCall: () => Promise.resolve(() => undefined) } as unknown as SessionRecord;

/** The paths that the service is asked for, by a page that asks for this one. */
async function askedFor(path: string): Promise<readonly string[]> {
  const asked: string[] = [];
  const caller = {
    baseUrl: 'http://127.0.0.1:8080',
    call: (_method: string, of: string) => {
      asked.push(new URL(of, 'http://127.0.0.1:8080').pathname);
      return Promise.resolve(new Response('{}'));
    },
  } as unknown as ServiceCaller;
  const time = { nowMs: () => 0 } as Parameters<typeof calledRequest>[0]['time'];
  await calledRequest({ time, caller, session }, { method: 'GET', path });
  return asked;
}

describe('calls of the page', () => {
  test('go to vehicles, jobs, subscriptions and health', async () => {
    expect(await askedFor('/vehicles?limit=3')).toEqual(['/vehicles']);
    expect(await askedFor('/health')).toEqual(['/health']);
  });

  test.each([
    '/auth/oauth/jwks',
    '/vehicles/../auth/oauth/jwks',
    '/vehicles/%2e%2e/auth/oauth/jwks',
    '/vehicles/..\\auth',
    '//evil.example/vehicles',
  ])('do not reach %s with the token of the console', async (path) => {
    expect(await askedFor(path)).toEqual([]);
  });

  test('never leave the API, whatever the path', async () => {
    const part = fc.oneof(
      fc.constantFrom('..', '%2e%2e', '.', 'vehicles', 'auth', '\\', '?', '#'),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part), async (parts) => {
        for (const path of await askedFor(`/vehicles/${parts.join('/')}`))
          expect(path).toMatch(/^\/(vehicles|health|metrics)/);
      }),
    );
  });
});
