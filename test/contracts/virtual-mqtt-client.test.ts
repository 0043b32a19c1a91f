import { topics } from '../../protocol/topics.ts';
import type { MqttAccessRules } from '../../world/mqtt/virtual-mqtt-broker.ts';
import { sleep } from '../../world/time/time.ts';
import { openVirtualWorld } from '../../world/virtual-world.ts';
import { keepRunning, runUntilTrue } from '../support/world/run-loop.ts';
import { mqttClientContract } from './mqtt-client-contract.ts';

const SETTLE_MS = 10_000;
const [BOX, OTHER] = ['0f3a000000000001', '0f3a000000000002'];

/** The rules of the broker in short: a box below its own id, the backend everywhere. */
const mqttAccess: MqttAccessRules = {
  mayConnect: ({ password }) => password === 'right',
  mayPublish: (username, topic) => username === 'backend' || topic.includes(`/${username}/`),
  maySubscribe: (username, filter) => username === 'backend' || filter.includes(`/${username}/`),
};

mqttClientContract('virtual', () => {
  const world = openVirtualWorld({ seed: 1, mqttAccess });
  const dead = openVirtualWorld({ seed: 1 });
  dead.mqttBroker.setDown(true);
  const stops = [keepRunning(world.loop), keepRunning(dead.loop)];
  const box = (id: string) => ({ clientId: id, username: id, password: 'right' });
  const backend = (clientId: string) => ({ clientId, username: 'backend', password: 'right' });
  return Promise.resolve({
    mqtt: world.mqtt,
    box: box(BOX),
    otherBox: box(OTHER),
    backend: backend('backend-1'),
    witness: backend('witness-1'),
    unreachableMqtt: dead.mqtt,
    forbiddenFilter: topics.down(OTHER),
    until: (condition) => runUntilTrue(world.loop, condition),
    settle: () => sleep(world.time, SETTLE_MS),
    close: async () => {
      for (const stop of stops) await stop();
    },
  });
});
