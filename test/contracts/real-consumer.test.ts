import { realConsumer } from '../../world/real-consumer.ts';
import { freePort, rabbitmq, withService } from '../services.ts';
import { startEmbeddedAmqp } from '../sockets/amqp-broker-kit.ts';
import { type ConsumerStage, consumerContract } from './consumer-contract.ts';
import { realExchangeStage } from './real-exchange-stage.ts';

async function realConsumerStage(url: string): Promise<ConsumerStage> {
  const { exchange, name, until, settle, close } = await realExchangeStage(url);
  const wrong = new URL(url);
  wrong.password = 'wrong';
  return {
    consumer: realConsumer({ url }),
    exchange,
    deadConsumer: realConsumer({ url: `amqp://guest:guest@127.0.0.1:${await freePort()}` }),
    wrongPassword: realConsumer({ url: wrong.href }),
    name,
    until,
    settle,
    close,
  };
}

await withService(rabbitmq, ({ url }) =>
  consumerContract('amqplib and RabbitMQ', () => realConsumerStage(url)),
);

consumerContract('amqplib and the embedded broker', async () => {
  const broker = await startEmbeddedAmqp();
  const stage = await realConsumerStage(broker.urlOf('owner'));
  return {
    ...stage,
    close: async () => {
      await stage.close();
      await broker.close();
    },
  };
});
