// node rabbitmq-client.mjs URL QUEUE
import { Connection } from 'rabbitmq-client';

const [url, queue] = process.argv.slice(2);
const connection = new Connection(url);
const queueOptions = { durable: true };
await connection.queueDeclare({ queue, ...queueOptions });
const publisher = connection.createPublisher();
await publisher.send(queue, 'hello');
const { promise, resolve, reject } = Promise.withResolvers();
// It declares the queue once more, and acknowledges once this returns.
const consumer = connection.createConsumer({ queue, queueOptions }, ({ body }) => resolve(body));
consumer.on('error', reject);
process.stdout.write(`got ${await promise}\n`);
await consumer.close();
await publisher.close();
await connection.close();
