import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startLocalDeployment } from '../../deployment/local-deployment.ts';
import type { ReadyFacts } from '../../deployment/shared/ready-facts.ts';
import { freePort } from '../support/run/free-port.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** The service with a fleet, and where it listens, whatever its clients call it. */
async function start(options: {
  readonly publicUrl?: string;
  readonly trustedProxies?: readonly string[];
}): Promise<{ readonly facts: ReadyFacts; readonly url: string }> {
  const data = mkdtempSync(join(tmpdir(), 'boxtwin-'));
  const port = await freePort();
  const deployment = startLocalDeployment({
    vehicles: 1,
    seed: undefined,
    isFresh: false,
    data,
    logLevel: 'silent',
    ...options,
    port,
    simulatorPort: 0,
    mqttPort: 0,
    amqpPort: 0,
    amqpsPort: 0,
    mqtt: 'embedded',
    amqp: 'embedded',
    givenAmqp: {},
  });
  ends.push(async () => {
    await deployment.close();
    rmSync(data, { recursive: true, force: true });
  });
  return { facts: await deployment.reachable, url: `http://127.0.0.1:${port}` };
}

async function tokenOf(url: string, { clientId, clientSecret }: ReadyFacts): Promise<string> {
  const answer = await fetch(`${url}/auth/oauth/token?grant_type=client_credentials`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
  });
  return z.looseObject({ access_token: z.string() }).parse(await answer.json()).access_token;
}

describe('the address by which clients know the service', () => {
  test('may be plain http elsewhere: all works but the sign-in at the reference page, and a note says so', async () => {
    const publicUrl = 'http://twin.test:9999';
    const { facts, url } = await start({ publicUrl });
    expect(facts.baseUrl).toBe(publicUrl);
    expect(facts.notices.filter((notice) => notice.includes('sign-in at '))).toHaveLength(1);
    const headers = { authorization: `Bearer ${await tokenOf(url, facts)}` };
    expect((await fetch(`${url}/vehicles?limit=3`, { headers })).status).toBe(200);
    expect((await fetch(`${url}/docs`)).status).toBe(200);
    expect(await (await fetch(`${url}/docs/begin.js`)).text()).toContain('clientId: ""');
  });

  test('is not changed by what a proxy forwards, trusted or not: it is the issuer; without --public-url a note says so', async () => {
    const { facts, url } = await start({ trustedProxies: ['127.0.0.0/8'] });
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' };
    const discovery = await fetch(`${url}/.well-known/openid-configuration`, { headers: forwarded });
    expect(await discovery.json()).toMatchObject({ issuer: url });
    const root = await fetch(`${url}/`, { headers: forwarded });
    expect(await root.json()).toMatchObject({ links: { vehicles: `${url}/vehicles` } });
    expect(await (await fetch(`${url}/docs/begin.js`)).text()).toContain('clientId: "reference-page"');
    expect(facts.notices).toEqual([expect.stringContaining('--public-url')]);
  });
});
