import { describe, expect, test } from 'vitest';
import { Clients, type Send } from '../../../../scenarios/theatre/clients.ts';
import { FakeTheatre } from '../run/fake-theatre.ts';

/** What a service answers whose store is down. */
const broken: Send = async () =>
  Response.json({ type: '/problems/internal-server-error', detail: 'It broke.' }, { status: 500 });
const away: Send = async () => undefined;
const nonsense: Send = async () => Response.json({ access_token: 7 });

const clientsOf = (send: Send): Clients => new Clients([], new FakeTheatre(0).time, send);

describe('a client whose token does not come', () => {
  test.each<[string, Send, number]>([
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

  test('asks nothing, and asks for the token anew the next time', async () => {
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
