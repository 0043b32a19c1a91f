import { startMqttBroker } from '../../brokers/mqtt/broker.ts';
import { topics } from '../../protocol/topics.ts';
import { realLog } from '../../world/log/real-log.ts';
import type { MqttClient } from '../../world/mqtt/mqtt-client.ts';
import type { MqttTestBroker } from '../support/mqtt/mqtt-contract-parts.ts';
import { accounts, realMqttTestBroker } from '../support/mqtt/real-mqtt-broker.ts';
import { mqttClientContract } from './mqtt-client-contract.ts';

const { backend, box, otherBox, settler } = accounts;
const secrets = new Map<string, string>(
  [box, otherBox, settler].map((each) => [each.clientId, each.password]),
);

const start = () =>
  startMqttBroker({
    host: '127.0.0.1',
    port: 0,
    backend,
    authenticate: async (boxId, secret) => secrets.get(boxId) === secret,
    log: realLog('silent'),
  });

/** A fixture where the client is chosen from the one with a socket and the one without. */
async function setUp(
  choose: (socket: MqttClient, inProcess: MqttClient) => MqttClient,
): Promise<MqttTestBroker> {
  const broker = await start();
  const closed = await start();
  await closed.close();
  const fixture = await realMqttTestBroker(broker.url, topics.down(otherBox.clientId), () => broker.close());
  return {
    ...fixture,
    mqtt: choose(fixture.mqtt, broker.inProcess),
    unreachableMqtt: choose(fixture.unreachableMqtt, closed.inProcess),
  };
}

/** A client that opens sessions of the backend's account with one and those of boxes with the other. */
const divided = (ofBackend: MqttClient, ofBoxes: MqttClient): MqttClient => ({
  open: (options, events) =>
    (options.username === backend.username ? ofBackend : ofBoxes).open(options, events),
});

mqttClientContract('within the process of the embedded broker', () =>
  setUp((_socket, inProcess) => inProcess),
);
mqttClientContract('the backend within the process of the embedded broker, boxes with sockets', () =>
  setUp((socket, inProcess) => divided(inProcess, socket)),
);
mqttClientContract('boxes within the process of the embedded broker, the backend with a socket', () =>
  setUp((socket, inProcess) => divided(socket, inProcess)),
);
