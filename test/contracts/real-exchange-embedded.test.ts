import { startEmbeddedAmqp } from '../sockets/amqp-broker-kit.ts';
import { exchangeContract } from './exchange-contract.ts';
import { realExchangeStage } from './real-exchange-stage.ts';

exchangeContract('amqplib and the embedded broker', async () => {
  const broker = await startEmbeddedAmqp();
  const stage = await realExchangeStage(broker.urlOf('owner'));
  return {
    ...stage,
    close: async () => {
      await stage.close();
      await broker.close();
    },
  };
});
