import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Identity } from '../../../../deployment/directory/data-directory.ts';
import {
  type IdentitySecrets,
  noteRevealedSecrets,
  secretsOf,
  serviceAccount,
} from '../../../../deployment/directory/identity-secrets.ts';
import { openIdentity } from '../../../../deployment/directory/open-identity.ts';
import { realCrypto } from '../../../../world/crypto/real-crypto.ts';

test('the account in the URL of a broker is that of the service, whatever characters it has', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), (username, password) => {
      const account = `${encodeURIComponent(username)}:${encodeURIComponent(password)}`;
      expect(serviceAccount(`mqtt://${account}@broker:1883`, 'own')).toEqual({ username, password });
    }),
  );
});

test('without one the service has its own name and the password of the data directory', () => {
  for (const url of ['mqtt://broker:1883', 'embedded'])
    expect(serviceAccount(url, 'own')).toEqual({ username: 'backend', password: 'own' });
});

test('a per cent sign that encodes nothing is taken as it stands', () => {
  expect(serviceAccount('mqtt://one:100%@broker', 'own')).toEqual({ username: 'one', password: '100%' });
});

const BOX_ID = '0123456789abcdef';

/** Each secret, with the purpose by which a directory of format 1 derived it from its MQTT password. */
const SECRETS: readonly (readonly [purpose: string, secret: (secrets: IdentitySecrets) => string])[] = [
  ['amqp', ({ amqpPassword }) => amqpPassword],
  ['user', ({ userPassword }) => userPassword],
  ['messages', ({ consumerPassword }) => consumerPassword],
  ['console', ({ consoleSecret }) => consoleSecret],
  ['simulator', ({ simulatorPassword }) => simulatorPassword],
  [BOX_ID, ({ boxSecret }) => boxSecret(BOX_ID)],
  ['sim/harbour', ({ simKey }) => simKey('harbour')],
  ['maker/northwind', ({ makerKey }) => makerKey('northwind')],
];

describe('the secrets of a data directory', () => {
  let data: string;
  let identity: Identity;
  let crypto: Awaited<ReturnType<typeof realCrypto>>;
  const place = () => mkdtempSync(join(tmpdir(), 'boxtwin-'));

  beforeAll(async () => {
    data = place();
    ({ identity } = await openIdentity({ data, seed: undefined }));
    crypto = await realCrypto(identity.signing_key);
  });
  afterAll(() => rmSync(data, { recursive: true, force: true }));

  test.each(SECRETS)(
    '%s cannot be computed by a broker that receives the MQTT password',
    (purpose, secret) => {
      const secrets = secretsOf(crypto, identity);
      const { mqttPassword: known } = secrets;
      const guesses = [`${known}/${purpose}`, `${known}/box/${purpose}`, `${known}${purpose}`, known].map(
        (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
      );
      guesses.push(crypto.deriveSecret(known, purpose), crypto.mac(known, purpose));
      for (const guess of guesses) expect(guess.startsWith(secret(secrets))).toBe(false);
      // Nothing follows from that password at all.
      expect(secret(secretsOf(crypto, { ...identity, mqtt_password: 'another' }))).toBe(secret(secrets));
    },
  );

  test('are all different, and none contains the root secret', () => {
    const secrets = secretsOf(crypto, identity);
    const all = [secrets.mqttPassword, ...SECRETS.map(([, secret]) => secret(secrets))];
    expect(new Set(all.map((text) => text.slice(0, 16))).size).toBe(all.length);
    const root = 'root_secret' in identity ? identity.root_secret : '';
    expect(root.length).toBeGreaterThanOrEqual(32);
    for (const each of all) expect(each).not.toContain(root.slice(0, 8));
  });

  test('are the same for each part with a copy of boxtwin.json', async () => {
    const copy = place();
    writeFileSync(join(copy, 'boxtwin.json'), readFileSync(join(data, 'boxtwin.json')));
    const opened = await openIdentity({ data: copy, seed: undefined });
    for (const [, secret] of SECRETS)
      expect(secret(secretsOf(crypto, opened.identity))).toBe(secret(secretsOf(crypto, identity)));
    rmSync(copy, { recursive: true, force: true });
  });

  test('of format 1 stay as they are, and the file too', async () => {
    const former = place();
    const file = join(former, 'boxtwin.json');
    const { seed, fleet_id, client_id, client_secret, signing_key } = identity;
    const written = JSON.stringify({
      format: 1,
      seed,
      fleet_id,
      client_id,
      client_secret,
      mqtt_password: 'pw',
      signing_key,
    });
    writeFileSync(file, written, { mode: 0o600 });
    const opened = await openIdentity({ data: former, seed: undefined });
    const secrets = secretsOf(crypto, opened.identity);
    expect(secrets.mqttPassword).toBe('pw');
    for (const [purpose, secret] of SECRETS) {
      const full = createHash('sha256').update(`pw/${purpose}`, 'utf8').digest('hex');
      expect(full.startsWith(secret(secrets))).toBe(true);
      expect(secret(secrets).length).toBeGreaterThanOrEqual(20);
    }
    expect(readFileSync(file, 'utf8')).toBe(written);
    rmSync(former, { recursive: true, force: true });
  });

  test('are in a file for its owner alone, and no error about a damaged one quotes it', async () => {
    expect(statSync(join(data, 'boxtwin.json')).mode & 0o777).toBe(0o600);
    const damaged = place();
    const text = readFileSync(join(data, 'boxtwin.json'), 'utf8');
    const secrets = [identity.client_secret, identity.mqtt_password];
    if ('root_secret' in identity) secrets.push(identity.root_secret);
    for (const secret of secrets) {
      writeFileSync(join(damaged, 'boxtwin.json'), text.replace(`"${secret}"`, secret));
      const failure: unknown = await openIdentity({ data: damaged, seed: undefined }).catch((error) => error);
      expect(String(failure)).toContain('cannot be read: it is not JSON');
      expect(String(failure)).not.toContain(secret.slice(0, 6));
    }
    rmSync(damaged, { recursive: true, force: true });
  });

  test('of format 1 are named where a broker on another machine receives the password that they follow from', () => {
    const former = { mqtt_password: 'pw' };
    const noted = (url: string, source: Parameters<typeof noteRevealedSecrets>[2] = former) => {
      const notices: string[] = [];
      noteRevealedSecrets(notices, url, source);
      return notices;
    };
    expect(noted('mqtt://broker.example:1883')).toEqual([
      expect.stringMatching(/^the MQTT broker broker\.example .* --mqtt mqtt:\/\/user:password@host/),
    ]);
    expect(noted('mqtts://one.example,mqtts://two.example')).toEqual([
      expect.stringMatching(/^the MQTT broker one\.example /),
    ]);
    for (const url of ['embedded', 'mqtt://127.0.0.1', 'mqtt://[::1]:1', 'mqtt://own:pw@broker.example'])
      expect(noted(url)).toEqual([]);
    expect(noted('mqtt://broker.example', identity)).toEqual([]);
  });
});
