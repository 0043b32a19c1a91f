import { topics } from '../../protocol/topics.ts';
import { memoryFlash } from '../../world/flash/memory-flash.ts';
import { memoryMqtt } from '../../world/mqtt/memory-mqtt.ts';
import type { MqttAccessRules } from '../../world/mqtt/virtual-mqtt-broker.ts';
import { sleep } from '../../world/time/time.ts';
import { openVirtualWorld } from '../../world/virtual-world.ts';
import { keepRunning, runUntilTrue } from '../support/world/run-loop.ts';
import { flashContract } from './flash-contract.ts';
import { mqttClientContract } from './mqtt-client-contract.ts';

const SETTLE_MS = 1_000;
const [BOX, OTHER] = ['0f3a000000000001', '0f3a000000000002'];

const access: MqttAccessRules = {
  mayConnect: ({ password }) => password === 'right',
  mayPublish: (username, topic) => username === 'backend' || topic.includes(`/${username}/`),
  maySubscribe: (username, filter) => username === 'backend' || filter.includes(`/${username}/`),
};

mqttClientContract('in memory', () => {
  // In virtual time, so that no test waits by the clock.
  const world = openVirtualWorld({ seed: 1 });
  const stop = keepRunning(world.loop);
  const memory = memoryMqtt(world, { access });
  const dead = memoryMqtt(world);
  dead.broker.setDown(true);
  const box = (id: string) => ({ clientId: id, username: id, password: 'right' });
  const backend = (clientId: string) => ({ clientId, username: 'backend', password: 'right' });
  return Promise.resolve({
    mqtt: memory.client,
    box: box(BOX),
    otherBox: box(OTHER),
    backend: backend('backend-1'),
    witness: backend('witness-1'),
    unreachableMqtt: dead.client,
    forbiddenFilter: topics.down(OTHER),
    until: (condition) => runUntilTrue(world.loop, condition),
    settle: () => sleep(world.time, SETTLE_MS),
    close: stop,
  });
});

flashContract('in memory', () => {
  const flash = memoryFlash();
  return Promise.resolve({
    flash,
    reopen: () => Promise.resolve(flash),
    tearLastWrite: { none: 'A write to memory is done when its call returns.' },
    fill: { none: 'There is room for as long as the process has memory.' },
    close: () => flash.close(),
  });
});
