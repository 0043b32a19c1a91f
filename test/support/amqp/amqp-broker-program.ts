import { startEmbeddedAmqp } from './embedded-amqp-broker.ts';

/**
 * The embedded broker as a separate process, to be killed: `amqp-broker-program.ts <file> <port>` prints its port.
 */
const [, , path = '', port = '0'] = process.argv;
const broker = await startEmbeddedAmqp({
  path,
  port: Number(port),
  permits: () => true,
});
process.stdout.write(`${broker.port}\n`);
