import { fileURLToPath } from 'node:url';
import { connect } from 'amqplib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedAmqp, startEmbeddedAmqp } from '../support/amqp/embedded-amqp-broker.ts';
import { clientTableOf } from '../support/docs/client-table.ts';
import { runProgram } from '../support/mqtt/mosquitto-clients.ts';
import { clientLibrary, withService } from '../support/run/external-services.ts';

type Command = readonly [string, ...string[]];

interface Client {
  readonly name: string;
  /** The package of Debian 12, or of npm. */
  readonly from: string;
  /** The program of test/clients/amqp/, and what runs it. */
  readonly run: Command;
  /** Succeeds where the library is installed. */
  readonly check: Command;
}

/** Debian's: another that is first on the path does not see Debian's libraries. */
const PYTHON = '/usr/bin/python3';
const JARS = ['/usr/share/java/amqp-client.jar', '/usr/share/java/slf4j-api.jar'];

const python = (name: string, library: string, from: string): Client => ({
  name,
  from,
  run: [PYTHON, `${name}.py`],
  check: [PYTHON, '-c', `import ${library}`],
});
const npm = (name: string, program: string): Client => ({
  name,
  from: 'npm',
  run: [process.execPath, program],
  check: [process.execPath, '--version'],
});

const CLIENTS: readonly Client[] = [
  {
    name: 'php-amqplib',
    from: 'php-amqplib',
    run: ['php', 'php-amqplib.php'],
    check: ['php', '-r', 'require "PhpAmqpLib/autoload.php";'],
  },
  {
    name: 'php-amqp',
    from: 'php-amqp',
    run: ['php', 'php-amqp.php'],
    check: ['php', '-r', 'exit(extension_loaded("amqp") ? 0 : 1);'],
  },
  { name: 'Bunny', from: 'ruby-bunny', run: ['ruby', 'bunny.rb'], check: ['ruby', '-e', 'require "bunny"'] },
  python('pika', 'pika', 'python3-pika'),
  python('py-amqp', 'amqp', 'python3-amqp'),
  python('kombu', 'kombu', 'python3-kombu'),
  python('aio-pika', 'aio_pika', 'python3-aio-pika'),
  {
    name: 'Java client',
    from: 'librabbitmq-client-java',
    run: ['java', '-cp', JARS.join(':'), 'AmqpClient.java'],
    check: ['bash', '-c', `command -v javac && ls ${JARS.join(' ')}`],
  },
  {
    name: 'librabbitmq',
    from: 'amqp-tools',
    run: ['bash', 'amqp-tools.sh'],
    check: ['bash', '-c', 'command -v amqp-consume'],
  },
  npm('amqplib', 'amqplib.mjs'),
  npm('rabbitmq-client', 'rabbitmq-client.mjs'),
  npm('@cloudamqp/amqp-client', 'amqp-client.mjs'),
];

const FOLDER = fileURLToPath(new URL('../clients/amqp/', import.meta.url));

let broker: EmbeddedAmqp;
beforeAll(async () => {
  broker = await startEmbeddedAmqp();
});
afterAll(() => broker.close());

async function messagesIn(queue: string): Promise<number> {
  const connection = await connect(broker.urlOf('owner'), { noDelay: true });
  const { messageCount } = await (await connection.createChannel()).checkQueue(queue);
  await connection.close();
  return messageCount;
}

for (const { name, run, check } of CLIENTS)
  await withService(clientLibrary(name, check), () => {
    describe(name, () => {
      test('connects, publishes, consumes and acknowledges in its default settings', async () => {
        const queue = `of-${name}`;
        const [command, ...options] = run;
        const program = options.map((option) =>
          /\.(php|rb|py|java|sh|mjs)$/.test(option) ? FOLDER + option : option,
        );
        const outcome = await runProgram(command, [...program, broker.urlOf('owner'), queue]);
        expect(outcome, outcome.err).toMatchObject({ code: 0, out: 'got hello\n' });
        expect(await messagesIn(queue)).toBe(0);
      });
    });
  });

test('docs/messages.md lists these clients', () => {
  expect(clientTableOf('messages.md')).toEqual(CLIENTS.map(({ name, from }) => [name, from]));
});
