// node amqp-client.mjs URL QUEUE: @cloudamqp/amqp-client
import { AMQPClient } from '@cloudamqp/amqp-client';

const [url, name] = process.argv.slice(2);
const connection = await new AMQPClient(url).connect();
const channel = await connection.channel();
await channel.queueDeclare(name);
await channel.basicPublish('', name, 'hello');
const { promise, resolve } = Promise.withResolvers();
await channel.basicConsume(name, { noAck: false }, async (message) => {
  await message.ack();
  resolve(message.bodyString());
});
process.stdout.write(`got ${await promise}\n`);
await connection.close();
