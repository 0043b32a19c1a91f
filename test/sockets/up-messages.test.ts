import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type ChannelModel, connect } from 'amqplib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type MessageFacts, type ReadyFacts, readyBanner } from '../../cli/banner.ts';
import { givenAmqp, tryAmqp } from '../../cli/given-amqp.ts';
import { type Station, startStation } from '../../cli/station.ts';
import type { GivenAmqp, StationOptions } from '../../cli/station-options.ts';
import { amqpTools, freePort, until, withService } from '../services.ts';

let place: string;
let station: Station;
let facts: ReadyFacts;
let messages: MessageFacts;

const begin = async (more: Partial<StationOptions> = {}) => {
  station = startStation({
    ...{ vehicles: 2, seed: undefined, isFresh: false, data: join(place, 'data') },
    ...{ port: 0, simulatorPort: 0, mqttPort: 0, amqpPort: 0, amqpsPort: 0 },
    ...{ mqtt: 'embedded', amqp: 'embedded', givenAmqp: {}, logLevel: 'silent' as const },
    ...more,
  });
  return station.ready;
};
const told = (ready: ReadyFacts): MessageFacts => {
  if (ready.messages === null) throw new Error('no messages');
  return ready.messages;
};

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'boxtwin-'));
  facts = await begin();
  messages = told(facts);
}, 60_000);
afterAll(async () => {
  await station.close();
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
  test('the banner lines of amqp-consume print messages, in clear and by TLS', async () => {
    const lines = stripVTControlCharacters(readyBanner(facts))
      .split('\n')
      .filter((line) => line.trim().startsWith('amqp-consume'));
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      // One message, then the end.
      const { code, out } = await inShell(line.replace(' -q ', ' -c 1 -q '));
      expect({ line, code }).toEqual({ line, code: 0 });
      expect(state.parse(JSON.parse(out))).toMatchObject({ data: { fleet_id: facts.fleetId } });
    }
  }, 30_000);
});

describe('the messages of up', () => {
  test('reach amqplib by TLS with the authority of the data directory, and nobody who does not know it', async () => {
    const ca = readFileSync(messages.caPath ?? '');
    const connection = await connect(messages.tlsUrl ?? '', { ca });
    const channel = await connection.createChannel();
    await channel.checkQueue(messages.queue);
    await connection.close();
    await expect(connect(messages.tlsUrl ?? '')).rejects.toThrow(/certificate/);
  });

  test('are for a user who may read the queues of the fleet and do nothing else', async () => {
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

  test('end for a subscription that is deleted: its connections are dismissed, its user may not come back', async () => {
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
  }, 20_000);

  test('stay in their queue over a restart, for the same user by the same authority', async () => {
    const connection = await entered();
    const channel = await connection.createChannel();
    let first: string | undefined;
    await until(async () => {
      const message = await channel.get(messages.queue);
      if (message !== false) first = state.parse(JSON.parse(message.content.toString())).metadata.message_id;
      return message !== false;
    });
    // Not acknowledged: it goes back to where it was.
    await connection.close();
    const before = readFileSync(messages.caPath ?? '', 'utf8');
    await station.close();
    facts = await begin();
    messages = told(facts);
    expect(readFileSync(messages.caPath ?? '', 'utf8')).toBe(before);
    const again = await entered();
    const message = await (await again.createChannel()).get(messages.queue);
    if (message === false) throw new Error('the queue is empty');
    expect(message.fields.redelivered).toBe(true);
    expect(state.parse(JSON.parse(message.content.toString())).metadata.message_id).toBe(first);
    await again.close();
  }, 60_000);

  test('come from no port that somebody else has, where it was asked for', async () => {
    const port = Number(new URL(messages.url ?? '').port);
    const data = join(place, 'other');
    for (const [option, more] of [
      ['--amqp-port', { amqpPort: port }],
      ['--amqps-port', { amqpsPort: port }],
    ] as const) {
      const kept = station;
      await expect(begin({ data, vehicles: 0, ...more })).rejects.toThrow(
        `Port ${port} (${option}) is taken`,
      );
      station = kept;
    }
  });
});

/** The embedded broker stands for one of the user's. */
describe('a broker of the user', () => {
  const tried = (amqp: string, given: GivenAmqp = {}) => tryAmqp(givenAmqp(amqp, given, () => undefined));
  const own = () => ({ caFile: messages.caPath ?? '' });

  test('is taken by TLS with its authority, also where another node of the cluster is away', async () => {
    expect(await tried(messages.tlsUrl ?? '', own())).toBeUndefined();
    const dead = `amqps://localhost:${await freePort()}`;
    expect(await tried(`${dead},${messages.tlsUrl}`, own())).toBeUndefined();
  });

  test('that is away is waited for, and said with its address and without its password', async () => {
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
      /\(--amqp-ca\) is no certificate in PEM form\. Give a file/,
    ],
    ['given an authority for no TLS', () => [messages.url, own()], /--amqp-ca is for amqps/],
  ] as const)('that is %s gives one line that says so, and what to do', async (_what, ask, sentence) => {
    const [amqp, given] = ask() as [string, GivenAmqp];
    const failure = await (async () => tried(amqp, given))().then(String, (error: unknown) => error);
    expect(failure).toMatchObject({ name: 'Failure', exitCode: 2, message: expect.stringMatching(sentence) });
    expect(String(failure)).not.toContain('\n');
    expect(String(failure)).not.toContain(messages.account?.password);
  });

  test('is what its options are for: without one they are refused', async () => {
    const kept = station;
    for (const amqp of ['embedded', 'none']) {
      const starting = begin({ amqp, givenAmqp: { queueType: 'quorum' }, data: join(place, 'other') });
      await expect(starting).rejects.toThrow(
        `--amqp-queue-type is for a broker of yours, and --amqp is "${amqp}"`,
      );
    }
    station = kept;
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
