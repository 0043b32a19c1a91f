import { realAmqpConsumer } from '../../world/amqp/real-amqp-consumer.ts';
import { startEmbeddedAmqp } from '../support/amqp/embedded-amqp-broker.ts';
import { realPublisherBroker } from '../support/amqp/real-publisher-broker.ts';
import { rabbitmq, withService } from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';
import { type AmqpConsumerFixture, amqpConsumerPortContract } from './amqp-consumer-port-contract.ts';

async function realConsumerFixture(url: string): Promise<AmqpConsumerFixture> {
  const { amqp, name, until, settle, close } = await realPublisherBroker(url);
  const wrong = new URL(url);
  wrong.password = 'wrong';
  return {
    consumer: realAmqpConsumer({ url }),
    amqp,
    unreachableConsumer: realAmqpConsumer({ url: `amqp://guest:guest@127.0.0.1:${await freePort()}` }),
    wrongPassword: realAmqpConsumer({ url: wrong.href }),
    name,
    until,
    settle,
    close,
  };
}

await withService(rabbitmq, ({ url }) =>
  amqpConsumerPortContract('amqplib and RabbitMQ', () => realConsumerFixture(url)),
);

amqpConsumerPortContract('amqplib and the embedded broker', async () => {
  const broker = await startEmbeddedAmqp();
  const fixture = await realConsumerFixture(broker.urlOf('owner'));
  return {
    ...fixture,
    close: async () => {
      await fixture.close();
      await broker.close();
    },
  };
});
