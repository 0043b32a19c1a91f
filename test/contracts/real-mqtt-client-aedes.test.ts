import { startMqttBroker } from '../../brokers/mqtt/broker.ts';
import { topics } from '../../protocol/topics.ts';
import { realLog } from '../../world/log/real-log.ts';
import { accounts, realMqttTestBroker } from '../support/mqtt/real-mqtt-broker.ts';
import { mqttClientContract } from './mqtt-client-contract.ts';

mqttClientContract('mqtt.js and the embedded broker', async () => {
  const { backend, box, otherBox, settler } = accounts;
  const secrets = new Map([box, otherBox, settler].map((each) => [each.clientId, each.password]));
  const broker = await startMqttBroker({
    host: '127.0.0.1',
    port: 0,
    backend,
    authenticate: async (boxId, secret) => secrets.get(boxId) === secret,
    log: realLog('silent'),
  });
  return realMqttTestBroker(broker.url, topics.down(otherBox.clientId), () => broker.close());
});
