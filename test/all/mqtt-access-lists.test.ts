import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectAsync, type MqttClient } from 'mqtt';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeCounters } from '../../backend/base/counters.ts';
import { makeBrokerClaim } from '../../backend/ingest/broker-claim.ts';
import { endFormerSessions } from '../../backend/ingest/former-sessions.ts';
import { EVERY_BOX, startMqttConnection } from '../../backend/ingest/mqtt-connection.ts';
import { topics } from '../../protocol/topics.ts';
import type { Log } from '../../world/log/log.ts';
import { realMqttClient } from '../../world/mqtt/real-mqtt-client.ts';
import { realRandom } from '../../world/random/real-random.ts';
import { realTime } from '../../world/time/real-time.ts';
import { fileOnPage } from '../support/docs/page-files.ts';
import { mosquitto, natsServer, waitUntil, withService } from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';

const BOX_ID = '0123456789abcdef';
const OTHER_BOX_ID = '0123456789abcde0';
const SECRETS = {
  backend: 'secret of the service',
  [BOX_ID]: 'secret of the box',
  [OTHER_BOX_ID]: 'secret of the box',
} as const;
const SILENT: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

interface RunningBroker {
  readonly url: string;
  stop(): Promise<void>;
}

type Command = readonly [program: string, ...args: string[]];

/** Starts a broker with its settings in a folder of its own; `begin` writes them and says what to run. */
async function startBroker(
  begin: (folder: string, port: number) => Command | Promise<Command>,
): Promise<RunningBroker> {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-access-'));
  const port = await freePort();
  const [program, ...args] = await begin(folder, port);
  const child = spawn(program, args, { cwd: folder, stdio: 'ignore' });
  const url = `mqtt://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    await ended(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitUntil(
      () =>
        signIn(url, 'backend').then(
          async (client) => client.endAsync().then(() => true),
          () => false,
        ),
      20_000,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

function signIn(url: string, username: keyof typeof SECRETS): Promise<MqttClient> {
  return connectAsync(
    url,
    {
      username,
      password: SECRETS[username],
      clientId: username,
      protocolVersion: 4,
      reconnectPeriod: 0,
      connectTimeout: 5_000,
    },
    false,
  );
}

function accessListSuite(name: string, start: () => Promise<RunningBroker>): void {
  describe(`the access list on the page, at ${name}`, () => {
    let broker: RunningBroker;
    const clients: MqttClient[] = [];
    const as = async (username: keyof typeof SECRETS): Promise<MqttClient> => {
      const client = await signIn(broker.url, username);
      clients.push(client);
      return client;
    };
    /** What it is sent, by topic. */
    const heardBy = (client: MqttClient): readonly string[] => {
      const heard: string[] = [];
      client.on('message', (topic, payload) => heard.push(`${topic} ${payload.toString()}`));
      return heard;
    };
    beforeAll(async () => {
      broker = await start();
    });
    afterEach(async () => {
      for (const client of clients.splice(0)) await client.endAsync();
    });
    afterAll(() => broker.stop());

    test('lets a box say what is its own, and nothing in the name of another one', async () => {
      const backend = await as('backend');
      const heard = heardBy(backend);
      await backend.subscribeAsync([topics.everyUp, topics.everyPresence], { qos: 1 });
      const box = await as(BOX_ID);
      // Some brokers answer nothing to what they refuse, or end the connection.
      void box.publishAsync(topics.up(OTHER_BOX_ID), 'forged', { qos: 1 }).catch(() => undefined);
      void box
        .publishAsync(topics.presence(OTHER_BOX_ID), 'forged', { qos: 1, retain: true })
        .catch(() => undefined);
      await box.publishAsync(topics.up(BOX_ID), 'frames', { qos: 1 });
      await box.publishAsync(topics.presence(BOX_ID), 'birth', { qos: 1, retain: true });
      await waitUntil(() => heard.length >= 2);
      expect(heard).toEqual([`${topics.up(BOX_ID)} frames`, `${topics.presence(BOX_ID)} birth`]);
    });

    test('shows a box what is said to it, and nothing that is said to another one', async () => {
      const box = await as(BOX_ID);
      const heard = heardBy(box);
      for (const filter of [
        '#',
        'boxes/#',
        'boxes/+/+/down',
        topics.down(OTHER_BOX_ID),
        topics.up(OTHER_BOX_ID),
      ])
        await box.subscribeAsync(filter, { qos: 1 }).catch(() => undefined);
      await box.subscribeAsync(topics.down(BOX_ID), { qos: 1 });
      const other = await as(OTHER_BOX_ID);
      await other.publishAsync(topics.up(OTHER_BOX_ID), 'frames', { qos: 1 });
      const backend = await as('backend');
      await backend.publishAsync(topics.down(OTHER_BOX_ID), 'to the other', { qos: 1 });
      await backend.publishAsync(topics.down(BOX_ID), 'to it', { qos: 1 });
      await waitUntil(() => heard.includes(`${topics.down(BOX_ID)} to it`));
      expect([...new Set(heard)]).toEqual([`${topics.down(BOX_ID)} to it`]);
    });

    test('lets the service, and no box, say which installation uses the broker', async () => {
      const claimOf = async (installationId: string): Promise<string> => {
        const claim = makeBrokerClaim({ time: realTime(), installationId });
        const session = await realMqttClient({ url: broker.url }).open(
          {
            clientId: `claim-${installationId}`,
            username: 'backend',
            password: SECRETS.backend,
            clean: true,
            keepAliveS: 30,
            connectTimeoutMs: 5_000,
          },
          { message: claim.message, closed: () => undefined },
        );
        const result = await claim.claim(session);
        await session.end();
        return result.kind === 'ours' ? installationId : result.holder;
      };
      const box = await as(BOX_ID);
      void box.publishAsync(topics.installation, 'forged', { qos: 1, retain: true }).catch(() => undefined);
      const heard = heardBy(box);
      await box.subscribeAsync(topics.installation, { qos: 1 }).catch(() => undefined);
      expect(await claimOf('one')).toBe('one');
      expect(await claimOf('two')).toBe('one');
      expect(await claimOf('one')).toBe('one');
      expect(heard).toEqual([]);
    });

    test('lets the service take and remove what it had when it was one backend', async () => {
      const world = {
        time: realTime(),
        random: realRandom(1),
        mqtt: realMqttClient({ url: broker.url }),
        log: SILENT,
      };
      const account = { clientId: 'service', username: 'backend', password: SECRETS.backend };
      const open = (clean: boolean) =>
        world.mqtt.open(
          { ...account, clean, keepAliveS: 30, connectTimeoutMs: 5_000 },
          { message: (_topic, _payload, _retained, acknowledge) => acknowledge(), closed: () => undefined },
        );
      const before = await open(false);
      await before.subscribe(topics.everyUp);
      await before.end();
      const box = await as(BOX_ID);
      await box.publishAsync(topics.up(BOX_ID), 'kept', { qos: 1 });
      const heard: string[] = [];
      const former = endFormerSessions({
        world,
        account,
        counters: makeCounters(),
        installationId: 'one',
        kind: 'partitions',
        clientIds: [account.clientId],
        lookingClientId: 'service-sessions',
        isOursToDo: () => true,
        message: (_topic, payload, _retained, acknowledge) => {
          heard.push(new TextDecoder().decode(payload));
          acknowledge();
        },
        lost: () => undefined,
        isIdle: () => true,
        severed: () => undefined,
      });
      await former.ended;
      expect(heard).toEqual(['kept']);
      const after = await open(false);
      expect(after.present).toBe(false);
      await after.end();
      await (await open(true)).end();
      const backend = await as('backend');
      const told = heardBy(backend);
      await backend.subscribeAsync(topics.sessions, { qos: 1 });
      await waitUntil(() => told.length > 0);
      expect(told).toEqual([`${topics.sessions} partitions`]);
    });

    test('lets the service clear what boxes of an earlier build left as their presence', async () => {
      const former = `boxes/${BOX_ID}/presence`;
      const before = await as('backend');
      await before.publishAsync(former, 'birth of long ago', { qos: 1, retain: true });
      await before.endAsync();
      const connection = startMqttConnection({
        world: {
          time: realTime(),
          random: realRandom(1),
          mqtt: realMqttClient({ url: broker.url }),
          log: SILENT,
        },
        account: { clientId: 'service', username: 'backend', password: SECRETS.backend },
        counters: makeCounters(),
        filters: EVERY_BOX,
        message: (_topic, _payload, _retained, acknowledge) => acknowledge(),
        lost: () => undefined,
      });
      await connection.started;
      const isCleared = async (): Promise<boolean> => {
        const looker = await signIn(broker.url, 'backend');
        const heard = heardBy(looker);
        await looker.subscribeAsync(topics.everyFormerPresence, { qos: 1 });
        await new Promise((resolve) => setTimeout(resolve, 100));
        await looker.endAsync();
        return heard.length === 0;
      };
      await waitUntil(isCleared);
      await connection.stop();
    });
  });
}

await withService(mosquitto, ({ broker }) => {
  const passwords = 'passwords';
  accessListSuite('Mosquitto', () =>
    startBroker((folder, port) => {
      writeFileSync(join(folder, 'boxtwin.acl'), fileOnPage('docs/mqtt-brokers.md', 'boxtwin.acl'), {
        mode: 0o600,
      });
      const lines = Object.entries(SECRETS).map(([name, secret]) => `${name}:${secret}\n`);
      writeFileSync(join(folder, passwords), lines.join(''), { mode: 0o600 });
      const { status } = spawnSync('mosquitto_passwd', ['-U', join(folder, passwords)]);
      if (status !== 0) throw new Error('mosquitto_passwd does not hash the passwords.');
      const settings = [
        `listener ${port} 127.0.0.1`,
        'allow_anonymous false',
        `password_file ${join(folder, passwords)}`,
        `acl_file ${join(folder, 'boxtwin.acl')}`,
        // Without it a Mosquitto that root starts could not read the files of this folder.
        'user root',
        '',
      ];
      writeFileSync(join(folder, 'mosquitto.conf'), settings.join('\n'));
      return [broker, '-c', join(folder, 'mosquitto.conf')];
    }),
  );
});

await withService(natsServer, ({ server }) => {
  accessListSuite('NATS', () =>
    startBroker(async (folder, port) => {
      const onPage = fileOnPage('docs/mqtt-brokers.md', 'boxtwin-nats.conf').replace(
        '127.0.0.1:1883',
        `127.0.0.1:${port}`,
      );
      // The page has one box; another one is written beside it in the same way.
      const user = /\{ user: "0123456789abcdef"[\s\S]*?\] \} \}/.exec(onPage)?.[0] ?? '';
      const both = onPage.replace(user, `${user}\n    ${user.replaceAll(BOX_ID, OTHER_BOX_ID)}`);
      const listen = `listen: "127.0.0.1:${await freePort()}"\n`;
      writeFileSync(join(folder, 'nats.conf'), `${listen}${both}`);
      return [server, '-c', join(folder, 'nats.conf')];
    }),
  );
});
