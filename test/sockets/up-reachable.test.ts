import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type LocalDeployment, startLocalDeployment } from '../../deployment/local-deployment.ts';
import type { ReadyFacts } from '../../deployment/shared/ready-facts.ts';

let data: string;
let deployment: LocalDeployment;
let facts: ReadyFacts;
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'boxtwin-'));
  deployment = startLocalDeployment({
    vehicles: 25,
    seed: undefined,
    isFresh: false,
    data,
    logLevel: 'silent',
    drivers: true,
    port: 0,
    simulatorPort: 0,
    mqttPort: 0,
    amqpPort: 0,
    amqpsPort: 0,
    radio: 'road',
    mqtt: 'embedded',
    amqp: 'embedded',
    givenAmqp: {},
  });
  facts = await deployment.reachable;
});
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
  const read = await fetch(`${facts.baseUrl}/vehicles?limit=3`, { headers });
  const simulators = [facts.simulatorUrl, `${facts.simulatorUrl}/boxes`].map((url) =>
    fetch(url, { headers: { accept: 'application/json' } }),
  );
  const statuses = (await Promise.all(simulators)).map(({ status }) => status);
  expect({ statuses: [read.status, ...statuses], began }).toEqual({ statuses: [200, 200, 200], began: [] });
  const answer = await commanded;
  expect({ status: answer.status, body: await answer.text() }).toMatchObject({ status: 200 });
  await ready;
  expect(began).toEqual(['ready', 'command']);
});

test('once all is ready each vehicle takes a command at once: none is being configured, starting or with its driver', async () => {
  await deployment.ready;
  const headers = { authorization: `Bearer ${await tokenOf(facts)}` };
  const refusals = await Promise.all(
    facts.boxes.map(async ({ vehicleId }) => {
      if (vehicleId === null) return [];
      const url = `${facts.baseUrl}/vehicles/${vehicleId}/commands/request-vehicle-state`;
      const answer = await fetch(url, { method: 'POST', headers });
      if (answer.status === 200) return [];
      const { type } = z.looseObject({ type: z.string() }).parse(await answer.json());
      return type === '/problems/command-not-supported' ? [] : [`${vehicleId}: ${answer.status} ${type}`];
    }),
  );
  expect(refusals.flat()).toEqual([]);
});

async function tokenOf({ baseUrl, clientId, clientSecret }: ReadyFacts): Promise<string> {
  const answer = await fetch(`${baseUrl}/auth/oauth/token?grant_type=client_credentials`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
  });
  return z.looseObject({ access_token: z.string() }).parse(await answer.json()).access_token;
}
