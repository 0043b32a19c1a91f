import { startMqttBroker } from '../../brokers/mqtt/broker.ts';
import { realLog } from '../../world/real-log.ts';
import { linkContract } from './link-contract.ts';
import { accounts, realLinkStage } from './real-link-stage.ts';

linkContract('mqtt.js and the embedded broker', async () => {
  const { backend, box, otherBox, settler } = accounts;
  const secrets = new Map([box, otherBox, settler].map((each) => [each.clientId, each.password]));
  const broker = await startMqttBroker({
    host: '127.0.0.1',
    port: 0,
    backend,
    authenticate: async (boxId, secret) => secrets.get(boxId) === secret,
    log: realLog('silent'),
  });
  return realLinkStage(broker.url, `boxes/${otherBox.clientId}/down`, () => broker.close());
});
