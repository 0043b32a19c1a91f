import { connectAsync } from 'mqtt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../brokers/limits.ts';
import { topics } from '../../protocol/topics.ts';
import { type MqttClient, MqttConnectionLost, MqttRefused } from '../../world/mqtt/mqtt-client.ts';
import { realMqttClient } from '../../world/mqtt/real-mqtt-client.ts';
import {
  BACKEND_ACCOUNT,
  BOX_ID,
  type EmbeddedMqttBroker,
  OTHER_BOX_ID,
  secrets,
  startEmbeddedMqtt,
} from '../support/mqtt/embedded-mqtt-broker.ts';
import { openSubscriber } from '../support/mqtt/in-process-subscriber.ts';
import { waitUntil } from '../support/run/external-services.ts';

const UP = topics.up(BOX_ID);
const DOWN = topics.down(BOX_ID);
const PRESENCE = topics.presence(BOX_ID);
const BOX = { clientId: BOX_ID, username: BOX_ID, password: secrets[BOX_ID] ?? '' };

let broker: EmbeddedMqttBroker;
let inProcess: MqttClient;
let socket: MqttClient;
beforeEach(async () => {
  broker = await startEmbeddedMqtt();
  inProcess = broker.inProcess;
  socket = realMqttClient({ url: broker.url });
});
afterEach(() => broker.close());

const words = (topic: string, text: string, retain = false) => ({
  topic,
  payload: new TextEncoder().encode(text),
  retain,
});
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

describe.each([
  ['a socket', () => inProcess, () => socket],
  ['the same process', () => socket, () => inProcess],
])('a take-over from %s', (_name, older, newer) => {
  test('closes the older connection, publishes its will, and leaves the newer one', async () => {
    const witness = await openSubscriber(inProcess, { clientId: 'backend-2' });
    await witness.session.subscribe(PRESENCE);
    const will = words(PRESENCE, 'gone', true);
    const first = await openSubscriber(older(), { ...BOX, will });
    const second = await openSubscriber(newer(), BOX);
    await waitUntil(() => first.closings.length === 1 && witness.texts.length === 1);
    await second.session.publish(words(PRESENCE, 'back'));
    await waitUntil(() => witness.texts.length === 2);
    expect(witness.texts).toEqual(['gone', 'back']);
    await expect(first.session.publish(words(UP, 'x'))).rejects.toBeInstanceOf(MqttConnectionLost);
    expect(second.closings).toEqual([]);
    await second.session.end();
  });

  test('goes on with a persistent session: what was not acknowledged comes again, in order', async () => {
    const first = await openSubscriber(older(), { clean: false, isHolding: true });
    await first.session.subscribe('boxes/+/+/up');
    const box = await openSubscriber(socket, BOX);
    for (const text of numbers(20)) await box.session.publish(words(UP, text));
    await waitUntil(() => first.texts.length === 1);
    const second = await openSubscriber(newer(), { clean: false });
    expect(second.session.present).toBe(true);
    await waitUntil(() => second.texts.length === 20);
    await box.session.publish(words(UP, '20'));
    await waitUntil(() => second.texts.length === 21);
    expect(second.texts).toEqual(numbers(21));
    first.release();
    await second.session.end();
    // What the second has acknowledged is not kept.
    const third = await openSubscriber(inProcess, { clean: false });
    await box.session.publish(words(UP, 'new'));
    await waitUntil(() => third.texts.length > 0);
    expect(third.texts).toEqual(['new']);
    await box.session.end();
  });

  test('with a clean session deletes the persistent one', async () => {
    const first = await openSubscriber(older(), { clean: false, isHolding: true });
    await first.session.subscribe('boxes/+/+/up');
    const box = await openSubscriber(socket, BOX);
    await box.session.publish(words(UP, 'kept'));
    await waitUntil(() => first.texts.length === 1);
    const second = await openSubscriber(newer(), { clean: true });
    expect(second.session.present).toBe(false);
    await second.session.end();
    const third = await openSubscriber(inProcess, { clean: false });
    expect(third.session.present).toBe(false);
    await third.session.subscribe('boxes/+/+/up');
    await box.session.publish(words(UP, 'new'));
    await waitUntil(() => third.texts.length > 0);
    expect(third.texts).toEqual(['new']);
    await box.session.end();
  });
});

describe('a session in the process of the broker', () => {
  test('that is opened while a box publishes gets each message once and in order', async () => {
    const first = await openSubscriber(inProcess, { clean: false });
    await first.session.subscribe('boxes/+/+/up');
    await first.session.end();
    const box = await connectAsync(broker.url, { ...BOX, reconnectPeriod: 0 });
    const count = 3_000;
    const published = numbers(count).map((text) => box.publishAsync(UP, text, { qos: 1 }));
    await published[count / 10];
    const second = await openSubscriber(inProcess, { clean: false });
    await Promise.all(published);
    await waitUntil(() => second.texts.length >= count);
    expect(second.texts).toEqual(numbers(count));
    await box.endAsync();
  });

  test('gets a message once that is published at any moment while it is opened', async () => {
    const first = await openSubscriber(inProcess, { clean: false });
    await first.session.subscribe('boxes/+/+/up');
    await first.session.end();
    const box = await openSubscriber(inProcess, BOX);
    for (let turns = 0; turns < 40; turns++) {
      const opening = openSubscriber(inProcess, { clean: false });
      for (let turn = 0; turn < turns; turn++) await undefined;
      await box.session.publish(words(UP, 'during'));
      const { session, texts } = await opening;
      await box.session.publish(words(UP, 'after'));
      await waitUntil(() => texts.includes('after'));
      expect(texts, `after ${turns} turns`).toEqual(['during', 'after']);
      await session.end();
    }
  });

  test('with two filters that match gets a message once', async () => {
    const backend = await openSubscriber(inProcess);
    await backend.session.subscribe('boxes/+/+/up');
    await backend.session.subscribe(UP);
    await backend.session.subscribe(UP);
    const box = await openSubscriber(socket, BOX);
    for (const text of numbers(5)) await box.session.publish(words(UP, text));
    await waitUntil(() => backend.texts.includes('4'));
    expect(backend.texts).toEqual(numbers(5));
    await box.session.end();
  });

  test('gets publications of QoS 0 and of QoS 2, also from mqtt.js', async () => {
    const backend = await openSubscriber(inProcess, { clean: false });
    await backend.session.subscribe('boxes/+/+/up');
    const box = await connectAsync(broker.url, { ...BOX, reconnectPeriod: 0 });
    await box.publishAsync(UP, 'zero', { qos: 0 });
    await box.publishAsync(UP, 'two', { qos: 2 });
    await waitUntil(() => backend.texts.length === 2);
    expect(backend.texts).toEqual(['zero', 'two']);
    await box.endAsync();
  });

  test('ends with the broker, and no other is opened', async () => {
    const backend = await openSubscriber(inProcess);
    await broker.close();
    await waitUntil(() => backend.closings.length === 1);
    await expect(backend.session.publish(words(DOWN, 'x'))).rejects.toBeInstanceOf(MqttConnectionLost);
    await expect(openSubscriber(inProcess)).rejects.toBeInstanceOf(MqttRefused);
  });

  test('is refused when its sign-in takes too long', async () => {
    const slow = await startEmbeddedMqtt({ authenticate: () => new Promise(() => undefined) });
    await expect(openSubscriber(slow.inProcess, { ...BOX, connectTimeoutMs: 20 })).rejects.toBeInstanceOf(
      MqttRefused,
    );
    await slow.close();
  });

  test.each([
    ['the client id of a box for the backend', { clientId: BOX_ID }],
    ['the client id of another box', { ...BOX, clientId: OTHER_BOX_ID }],
    ['no keep-alive', { ...BOX, keepAliveS: 0 }],
    ['a will for another box', { ...BOX, will: words(topics.presence(OTHER_BOX_ID), 'gone') }],
    ['a user that is unknown', { username: 'nobody' }],
  ])('is refused with %s, as over a socket', async (_name, options) => {
    await expect(openSubscriber(inProcess, options)).rejects.toBeInstanceOf(MqttRefused);
    await expect(openSubscriber(socket, options)).rejects.toBeInstanceOf(MqttRefused);
  });

  test.each([
    ['on the topic of another box', BOX, words(topics.up(OTHER_BOX_ID), 'x')],
    ['retained on `up`', BOX, words(UP, 'x', true)],
    ['on a topic of boxes as the backend', { clientId: 'backend-9' }, words(UP, 'x')],
    ['on a topic with a wildcard', { clientId: 'backend-9' }, words('boxes/+/+/down', 'x')],
    ['more than a packet holds', BOX, words(UP, 'x'.repeat(limits.mqtt.packetBytes))],
  ])('ends when it publishes %s, and nobody gets it', async (_name, options, message) => {
    const witness = await openSubscriber(inProcess, { clientId: 'backend-2' });
    await witness.session.subscribe('boxes/+/+/up');
    await witness.session.subscribe('boxes/+/+/presence');
    const { session, closings } = await openSubscriber(inProcess, options);
    await expect(session.publish(message)).rejects.toBeInstanceOf(MqttConnectionLost);
    await waitUntil(() => closings.length === 1);
    const box = await openSubscriber(inProcess, BOX);
    await box.session.publish(words(UP, 'last'));
    await waitUntil(() => witness.texts.length > 0);
    expect(witness.texts).toEqual(['last']);
  });

  test('that may not subscribe a filter is refused it and stays open', async () => {
    const { session, closings } = await openSubscriber(inProcess);
    for (const filter of ['#', DOWN, '$SYS/#', 'boxes/#/up'])
      await expect(session.subscribe(filter)).rejects.toBeInstanceOf(MqttRefused);
    await session.subscribe('boxes/+/+/up');
    expect(closings).toEqual([]);
  });

  test('keeps the order of its calls, whether retained or not', async () => {
    const witness = await openSubscriber(socket, { clientId: 'backend-2' });
    await witness.session.subscribe('boxes/+/+/presence');
    const box = await openSubscriber(inProcess, BOX);
    await Promise.all(
      numbers(50).map((text, index) => box.session.publish(words(PRESENCE, text, index % 3 === 0))),
    );
    await waitUntil(() => witness.texts.length === 50);
    expect(witness.texts).toEqual(numbers(50));
    await witness.session.end();
  });

  test('does not see what its program does to the bytes afterwards', async () => {
    const box = await openSubscriber(socket, BOX);
    await box.session.subscribe(DOWN);
    const backend = await openSubscriber(inProcess);
    const payload = new TextEncoder().encode('lock');
    const published = backend.session.publish({ topic: DOWN, payload, retain: false });
    payload.fill(0);
    await published;
    await waitUntil(() => box.texts.length === 1);
    expect(box.texts).toEqual(['lock']);
    await box.session.end();
  });

  test('of the backend has the account of the backend: a wrong password is refused', async () => {
    const { username } = BACKEND_ACCOUNT;
    await expect(openSubscriber(inProcess, { username, password: 'wrong' })).rejects.toThrow(
      /the password is wrong/,
    );
  });
});
