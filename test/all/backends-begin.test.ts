import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { secretsOf } from '../../deployment/directory/identity-secrets.ts';
import { openIdentity } from '../../deployment/directory/open-identity.ts';
import { realCrypto } from '../../world/crypto/real-crypto.ts';
import { postgresPrograms, waitUntil, withService } from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';
import { type PostgresServer, startPostgresServer } from '../support/sockets/postgres-server.ts';
import { type PartProcess, startPart } from '../support/sockets/up-process.ts';

const readyLine = z.looseObject({
  fleet_id: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
  queue: z.string(),
});
const vehicles = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) });
const health = z.looseObject({ status: z.string(), partitions: z.looseObject({ held: z.array(z.int()) }) });

await withService(postgresPrograms, (programs) => {
  describe('two backends that begin at once on an empty database and an empty data directory', () => {
    const data = mkdtempSync(join(tmpdir(), 'boxtwin-begin-'));
    const parts: PartProcess[] = [];
    let server: PostgresServer;
    let urls: readonly string[];
    let backends: readonly z.infer<typeof readyLine>[];
    beforeAll(async () => {
      server = await startPostgresServer(programs);
      const brokerPorts: string[] = [];
      for (const name of ['mqtt', 'amqp', 'amqps', 'amqp-admin'])
        brokerPorts.push(`--${name}-port`, String(await freePort()));
      const brokers = await startPart(['brokers', '--data', data, ...brokerPorts]);
      parts.push(brokers);
      const ports = [await freePort(), await freePort()];
      urls = ports.map((port) => `http://127.0.0.1:${port}`);
      const begun = await Promise.all(
        ports.map((port) =>
          startPart([
            ...[
              'backend',
              '--data',
              data,
              '--store',
              server.url(),
              '--vehicles',
              '5',
              '--port',
              String(port),
            ],
            ...['--public-url', 'https://fleet.example'],
          ]),
        ),
      );
      parts.push(...begun);
      backends = begun.map(({ ready }) => readyLine.parse(ready));
    });
    afterAll(async () => {
      for (const part of parts.reverse()) await part.end('SIGTERM');
      await server.remove();
      rmSync(data, { recursive: true, force: true });
    });

    test('are one service, with the same client and the same fleet', () => {
      const told = backends.map(({ fleet_id, client_id, client_secret, queue }) =>
        [fleet_id, client_id, client_secret, queue].join(),
      );
      expect(told[1]).toBe(told[0]);
    });

    test('make one account for the consumer, though both ask the broker for it', async () => {
      const { identity } = await openIdentity({ data, seed: undefined });
      const secrets = secretsOf(await realCrypto(identity.signing_key), identity);
      const url = new URL(z.looseObject({ amqp_url: z.string() }).parse(parts[0]?.ready).amqp_url);
      url.username = `demo-${identity.fleet_id.toLowerCase()}`;
      url.password = secrets.consumerPassword;
      // It comes when the broker has it; a backend is ready before that.
      await waitUntil(
        () =>
          connect(url.href).then(
            (connection) => connection.close().then(() => true),
            () => false,
          ),
        60_000,
      );
    });

    test('have set each vehicle up once, and either takes the tokens of the other', async () => {
      const [one = '', other = ''] = urls;
      const { client_id: id = '', client_secret: secret = '' } = backends[0] ?? {};
      const asked = await fetch(`${one}/auth/oauth/token?grant_type=client_credentials`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}`, 'content-type': 'application/json' },
      });
      const { access_token: token } = z.looseObject({ access_token: z.string() }).parse(await asked.json());
      const answer = await fetch(`${other}/vehicles`, { headers: { authorization: `Bearer ${token}` } });
      const shown = vehicles.parse(await answer.json()).items.map(({ id }) => id);
      // Five with boxes, and the two that have their maker's telematics.
      expect(shown).toHaveLength(7);
      expect(new Set(shown).size).toBe(7);
    });

    test('share the partitions, each one once', async () => {
      const held = async () => {
        const answers = await Promise.all(urls.map((url) => fetch(`${url}/health/ready`)));
        const read = await Promise.all(answers.map(async (answer) => health.parse(await answer.json())));
        return read.map(({ partitions }) => partitions.held);
      };
      await waitUntil(async () => (await held()).every(({ length }) => length === 32), 30_000);
      expect(new Set((await held()).flat()).size).toBe(64);
    });
  });
});
