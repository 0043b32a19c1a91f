import { EVERYTHING } from '../../brokers/amqp/patterns.ts';
import { startEmbeddedAmqp } from './amqp-broker-kit.ts';

/** The embedded broker as a process of its own, to be killed: `amqp-child.ts <file> <port>` prints its port. */
const [, , path = '', port = '0'] = process.argv;
const broker = await startEmbeddedAmqp({
  path,
  port: Number(port),
  permits: (_, __, name) => EVERYTHING.test(name),
});
process.stdout.write(`${broker.port}\n`);
