import { expect, test } from 'vitest';
import { heldMqtt } from '../../../../deployment/fleet/open-boxes.ts';
import type { MqttClient, MqttSession } from '../../../../world/mqtt/mqtt-client.ts';

test('a connection is opened once the service takes what boxes send, and no sooner', async () => {
  const opened: string[] = [];
  const session = {} as MqttSession;
  const mqtt: MqttClient = {
    open: ({ clientId }) => {
      opened.push(clientId);
      return Promise.resolve(session);
    },
  };
  const taking = Promise.withResolvers<void>();
  const opening = heldMqtt(mqtt, taking.promise).open(
    { clientId: 'box' } as Parameters<MqttClient['open']>[0],
    { message: () => undefined, closed: () => undefined },
  );
  await new Promise(setImmediate);
  expect(opened).toEqual([]);
  taking.resolve();
  expect(await opening).toBe(session);
  expect(opened).toEqual(['box']);
});
