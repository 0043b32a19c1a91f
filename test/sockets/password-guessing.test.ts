import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrokersFacts, startBrokersPart } from '../../deployment/brokers/brokers-part.ts';
import {
  BACKEND_USER,
  type IdentitySecrets,
  secretsOf,
} from '../../deployment/directory/identity-secrets.ts';
import { openIdentity } from '../../deployment/directory/open-identity.ts';
import type { StartedPart } from '../../deployment/shared/started-part.ts';
import { realCrypto } from '../../world/crypto/real-crypto.ts';
import { limits } from '../../world/limits.ts';
import { realMqttClient } from '../../world/mqtt/real-mqtt-client.ts';
import { ADMINISTRATOR, type ManagedAmqp, startManagedAmqp } from '../support/amqp/managed-amqp-broker.ts';

const BOX_ID = '0123456789abcdef';
const OWNER = { username: 'owner', password: 'o'.repeat(limits.unguessableCharacters) };
const FREE = Array.from({ length: limits.secretGuesses.free }, (_, index) => `guess-${index}`);

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

describe('the embedded brokers of a data directory', () => {
  let data: string;
  let part: StartedPart<BrokersFacts>;
  let facts: BrokersFacts;
  let secrets: IdentitySecrets;
  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'boxtwin-'));
    part = startBrokersPart({
      data,
      seed: undefined,
      logLevel: 'silent',
      mqttPort: 0,
      amqpPort: 0,
      amqpsPort: 0,
      amqpAdminPort: 0,
      amqpOwner: `${OWNER.username}:${OWNER.password}`,
    });
    facts = await part.ready;
    const { identity } = await openIdentity({ data, seed: undefined });
    secrets = secretsOf(await realCrypto(identity.signing_key), identity);
  });
  afterAll(async () => {
    await part.close();
    rmSync(data, { recursive: true, force: true });
  });

  /** Undefined: it is admitted; otherwise why not. */
  const mqtt = async (username: string, password: string): Promise<string | undefined> => {
    const clientId = username === BACKEND_USER ? 'backend-1' : username;
    const account = { username, password, clientId, clean: true, keepAliveS: 60, connectTimeoutMs: 5_000 };
    const events = { message: () => undefined, closed: () => undefined };
    try {
      (await realMqttClient({ url: facts.mqttUrl }).open(account, events)).drop();
      return undefined;
    } catch (error) {
      return String(error);
    }
  };
  const manage = (password: string) => {
    const { origin } = new URL(facts.amqpAdminUrl);
    const authorization = `Basic ${btoa(`${BACKEND_USER}:${password}`)}`;
    return fetch(`${origin}/api/users/${BACKEND_USER}`, { headers: { authorization } });
  };
  const amqp = async (password: string, username = BACKEND_USER): Promise<boolean> => {
    const url = Object.assign(new URL(facts.amqpUrl), { username, password });
    return connect(url.href).then(
      (connection) => connection.close().then(() => true),
      () => false,
    );
  };

  test('admit nobody by what follows from the MQTT password, which every broker of the service sees', async () => {
    expect(await mqtt(BACKEND_USER, secrets.mqttPassword)).toBeUndefined();
    const [ofAmqp, ofBox] = ['amqp', BOX_ID].map((purpose) => sha256(`${secrets.mqttPassword}/${purpose}`));
    expect((await manage(ofAmqp ?? '')).status).toBe(401);
    expect(await amqp(ofAmqp ?? '')).toBe(false);
    expect(await mqtt(BOX_ID, ofBox ?? '')).toContain('No MQTT session');
    expect((await manage(secrets.amqpPassword)).status).toBe(200);
    expect(await amqp(secrets.amqpPassword)).toBe(true);
    expect(await mqtt(BOX_ID, secrets.boxSecret(BOX_ID))).toBeUndefined();
  });

  test('slow guessing at the management interface down, and let the service in meanwhile', async () => {
    for (const guess of FREE) expect((await manage(guess)).status).toBe(401);
    const refusal = await manage('another');
    expect(refusal.status).toBe(429);
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refusal.json()).toMatchObject({ error: 'too_many_requests' });
    expect((await manage(secrets.amqpPassword)).status).toBe(200);
  });

  test.each([
    { name: 'the service', username: BACKEND_USER, password: () => secrets.amqpPassword },
    { name: 'the owner', username: OWNER.username, password: () => OWNER.password },
  ])(
    'let $name in at AMQP while others guess its password from the same address',
    async ({ username, password }) => {
      for (const guess of [...FREE, 'another']) expect(await amqp(guess, username)).toBe(false);
      expect(await amqp(password(), username)).toBe(true);
    },
  );

  test('slow guessing at the secret of a box down, and let the box in meanwhile', async () => {
    const box = 'fedcba9876543210';
    const answers: (string | undefined)[] = [];
    for (const guess of [...FREE, 'another']) answers.push(await mqtt(box, guess));
    expect(answers.slice(0, -1).every((text) => text?.includes('Bad username or password'))).toBe(true);
    expect(answers.at(-1)).toContain('Server unavailable');
    expect(await mqtt(box, secrets.boxSecret(box))).toBeUndefined();
  });
});

describe('the embedded AMQP broker', () => {
  let managed: ManagedAmqp;
  beforeAll(async () => {
    managed = await startManagedAmqp();
  });
  afterAll(() => managed.close());

  const put = (path: string, body: object) =>
    fetch(`${new URL(managed.adminUrl).origin}/api/${path}`, {
      method: 'PUT',
      headers: {
        authorization: `Basic ${btoa(`${ADMINISTRATOR.username}:${ADMINISTRATOR.password}`)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
  const makeUser = async (name: string, password: string) => {
    await put(`users/${name}`, { password, tags: '' });
    await put(`permissions/%2F/${name}`, { configure: '', write: '', read: '' });
  };
  const open = (username: string, password: string, localAddress = '127.0.0.1') => {
    const options: object = { localAddress };
    return connect(Object.assign(new URL(managed.url), { username, password }).href, options);
  };
  const isAdmitted = (...account: Parameters<typeof open>): Promise<boolean> =>
    open(...account).then(
      (connection) => connection.close().then(() => true),
      () => false,
    );

  test('slows guessing at a password down for the address of the guesser alone', async () => {
    await makeUser('reader', 'of the reader');
    expect(await isAdmitted('reader', 'of the reader')).toBe(true);
    for (const guess of FREE) expect(await isAdmitted('reader', guess)).toBe(false);
    expect(await isAdmitted('reader', 'of the reader')).toBe(false);
    const log = managed.lines.join('\n');
    expect(log).toContain('too many wrong passwords for this name came from its address');
    expect(log).not.toContain('of the reader');
    expect(await isAdmitted('reader', 'of the reader', '127.0.0.2')).toBe(true);
  });

  test('takes many connections of one account at once', async () => {
    await makeUser('many', 'of many');
    const connections = await Promise.all(Array.from({ length: 30 }, () => open('many', 'of many')));
    await Promise.all(connections.map((connection) => connection.close()));
    expect(connections).toHaveLength(30);
  });
});
