import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type ChannelModel, connect } from 'amqplib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readyBanner } from '../../cli/live/banner.ts';
import { givenAmqp, tryAmqp } from '../../deployment/brokers/given-amqp.ts';
import { type LocalDeployment, startLocalDeployment } from '../../deployment/local-deployment.ts';
import type { GivenAmqp, LocalDeploymentOptions } from '../../deployment/shared/deployment-options.ts';
import type { MessageFacts, ReadyFacts } from '../../deployment/shared/ready-facts.ts';
import { amqpTools, waitUntil, withService } from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';

let place: string;
let deployment: LocalDeployment;
let facts: ReadyFacts;
let messages: MessageFacts;

const begin = async (more: Partial<LocalDeploymentOptions> = {}) => {
  deployment = startLocalDeployment({
    vehicles: 2,
    seed: undefined,
    isFresh: false,
    data: join(place, 'data'),
    port: 0,
    simulatorPort: 0,
    mqttPort: 0,
    amqpPort: 0,
    amqpsPort: 0,
    mqtt: 'embedded',
    amqp: 'embedded',
    givenAmqp: {},
    logLevel: 'silent' as const,
    ...more,
  });
  return deployment.ready;
};
const messagesOf = (ready: ReadyFacts): MessageFacts => {
  if (ready.messages === null) throw new Error('no messages');
  return ready.messages;
};

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'boxtwin-'));
  facts = await begin();
  messages = messagesOf(facts);
});
afterAll(async () => {
  await deployment.close();
  rmSync(place, { recursive: true, force: true });
});

/** An own connection for each test: most of them end badly. */
async function entered(url: string | null = messages.url): Promise<ChannelModel> {
  const connection = await connect(url ?? '');
  connection.on('error', () => undefined);
  return connection;
}

const state = z.looseObject({ metadata: z.looseObject({ message_id: z.string() }) });

await withService(amqpTools, () => {
  test('the amqp-consume commands of the banner print messages, in plain text and over TLS', async () => {
    const lines = stripVTControlCharacters(readyBanner(facts, { verbose: true, ofData: '' }))
      .split('\n')
      .filter((line) => line.trim().startsWith('amqp-consume'));
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      // One message, then the end.
      const { code, out } = await inShell(line.replace(' -q ', ' -c 1 -q '));
      expect({ line, code }).toEqual({ line, code: 0 });
      expect(state.parse(JSON.parse(out))).toMatchObject({ data: { fleet_id: facts.fleetId } });
    }
  });
});

describe('the messages of up', () => {
  test('reach amqplib over TLS with the certificate authority of the data directory, and no client without it', async () => {
    const ca = readFileSync(messages.caPath ?? '');
    const connection = await connect(messages.tlsUrl ?? '', { ca });
    const channel = await connection.createChannel();
    await channel.checkQueue(messages.queue);
    await connection.close();
    await expect(connect(messages.tlsUrl ?? '')).rejects.toThrow(/certificate/);
  });

  test('can be read by a user with no other permissions than to read the queues of the fleet', async () => {
    const refused = async (
      act: (channel: Awaited<ReturnType<ChannelModel['createChannel']>>) => Promise<unknown>,
    ) => {
      const connection = await entered();
      const channel = await connection.createChannel();
      const ended = new Promise<Error>((resolve) => channel.once('error', resolve));
      void act(channel).catch(() => undefined);
      const { message } = await ended;
      await connection.close();
      return message;
    };
    expect(await refused((channel) => channel.assertQueue('mine'))).toContain('ACCESS_REFUSED');
    expect(await refused((channel) => channel.get('VehicleState_v1-other'))).toMatch(
      /ACCESS_REFUSED|NOT_FOUND/,
    );
    expect(await refused((channel) => channel.deleteQueue(messages.queue))).toContain('ACCESS_REFUSED');
    expect(
      await refused(async (channel) => channel.publish('service.events', 'a.b', Buffer.from('forged'))),
    ).toContain('ACCESS_REFUSED');
    const wrong = new URL(messages.url ?? '');
    wrong.password = 'wrong';
    await expect(connect(wrong.href)).rejects.toThrow('ACCESS_REFUSED');
  });

  test('end when the subscription is deleted: its connections are closed, and its user cannot sign in again', async () => {
    const call = await asClient();
    const wish = { queue_discriminator: 'short', topics: ['VehicleState_v1', 'DamageDetected_v1'] };
    const made = z
      .looseObject({
        id: z.string(),
        host: z.string(),
        port: z.int(),
        username: z.string(),
        password: z.string(),
      })
      .parse(await (await call('POST', '/message-subscriptions', wish)).json());
    const url = `amqps://${made.username}:${made.password}@${made.host}:${made.port}`;
    const ca = readFileSync(messages.caPath ?? '');
    const connection = await connect(url, { ca });
    connection.on('error', () => undefined);
    await (await connection.createChannel()).checkQueue('VehicleState_v1-short');
    const closed = new Promise((resolve) => connection.once('close', resolve));
    expect((await call('DELETE', `/message-subscriptions/${made.id}`)).status).toBe(204);
    await closed;
    await expect(connect(url, { ca })).rejects.toThrow('ACCESS_REFUSED');
  });

  test('stay in their queue over a restart, for the same user with the same certificate authority', async () => {
    const connection = await entered();
    const channel = await connection.createChannel();
    let first: string | undefined;
    await waitUntil(async () => {
      const message = await channel.get(messages.queue);
      if (message !== false) first = state.parse(JSON.parse(message.content.toString())).metadata.message_id;
      return message !== false;
    });
    // Not acknowledged: it returns to its position.
    await connection.close();
    const before = readFileSync(messages.caPath ?? '', 'utf8');
    await deployment.close();
    facts = await begin();
    messages = messagesOf(facts);
    expect(readFileSync(messages.caPath ?? '', 'utf8')).toBe(before);
    const again = await entered();
    const message = await (await again.createChannel()).get(messages.queue);
    if (message === false) throw new Error('the queue is empty');
    expect(message.fields.redelivered).toBe(true);
    expect(state.parse(JSON.parse(message.content.toString())).metadata.message_id).toBe(first);
    await again.close();
  });

  test('end the start with an error if their requested port is in use', async () => {
    const port = Number(new URL(messages.url ?? '').port);
    const data = join(place, 'other');
    for (const [option, more] of [
      ['--amqp-port', { amqpPort: port }],
      ['--amqps-port', { amqpsPort: port }],
    ] as const) {
      const kept = deployment;
      await expect(begin({ data, vehicles: 0, ...more })).rejects.toThrow(
        `Port ${port} (${option}) is taken`,
      );
      deployment = kept;
    }
  });
});

/** Uses the embedded broker in place of a broker of the user. */
describe('a broker of the user', () => {
  const tried = (amqp: string, given: GivenAmqp = {}) => tryAmqp(givenAmqp(amqp, given, () => undefined));
  const own = () => ({ caFile: messages.caPath ?? '' });

  test('is used over TLS with its certificate authority, even if another node of the cluster is down', async () => {
    expect(await tried(messages.tlsUrl ?? '', own())).toBeUndefined();
    const dead = `amqps://localhost:${await freePort()}`;
    expect(await tried(`${dead},${messages.tlsUrl}`, own())).toBeUndefined();
  });

  test('that is down is awaited, and reported with its address and without its password', async () => {
    const dead = `amqp://user:secret@127.0.0.1:${await freePort()}`;
    const sentence = await tried(dead);
    expect(sentence).toMatch(
      /^waiting for the AMQP broker at amqp:\/\/user@127\.0\.0\.1:\d+ \(--amqp\): .*ECONNREFUSED/,
    );
    expect(sentence).not.toContain('secret');
  });

  test.each([
    ['not trusted', () => [messages.tlsUrl, {}], /^The certificate is not trusted .*--amqp-ca FILE/],
    [
      'signed in to with a wrong password',
      () => [messages.url?.replace(messages.account?.password ?? '', 'wrong'), {}],
      /^The AMQP broker refuses the sign-in .*\(--amqp\).*percent-encoded/,
    ],
    [
      'spoken TLS to where there is none',
      () => [messages.url?.replace('amqp:', 'amqps:'), {}],
      /^There is no TLS .*Write amqp:\/\//,
    ],
    [
      'given a missing file',
      () => [messages.tlsUrl, { caFile: '/nowhere/ca.pem' }],
      /ca\.pem \(--amqp-ca\) does not exist/,
    ],
    [
      'given a file that is no PEM',
      () => [messages.tlsUrl, { caFile: import.meta.filename }],
      /\(--amqp-ca\) is not a certificate in PEM format\. Give a file/,
    ],
    ['given an authority for no TLS', () => [messages.url, own()], /--amqp-ca is for amqps/],
  ] as const)('that is %s gives one line that says so, and what to do', async (_what, ask, sentence) => {
    const [amqp, given] = ask() as [string, GivenAmqp];
    const failure = await (async () => tried(amqp, given))().then(String, (error: unknown) => error);
    expect(failure).toMatchObject({ name: 'Failure', exitCode: 2, message: expect.stringMatching(sentence) });
    expect(String(failure)).not.toContain('\n');
    expect(String(failure)).not.toContain(messages.account?.password);
  });

  test('is required by its options: without one they are refused', async () => {
    const kept = deployment;
    for (const amqp of ['embedded', 'none']) {
      const starting = begin({ amqp, givenAmqp: { queueType: 'quorum' }, data: join(place, 'other') });
      await expect(starting).rejects.toThrow(
        `--amqp-queue-type is for your own broker, and --amqp is "${amqp}"`,
      );
    }
    deployment = kept;
  });
});

async function asClient() {
  const { baseUrl, clientId, clientSecret } = facts;
  const answer = await fetch(`${baseUrl}/auth/oauth/token?grant_type=client_credentials`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
  });
  const { access_token: token } = z.looseObject({ access_token: z.string() }).parse(await answer.json());
  return (method: string, path: string, body?: unknown) =>
    fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

function inShell(line: string): Promise<{ readonly code: number | null; readonly out: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString('utf8');
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out }));
  });
}
