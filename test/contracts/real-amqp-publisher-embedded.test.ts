import { startEmbeddedAmqp } from '../support/amqp/embedded-amqp-broker.ts';
import { realPublisherBroker } from '../support/amqp/real-publisher-broker.ts';
import { amqpPublisherContract } from './amqp-publisher-contract.ts';

amqpPublisherContract('amqplib and the embedded broker', async () => {
  const broker = await startEmbeddedAmqp();
  const fixture = await realPublisherBroker(broker.urlOf('owner'));
  return {
    ...fixture,
    close: async () => {
      await fixture.close();
      await broker.close();
    },
  };
});
