// node amqplib.mjs URL QUEUE
import { connect } from 'amqplib';

const [url, queue] = process.argv.slice(2);
const connection = await connect(url);
const channel = await connection.createChannel();
await channel.assertQueue(queue);
channel.sendToQueue(queue, Buffer.from('hello'));
const body = await new Promise((resolve, reject) => {
  channel
    .consume(queue, (message) => {
      channel.ack(message);
      resolve(message.content.toString());
    })
    .catch(reject);
});
process.stdout.write(`got ${body}\n`);
await channel.close();
await connection.close();
