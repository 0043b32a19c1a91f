import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeConnectivity } from '../../../../backend/connectivity/connectivity.ts';
import { DIALECTS } from '../../../../backend/connectivity/dialects.ts';
import { CONNECTIVITY_COMMANDS, SIM_PROVIDERS } from '../../../../contract/sim-providers.ts';
import type { HttpRequest } from '../../../../world/http/http.ts';

const CARD = '8988299000000000001';
const INTERFACES = { harbour: { baseUrl: 'https://sims.example/harbour', apiKey: 'a secret' } };

describe('the clients of the SIM providers', () => {
  test('have a request for exactly the commands of each provider in the table', () => {
    expect([...DIALECTS.keys()]).toEqual(SIM_PROVIDERS.map((provider) => provider.name));
    for (const provider of SIM_PROVIDERS) {
      const has = CONNECTIVITY_COMMANDS.filter((name) => DIALECTS.get(provider.name)?.requests[name]);
      expect(has).toEqual(provider.commands);
    }
  });

  test('send one authenticated request, with limits of time and size', async () => {
    const asked: HttpRequest[] = [];
    const connectivity = makeConnectivity(
      {
        http: {
          call: async (request) => {
            asked.push(request);
            return { status: 200, headers: {}, body: '{"ok":true}' };
          },
        },
      },
      INTERFACES,
    );
    expect(await connectivity.act({ provider: 'harbour', iccid: CARD }, 'request-sim-suspension')).toEqual({
      done: true,
    });
    expect(asked).toEqual([
      {
        method: 'POST',
        url: 'https://sims.example/harbour/rpc',
        headers: { 'content-type': 'application/json', 'x-harbour-key': 'a secret' },
        body: JSON.stringify({ operation: 'card.suspend', card: CARD }),
        timeoutMs: 10_000,
        maxBodyBytes: 16_384,
      },
    ]);
  });

  test('accept only explicit successes, whatever the answer contains, and quote a part of it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 100, max: 599 }),
        fc.string({ maxLength: 500 }),
        async (status, body) => {
          const call = async () => ({ status, headers: {}, body });
          const connectivity = makeConnectivity({ http: { call } }, INTERFACES);
          const acted = await connectivity.act(
            { provider: 'harbour', iccid: CARD },
            'request-sim-activation',
          );
          expect(acted.done).toBe(false);
          if (!acted.done) expect(acted.cause.length).toBeLessThan(300);
        },
      ),
    );
  });

  test('name the interface that is missing in the settings', async () => {
    const call = () => Promise.reject(new Error('nobody is to be called'));
    const connectivity = makeConnectivity({ http: { call } }, INTERFACES);
    expect(await connectivity.act({ provider: 'meridian', iccid: CARD }, 'network-detach')).toEqual({
      done: false,
      cause: 'SIM provider meridian: the settings contain no interface for it',
    });
  });
});
