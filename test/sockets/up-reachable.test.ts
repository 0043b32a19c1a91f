import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { ReadyFacts } from '../../cli/server/banner.ts';
import { type LocalDeployment, startLocalDeployment } from '../../cli/server/local-deployment.ts';

let data: string;
let deployment: LocalDeployment;
let facts: ReadyFacts;
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'boxtwin-'));
  deployment = startLocalDeployment({
    ...{ vehicles: 3, seed: undefined, isFresh: false, data, logLevel: 'silent', drivers: true },
    ...{ port: 0, simulatorPort: 0, mqttPort: 0, amqpPort: 0, amqpsPort: 0, radio: 'road' },
    ...{ mqtt: 'embedded', amqp: 'embedded', givenAmqp: {} },
  });
  facts = await deployment.reachable;
}, 60_000);
afterAll(async () => {
  await deployment.close();
  rmSync(data, { recursive: true, force: true });
});

test('the lines of the banner work as soon as it is there: reads at once, a command once its box is', async () => {
  const began: string[] = [];
  const ready = deployment.ready.then(() => began.push('ready'));
  const token = await tokenOf(facts);
  const headers = { authorization: `Bearer ${token}` };
  const { vehicleId = '', command = '' } = facts.example ?? {};
  const commanded = fetch(`${facts.baseUrl}/vehicles/${vehicleId}/commands/${command}`, {
    method: 'POST',
    headers,
  }).then((answer) => {
    began.push('command');
    return answer;
  });
  const simulated = fetch(`${facts.simulatorUrl}/boxes`, { headers: { accept: 'application/json' } });
  const read = await fetch(`${facts.baseUrl}/vehicles?limit=3`, { headers });
  expect({ status: read.status, began }).toEqual({ status: 200, began: [] });
  const answer = await commanded;
  expect({ status: answer.status, body: await answer.text() }).toMatchObject({ status: 200 });
  expect((await simulated).status).toBe(200);
  await ready;
  expect(began).toEqual(['ready', 'command']);
}, 60_000);

async function tokenOf({ baseUrl, clientId, clientSecret }: ReadyFacts): Promise<string> {
  const answer = await fetch(`${baseUrl}/auth/oauth/token?grant_type=client_credentials`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
  });
  return z.looseObject({ access_token: z.string() }).parse(await answer.json()).access_token;
}
