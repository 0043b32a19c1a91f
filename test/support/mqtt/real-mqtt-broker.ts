import { topics } from '../../../protocol/topics.ts';
import type { MqttClient, MqttSession } from '../../../world/mqtt/mqtt-client.ts';
import { realMqttClient } from '../../../world/mqtt/real-mqtt-client.ts';
import { waitUntil } from '../run/external-services.ts';
import { freePort } from '../run/free-port.ts';
import type { MqttAccount, MqttTestBroker } from './mqtt-contract-parts.ts';

/** The accounts that a broker must have for the contract. */
export const accounts = {
  box: account('00000000000000b1', 'secret of the box'),
  otherBox: account('00000000000000b2', 'secret of the other'),
  settler: account('00000000000000b3', 'secret of the settler'),
  backend: { clientId: 'backend-1', username: 'backend', password: 'secret of the backend' },
  witness: { clientId: 'backend-2', username: 'backend', password: 'secret of the backend' },
} as const;

function account(boxId: string, password: string): MqttAccount {
  return { clientId: boxId, username: boxId, password };
}

/** A fixture for a broker that listens at `url`. */
export async function realMqttTestBroker(
  url: string,
  forbiddenFilter: MqttTestBroker['forbiddenFilter'],
  close: () => Promise<void>,
): Promise<MqttTestBroker> {
  const mqtt = realMqttClient({ url });
  return {
    mqtt,
    ...accounts,
    unreachableMqtt: realMqttClient({ url: `mqtt://127.0.0.1:${await freePort()}` }),
    forbiddenFilter,
    until: waitUntil,
    settle: () => settle(mqtt),
    close,
  };
}

/**
 * Lets messages of our own take the way there and back, several times: whatever the broker had before them is out by
 * then.
 */
async function settle(mqtt: MqttClient): Promise<void> {
  const heard: number[] = [];
  const options = { clean: true, keepAliveS: 60, connectTimeoutMs: 5_000 };
  const silent = { message: () => undefined, closed: () => undefined };
  const listener = await mqtt.open(
    { ...accounts.settler, ...options },
    {
      message(_topic, payload, _retained, acknowledge) {
        heard.push(payload[0] ?? -1);
        acknowledge();
      },
      closed: () => undefined,
    },
  );
  await listener.subscribe(topics.down(accounts.settler.clientId));
  const speaker: MqttSession = await mqtt.open(
    { ...accounts.backend, clientId: 'backend-settler', ...options },
    silent,
  );
  for (let round = 1; round <= 10; round++) {
    await speaker.publish({
      topic: topics.down(accounts.settler.clientId),
      payload: Uint8Array.of(round),
      retain: false,
    });
    await waitUntil(() => heard.length === round);
  }
  await speaker.end();
  await listener.end();
}
