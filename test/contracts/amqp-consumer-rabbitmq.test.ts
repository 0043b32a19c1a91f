import { rabbitmq, withService } from '../services.ts';
import { refusalContract } from './amqp-consumer-contract.ts';
import { rabbitStage } from './amqp-consumer-stages.ts';

await withService(rabbitmq, ({ url }) => {
  refusalContract('RabbitMQ', () => Promise.resolve(rabbitStage(url)));
});
