import { expect, test } from 'vitest';
import { VehicleTurns } from '../../../../deployment/demo/drivers/vehicle-turns.ts';
import { sendToApi, sendToSimulator } from '../../../../deployment/demo/held-requests.ts';

/** A fleet that settles when it is told to, and which requests came through. */
function scene() {
  const resolvers = Promise.withResolvers<void>();
  let isSettled = false;
  const settled = {
    resolve: () => {
      isSettled = true;
      resolvers.resolve();
    },
  };
  const turns = new VehicleTurns();
  const sent: string[] = [];
  const ask = (to: typeof sendToApi, method: string, path: string) => {
    const client = new AbortController();
    const request = new Request(`http://127.0.0.1${path}`, { method, signal: client.signal });
    const answer = to(
      request,
      { settled: resolvers.promise, isSettled: () => isSettled, turns },
      async () => {
        sent.push(`${method} ${path}`);
        return new Response(null, { status: 204 });
      },
    );
    return { answer, disconnect: () => client.abort() };
  };
  return { settled, turns, sent, ask };
}

test('reads of API and simulator are answered while the fleet settles, and so is what the service asks for', async () => {
  const { ask, sent } = scene();
  const paths = ['/', '/boxes', '/boxes/0123/wire'];
  await Promise.all(paths.map((path) => ask(sendToSimulator, 'GET', path).answer));
  await ask(sendToSimulator, 'HEAD', '/').answer;
  await ask(sendToSimulator, 'POST', '/sim-providers/meridian/cards').answer;
  await ask(sendToApi, 'GET', '/vehicles').answer;
  await ask(sendToApi, 'POST', '/auth/oauth/token').answer;
  expect(sent.length).toBe(7);
});

test('a change waits until the fleet has settled', async () => {
  const { ask, sent, settled } = scene();
  const asked = [
    ask(sendToApi, 'POST', '/vehicles/V1/commands/unlock'),
    ask(sendToApi, 'PATCH', '/vehicles/V2'),
    ask(sendToSimulator, 'POST', '/boxes/0123/drive'),
  ];
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toEqual([]);
  settled.resolve();
  const statuses = (await Promise.all(asked.map(({ answer }) => answer))).map(({ status }) => status);
  expect(statuses).toEqual([204, 204, 204]);
});

test('a change whose client disconnects while the fleet settles is not sent', async () => {
  const { ask, sent, settled } = scene();
  const asked = [
    ask(sendToApi, 'POST', '/vehicles/V1/commands/unlock'),
    ask(sendToApi, 'POST', '/vehicles'),
    ask(sendToSimulator, 'POST', '/boxes/0123/drive'),
  ];
  for (const { disconnect } of asked) disconnect();
  settled.resolve();
  await Promise.all(asked.map(({ answer }) => answer));
  expect(sent).toEqual([]);
});

test("a change whose client disconnects while it waits for a driver's command is not sent", async () => {
  const { ask, sent, settled, turns } = scene();
  settled.resolve();
  const driver = Promise.withResolvers<void>();
  const driven = turns.ofDriver('V1', () => driver.promise);
  const { answer, disconnect } = ask(sendToApi, 'POST', '/vehicles/V1/commands/unlock');
  await new Promise((resolve) => setImmediate(resolve));
  disconnect();
  driver.resolve();
  await Promise.all([answer, driven]);
  expect(sent).toEqual([]);
  expect(turns.hasClient('V1')).toBe(false);
});
