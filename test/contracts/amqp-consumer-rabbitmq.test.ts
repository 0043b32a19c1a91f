import { rabbitBroker, rabbitBrokerWithRights } from '../support/amqp/contract-brokers.ts';
import { rabbitmq, rabbitmqManagement, withService } from '../support/run/external-services.ts';
import { callContract } from './amqp-consumer-calls.ts';
import { consumingContract } from './amqp-consumer-consuming.ts';
import { refusalContract } from './amqp-consumer-contract.ts';
import { messageContract } from './amqp-consumer-messages.ts';
import { patternContract, toolContract } from './amqp-consumer-patterns.ts';
import { programContract } from './amqp-consumer-programs.ts';
import { queueContract } from './amqp-consumer-queues.ts';
import { quorumContract } from './amqp-consumer-quorum.ts';
import { rightsContract } from './amqp-consumer-rights.ts';

await withService(rabbitmq, ({ url }) => {
  const open = () => Promise.resolve(rabbitBroker(url));
  callContract('RabbitMQ', open);
  refusalContract('RabbitMQ', open);
  messageContract('RabbitMQ', open);
  queueContract('RabbitMQ', open);
  quorumContract('RabbitMQ', open);
  consumingContract('RabbitMQ', open);
  patternContract('RabbitMQ', open);
  programContract('RabbitMQ', open);
});

await withService(rabbitmqManagement, ({ url, adminUrl }) => {
  rightsContract('RabbitMQ', () => Promise.resolve(rabbitBrokerWithRights(url, adminUrl)));
});

const found = await rabbitmq.find();
if ('where' in found) await toolContract('RabbitMQ', () => Promise.resolve(rabbitBroker(found.where.url)));
