import { expect, test } from 'vitest';
import { topics } from '../../protocol/topics.ts';
import type { MqttSession, MqttSessionEvents } from '../../world/mqtt/mqtt-client.ts';
import { realMqttClient } from '../../world/mqtt/real-mqtt-client.ts';
import { BACKEND_ACCOUNT, startEmbeddedMqtt } from '../support/mqtt/embedded-mqtt-broker.ts';
import { waitUntil } from '../support/run/external-services.ts';

const BOXES = 2_500;
const IGNORING: MqttSessionEvents = {
  message: (_topic, _payload, _retained, acknowledge) => acknowledge(),
  closed: () => undefined,
};
const TIMING = { keepAliveS: 60, connectTimeoutMs: 20_000 } as const;

// The emitter of aedes used to queue the excess and drain the queue by recursion: the process ended with a stack
// overflow when a fleet and its subscriber disconnected together.
test(`the broker keeps running when ${BOXES} boxes and the backend disconnect together`, async () => {
  const broker = await startEmbeddedMqtt({ authenticate: () => Promise.resolve(true) });
  const mqtt = realMqttClient({ url: broker.url });
  const listen = (message: MqttSessionEvents['message']) =>
    mqtt.open(
      { clientId: 'backend-1', ...BACKEND_ACCOUNT, clean: true, ...TIMING },
      { ...IGNORING, message },
    );
  const backend = await listen(IGNORING.message);
  await backend.subscribe(topics.everyPresence);
  const sessions: MqttSession[] = [];
  for (let index = 0; index < BOXES; index += 1) {
    const boxId = index.toString(16).padStart(16, '0');
    const will = { topic: topics.presence(boxId), payload: Uint8Array.of(1), retain: true };
    const options = { clientId: boxId, username: boxId, password: 'x', clean: true, will, ...TIMING };
    sessions.push(await mqtt.open(options, IGNORING));
  }
  for (const session of sessions) session.drop();
  backend.drop();

  const gone = new Set<string>();
  const next = await listen((topic, _payload, _retained, acknowledge) => {
    gone.add(topic);
    acknowledge();
  });
  await next.subscribe(topics.everyPresence);
  await waitUntil(() => gone.size === BOXES);
  expect(gone.size).toBe(BOXES);
  await next.end();
  await broker.close();
});
