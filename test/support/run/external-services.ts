import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';

/** A service that tests need and that is not ours: where it is, or why it is missing. */
export type Availability<Where> = { readonly where: Where } | { readonly missing: string };

export interface ExternalService<Where> {
  readonly name: string;
  find(): Promise<Availability<Where>>;
}

/** RabbitMQ at AMQP_URL, or at its usual place with its usual account. */
export const rabbitmq: ExternalService<{ readonly url: string }> = {
  name: 'RabbitMQ',
  async find() {
    const url = process.env['AMQP_URL'] ?? 'amqp://guest:guest@127.0.0.1:5672';
    const { hostname, port } = new URL(url);
    const answers = await listensAt(hostname, Number(port || 5672));
    return answers ? { where: { url } } : { missing: `nobody listens at ${hostname}:${port || 5672}` };
  },
};

/** RabbitMQ with its management interface, at RABBITMQ_ADMIN_URL or at its usual place with its usual account. */
export const rabbitmqManagement: ExternalService<{ readonly url: string; readonly adminUrl: string }> = {
  name: "RabbitMQ's management interface",
  async find() {
    const broker = await rabbitmq.find();
    if ('missing' in broker) return broker;
    const adminUrl = process.env['RABBITMQ_ADMIN_URL'] ?? 'http://guest:guest@127.0.0.1:15672';
    const { hostname, port } = new URL(adminUrl);
    const answers = await listensAt(hostname, Number(port || 80));
    return answers
      ? { where: { ...broker.where, adminUrl } }
      : {
          missing: `nobody listens at ${hostname}:${port || 80} (rabbitmq-plugins enable rabbitmq_management)`,
        };
  },
};

/** PostgreSQL at TEST_POSTGRES_URL, or at its usual place; its user is a superuser. */
export const postgres: ExternalService<{ readonly url: string }> = {
  name: 'PostgreSQL',
  async find() {
    const url = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1/test';
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    const { host, port } = client;
    try {
      await client.connect();
      await client.end();
      return { where: { url } };
    } catch (error) {
      return { missing: `${host}:${port} ${error instanceof Error ? error.message : String(error)}` };
    }
  },
};

/** The programs of a PostgreSQL server of a test's own: on the path, or the newest that Debian has installed. */
export const postgresPrograms: ExternalService<{ readonly initdb: string; readonly postgres: string }> = {
  name: 'The programs of PostgreSQL',
  find() {
    const folders = globSync('/usr/lib/postgresql/*/bin').sort(
      (one, other) => versionOf(other) - versionOf(one),
    );
    const [initdb, server] = ['initdb', 'postgres'].map(
      (name) => program(name) ?? folders.map((folder) => join(folder, name)).find((path) => existsSync(path)),
    );
    return Promise.resolve(
      initdb === undefined || server === undefined
        ? { missing: 'no programs initdb and postgres' }
        : { where: { initdb, postgres: server } },
    );
  },
};

/** `/usr/lib/postgresql/15/bin`: 15 */
function versionOf(folder: string): number {
  return Number(folder.split('/').at(-2));
}

/** The programs of Mosquitto: the broker, with the plugin that keeps its accounts, and the two clients. */
export const mosquitto: ExternalService<{
  readonly broker: string;
  readonly securityPlugin: string;
  readonly publisher: string;
  readonly subscriber: string;
}> = {
  name: 'Mosquitto',
  find() {
    const broker = program('mosquitto');
    const publisher = program('mosquitto_pub');
    const subscriber = program('mosquitto_sub');
    const [securityPlugin] = globSync('/usr/lib/{,*/}mosquitto_dynamic_security.so');
    if (broker === undefined) return Promise.resolve({ missing: 'no program mosquitto' });
    if (securityPlugin === undefined) return Promise.resolve({ missing: 'no mosquitto_dynamic_security.so' });
    if (publisher === undefined || subscriber === undefined) {
      return Promise.resolve({ missing: 'no programs mosquitto_pub and mosquitto_sub' });
    }
    return Promise.resolve({ where: { broker, securityPlugin, publisher, subscriber } });
  },
};

/** The program of the NATS server, which is an MQTT broker as well. */
export const natsServer: ExternalService<{ readonly server: string }> = {
  name: 'NATS',
  find() {
    const server = program('nats-server');
    return Promise.resolve(
      server === undefined ? { missing: 'no program nats-server' } : { where: { server } },
    );
  },
};

/**
 * The programs of RabbitMQ, for nodes of a test's own: its script in RabbitMQ's folder, since the one that Debian has on
 * the path changes user and folder; and Erlang's port mapper.
 */
export const rabbitServer: ExternalService<{ readonly server: string; readonly portMapper: string }> = {
  name: 'The programs of RabbitMQ',
  find() {
    const own = '/usr/lib/rabbitmq/bin/rabbitmq-server';
    const server = existsSync(own) ? own : program('rabbitmq-server');
    const portMapper = program('epmd');
    if (server === undefined) return Promise.resolve({ missing: 'no program rabbitmq-server' });
    if (portMapper === undefined) return Promise.resolve({ missing: 'no program epmd' });
    return Promise.resolve({ where: { server, portMapper } });
  },
};

/** The program of HAProxy. */
export const haproxy: ExternalService<{ readonly program: string }> = {
  name: 'HAProxy',
  find() {
    const found = program('haproxy');
    return Promise.resolve(
      found === undefined ? { missing: 'no program haproxy' } : { where: { program: found } },
    );
  },
};

/** The command-line clients of Debian's amqp-tools. */
export const amqpTools: ExternalService<{
  readonly publisher: string;
  readonly consumer: string;
  readonly getter: string;
  readonly declarer: string;
  readonly deleter: string;
}> = {
  name: 'amqp-tools',
  find() {
    const [publisher, consumer, getter, declarer, deleter] = [
      'amqp-publish',
      'amqp-consume',
      'amqp-get',
      'amqp-declare-queue',
      'amqp-delete-queue',
    ].map(program);
    if (
      publisher === undefined ||
      consumer === undefined ||
      getter === undefined ||
      declarer === undefined ||
      deleter === undefined
    )
      return Promise.resolve({ missing: 'no programs amqp-publish, amqp-consume, amqp-get' });
    return Promise.resolve({ where: { publisher, consumer, getter, declarer, deleter } });
  },
};

/** Debian's Chromium, at CHROMIUM_PATH or on the path. Tests drive it by playwright-core. */
export const chromium: ExternalService<{ readonly path: string }> = {
  name: 'Chromium',
  find() {
    const path = process.env['CHROMIUM_PATH'] ?? program('chromium');
    return Promise.resolve(path === undefined ? { missing: 'no program chromium' } : { where: { path } });
  },
};

/** A Python that has pika: on the path, or Debian's. */
export const pythonPika: ExternalService<{ readonly python: string }> = {
  name: 'Python with pika',
  find() {
    const pythons = [program('python3'), '/usr/bin/python3'].filter((path) => path !== undefined);
    const python = pythons.find((path) => {
      const { status } = spawnSync(path, ['-c', 'import pika'], { timeout: 20_000 });
      return status === 0;
    });
    return Promise.resolve(
      python === undefined ? { missing: 'no python3 that can import pika' } : { where: { python } },
    );
  },
};

/** A Java that runs a source file, and the RabbitMQ client of Debian with what it needs. */
export const javaRabbit: ExternalService<{ readonly java: string }> = {
  name: 'Java with the RabbitMQ client',
  find() {
    const java = program('java');
    const jars = ['/usr/share/java/amqp-client.jar', '/usr/share/java/slf4j-api.jar'];
    const missing = jars.find((jar) => !existsSync(jar));
    if (java === undefined || program('javac') === undefined)
      return Promise.resolve({ missing: 'no programs java and javac' });
    if (missing !== undefined) return Promise.resolve({ missing: `no ${missing}` });
    return Promise.resolve({ where: { java } });
  },
};

/** A client library in another language; `check` is a command that succeeds where it is installed. */
export function clientLibrary(
  name: string,
  [command, ...options]: readonly [string, ...string[]],
): ExternalService<null> {
  return {
    name,
    find() {
      const { status } = spawnSync(command, options, { timeout: 20_000 });
      return Promise.resolve(status === 0 ? { where: null } : { missing: `${command} does not find it` });
    },
  };
}

/** What a reader of our pages types calls with. */
export const bashShell: ExternalService<{ readonly bash: string }> = {
  name: 'A shell with curl',
  find() {
    const bash = program('bash');
    const missing = ['bash', 'curl', 'sed', 'grep'].find((name) => program(name) === undefined);
    if (bash === undefined || missing !== undefined)
      return Promise.resolve({ missing: `no program ${missing ?? 'bash'}` });
    return Promise.resolve({ where: { bash } });
  },
};

/** A pseudo-terminal: `script` of util-linux. That of BSD and macOS takes other options. */
export const terminalScript: ExternalService<{ readonly script: string }> = {
  name: 'script (util-linux)',
  find() {
    const script = program('script');
    if (script === undefined) return Promise.resolve({ missing: 'no program script' });
    const { stdout } = spawnSync(script, ['--version'], { encoding: 'utf8', timeout: 5_000 });
    return Promise.resolve(
      stdout.includes('util-linux')
        ? { where: { script } }
        : { missing: `${script} is not that of util-linux` },
    );
  },
};

/** Two services that are needed together. */
export function bothOf<A, B>(
  one: ExternalService<A>,
  other: ExternalService<B>,
): ExternalService<readonly [A, B]> {
  return {
    name: `${one.name} and ${other.name}`,
    find: async () => {
      const [first, second] = [await one.find(), await other.find()];
      if ('missing' in first) return first;
      return 'missing' in second ? second : { where: [first.where, second.where] };
    },
  };
}

/**
 * Runs `suite` where the service answers. Where it is missing the output names it as skipped; with
 * REQUIRE_SERVICES=1 that is a failure. To be awaited at the top of a test file.
 */
export async function withService<Where>(
  service: ExternalService<Where>,
  suite: (where: Where) => void,
): Promise<void> {
  const found = await service.find();
  if ('where' in found) return suite(found.where);
  const sentence = `${service.name} is missing: ${found.missing}`;
  process.stderr.write(`skipped: ${sentence}\n`);
  describe(service.name, () => {
    test(`${service.name} answers`, (context) => {
      expect(process.env['REQUIRE_SERVICES'], sentence).not.toBe('1');
      context.skip(sentence);
    });
  });
}

function program(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function listensAt(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2_000 });
    const say = (answers: boolean) => () => {
      socket.destroy();
      resolve(answers);
    };
    socket.once('connect', say(true)).once('error', say(false)).once('timeout', say(false));
  });
}

/** Resolves once `condition` holds; rejects with what was waited for after `deadlineMs`: less than the limit of a test, so that its failure names the condition. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  deadlineMs = 100_000,
): Promise<void> {
  const endMs = Date.now() + deadlineMs;
  // Ever slower: a condition may ask the service, which grants each client so many calls a minute.
  for (let waitMs = 2; !(await condition()); waitMs = Math.min(2 * waitMs, 100)) {
    if (Date.now() > endMs) throw new Error(`Not within ${deadlineMs} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
