import { rabbitmq, withService } from '../services.ts';
import { exchangeContract } from './exchange-contract.ts';
import { realExchangeStage } from './real-exchange-stage.ts';

await withService(rabbitmq, ({ url }) =>
  exchangeContract('amqplib and RabbitMQ', () => realExchangeStage(url)),
);
