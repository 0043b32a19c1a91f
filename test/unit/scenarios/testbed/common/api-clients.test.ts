import { describe, expect, test } from 'vitest';
import { ApiClients, type SendRequest } from '../../../../../scenarios/testbed/common/api-clients.ts';
import { FakeTestbed } from '../../../../support/scenarios/fake-testbed.ts';

/** What a service answers whose store is down. */
const broken: SendRequest = async () =>
  Response.json({ type: '/problems/internal-server-error', detail: 'It broke.' }, { status: 500 });
const away: SendRequest = async () => undefined;
const nonsense: SendRequest = async () => Response.json({ access_token: 7 });

const clientsOf = (send: SendRequest): ApiClients => new ApiClients([], new FakeTestbed(0).time, send);

describe('a client that gets no token', () => {
  test.each<[string, SendRequest, number]>([
    ['since the store is down', broken, 500],
    ['since the service is away', away, 0],
    ['since what came is none', nonsense, 200],
  ])('%s has an answer, and nothing is thrown', async (_, send, status) => {
    const clients = clientsOf(send);
    for (const as of ['owner', 'partner', 'forged', 'nobody else']) {
      const { answer, token } = await clients.fetchToken(as);
      expect(token).toBeUndefined();
      expect(answer.status).toBe(as === 'nobody else' ? 0 : status);
    }
  });

  test('sends no call, and requests the token again the next time', async () => {
    const asked: string[] = [];
    let isDown = true;
    const clients = clientsOf(async (request) => {
      asked.push(new URL(request.url).pathname);
      if (isDown) return broken(request);
      return Response.json({ access_token: 'a.b.cccccccc', expires_in: 3_600 });
    });
    const look = () => clients.ask({ method: 'GET', path: '/vehicles', as: 'partner' });
    expect(await look()).toMatchObject({ status: 0, text: '' });
    isDown = false;
    expect(await look()).toMatchObject({ status: 200 });
    expect(asked.map((path) => path.replace(/^.*\//, ''))).toEqual(['token', 'token', 'vehicles']);
  });
});
