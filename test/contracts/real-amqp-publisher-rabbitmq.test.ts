import { realPublisherBroker } from '../support/amqp/real-publisher-broker.ts';
import { rabbitmq, withService } from '../support/run/external-services.ts';
import { amqpPublisherContract } from './amqp-publisher-contract.ts';

await withService(rabbitmq, ({ url }) =>
  amqpPublisherContract('amqplib and RabbitMQ', () => realPublisherBroker(url)),
);
