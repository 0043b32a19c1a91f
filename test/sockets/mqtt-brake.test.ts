import { connectAsync, type MqttClient } from 'mqtt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../brokers/limits.ts';
import { topics } from '../../protocol/topics.ts';
import {
  BACKEND_ACCOUNT,
  BOX_ID,
  type EmbeddedMqttBroker,
  OTHER_BOX_ID,
  secrets,
  startEmbeddedMqtt,
} from '../support/mqtt/embedded-mqtt-broker.ts';
import { openSubscriber, type Subscriber } from '../support/mqtt/in-process-subscriber.ts';
import { waitUntil } from '../support/run/external-services.ts';

const up = (boxId: string) => topics.up(boxId);
const down = (boxId: string) => topics.down(boxId);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

/** Unacknowledged publications of a box: those of one read pass together. */
const WINDOW = 100;

let broker: EmbeddedMqttBroker;
let backend: Subscriber;
const clients: MqttClient[] = [];
beforeEach(async () => {
  broker = await startEmbeddedMqtt();
  backend = await openSubscriber(broker.inProcess, { clean: false, isHolding: true });
  await backend.session.subscribe('boxes/+/+/up');
  await backend.session.subscribe('boxes/+/+/presence');
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.stream.destroy();
  await broker.close();
});

async function connect(username: string, clientId = username): Promise<MqttClient> {
  const password = secrets[username] ?? BACKEND_ACCOUNT.password;
  const client = await connectAsync(broker.url, { clientId, username, password, reconnectPeriod: 0 });
  client.on('error', () => undefined);
  clients.push(client);
  return client;
}

/** Publishes the numbers from 0 up to `count`, with a window; tells how many are acknowledged. */
function publishNumbers(client: MqttClient, topic: string, count: number): { readonly acknowledged: number } {
  const seen = { acknowledged: 0 };
  let next = 0;
  const send = () => {
    if (next >= count) return;
    client.publish(topic, `${next++}`, { qos: 1 }, (error) => {
      if (error) return;
      seen.acknowledged++;
      send();
    });
  };
  for (let open = 0; open < WINDOW; open++) send();
  return seen;
}

/** Resolves when the number has not changed for a number of round trips through the broker. */
async function settled(number: () => number): Promise<number> {
  const speaker = await connect(BACKEND_ACCOUNT.username, 'backend-settler');
  let seen = -1;
  while (seen !== number()) {
    seen = number();
    for (let trip = 0; trip < 20; trip++) await speaker.publishAsync(down(OTHER_BOX_ID), 'trip', { qos: 1 });
  }
  await speaker.endAsync();
  return seen;
}

describe('while the service takes nothing', () => {
  const COUNT = limits.mqtt.brakeMessages + 4_000;

  test('boxes that publish are stopped, commands reach them all the same, and afterwards nothing is missing', async () => {
    const [box, other] = [await connect(BOX_ID), await connect(OTHER_BOX_ID)];
    const heard: string[] = [];
    box.on('message', (_topic, payload) => heard.push(payload.toString()));
    await box.subscribeAsync(down(BOX_ID), { qos: 1 });
    const progress = [publishNumbers(box, up(BOX_ID), COUNT), publishNumbers(other, up(OTHER_BOX_ID), COUNT)];
    const acknowledged = () => progress.reduce((sum, each) => sum + each.acknowledged, 0);
    await waitUntil(() => acknowledged() >= limits.mqtt.brakeMessages, 20_000);
    const stoppedAt = await settled(acknowledged);
    // One is with the service; what had been read when the brake came may pass.
    expect(stoppedAt).toBeLessThanOrEqual(1 + limits.mqtt.brakeMessages + 2 * WINDOW);

    await backend.session.publish({ topic: down(BOX_ID), payload: Buffer.from('lock'), retain: false });
    const elsewhere = await connect(BACKEND_ACCOUNT.username, 'backend-elsewhere');
    await elsewhere.publishAsync(down(BOX_ID), 'unlock', { qos: 1 });
    await waitUntil(() => heard.length === 2);
    expect(heard).toEqual(['lock', 'unlock']);
    expect(acknowledged()).toBe(stoppedAt);
    expect(backend.texts).toHaveLength(1);

    backend.release();
    await waitUntil(() => backend.texts.length >= 2 * COUNT, 30_000);
    for (const boxId of [BOX_ID, OTHER_BOX_ID]) {
      const texts = backend.texts.filter((_text, index) => backend.topics[index] === up(boxId));
      expect(texts).toEqual(numbers(COUNT));
    }
    await waitUntil(() => acknowledged() === 2 * COUNT);
  });

  test('a box that waits for no acknowledgement is not read from, and nothing of it is lost', async () => {
    const [box, other] = [await connect(BOX_ID), await connect(OTHER_BOX_ID)];
    const progress = publishNumbers(box, up(BOX_ID), COUNT);
    await waitUntil(() => progress.acknowledged >= limits.mqtt.brakeMessages, 20_000);
    const speaker = await connect(BACKEND_ACCOUNT.username, 'backend-speaker');
    const payload = Buffer.alloc(32 * 1_024, 'x');
    const count = 600;
    // One by one: of bytes that come together aedes would read no more by itself.
    for (let sent = 0; sent < count; sent++) {
      other.publish(up(OTHER_BOX_ID), payload, { qos: 0 });
      await speaker.publishAsync(down(OTHER_BOX_ID), 'trip', { qos: 1 });
    }
    // What is not here has its place in the buffers of the system.
    expect(other.stream.writableLength).toBeGreaterThan((count * payload.length) / 4);
    backend.release();
    await waitUntil(() => backend.texts.length === COUNT + count, 30_000);
  });

  test('a box that only listens has its pings answered; wills are published', async () => {
    const [box, other] = [await connect(BOX_ID), await connect(OTHER_BOX_ID)];
    const progress = publishNumbers(box, up(BOX_ID), COUNT);
    await waitUntil(() => progress.acknowledged >= limits.mqtt.brakeMessages, 20_000);
    await settled(() => progress.acknowledged);
    const answers: string[] = [];
    other.on('packetreceive', ({ cmd }) => answers.push(cmd));
    other.sendPing();
    await waitUntil(() => answers.includes('pingresp'));
    const will = { topic: topics.presence(OTHER_BOX_ID), payload: Buffer.from('gone'), retain: true };
    const account = { username: OTHER_BOX_ID, password: secrets[OTHER_BOX_ID] ?? '' };
    const dying = await connectAsync(broker.url, {
      clientId: OTHER_BOX_ID,
      ...account,
      will: { ...will, qos: 1 as const },
      reconnectPeriod: 0,
    });
    dying.stream.destroy();
    const witness = await openSubscriber(broker.inProcess, { clientId: 'backend-2' });
    await witness.session.subscribe('boxes/+/+/presence');
    await waitUntil(() => witness.texts.includes('gone'));
  });

  test('what a stopped box has not had acknowledged is forgotten with its connection, and it sends it again', async () => {
    const box = await connect(BOX_ID);
    const progress = publishNumbers(box, up(BOX_ID), COUNT);
    await waitUntil(() => progress.acknowledged >= limits.mqtt.brakeMessages, 20_000);
    const acknowledged = await settled(() => progress.acknowledged);
    box.stream.destroy();
    const again = await connect(BOX_ID);
    const rest = numbers(COUNT).slice(acknowledged);
    const published = rest.map((text) => again.publishAsync(up(BOX_ID), text, { qos: 1 }));
    backend.release();
    await Promise.all(published);
    await waitUntil(() => backend.texts.length >= COUNT, 30_000);
    expect(backend.texts).toEqual(numbers(COUNT));
  });

  test('the end of its session releases the brake', async () => {
    const box = await connect(BOX_ID);
    const progress = publishNumbers(box, up(BOX_ID), COUNT);
    await waitUntil(() => progress.acknowledged >= limits.mqtt.brakeMessages, 20_000);
    await settled(() => progress.acknowledged);
    backend.session.drop();
    await waitUntil(() => progress.acknowledged === COUNT, 20_000);
    const back = await openSubscriber(broker.inProcess, { clean: false });
    await waitUntil(() => back.texts.length >= COUNT, 20_000);
    expect(back.texts).toEqual(numbers(COUNT));
  });
});
