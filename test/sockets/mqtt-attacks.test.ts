import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../brokers/limits.ts';
import { wireLimits } from '../../protocol/limits.ts';
import { topics } from '../../protocol/topics.ts';
import { MqttConnectionLost, type MqttSession } from '../../world/mqtt/mqtt-client.ts';
import { realMqttClient } from '../../world/mqtt/real-mqtt-client.ts';
import {
  BACKEND_ACCOUNT,
  BOX_ID,
  type EmbeddedMqttBroker,
  OTHER_BOX_ID,
  secrets,
  startEmbeddedMqtt,
} from '../support/mqtt/embedded-mqtt-broker.ts';
import { type MosquittoSub, runProgram, startMosquittoSub } from '../support/mqtt/mosquitto-clients.ts';
import { mosquitto, waitUntil, withService } from '../support/run/external-services.ts';

/**
 * Clients that are not ours try what they must not. Exit codes are those of MQTT's CONNACK (3.2.2.3) or Mosquitto's.
 */
await withService(mosquitto, ({ publisher, subscriber }) => {
  describe('attacks on the embedded MQTT broker', () => {
    let broker: EmbeddedMqttBroker;
    let backend: MqttSession;
    let heard: string[];
    let listening: MosquittoSub[];

    beforeEach(async () => {
      broker = await startEmbeddedMqtt();
      heard = [];
      listening = [];
      backend = await open(BACKEND_ACCOUNT, 'backend-1');
      await backend.subscribe('boxes/+/+/up');
      await backend.subscribe('boxes/+/+/presence');
    });
    afterEach(async () => {
      for (const each of listening) await each.stop();
      backend.drop();
      await broker.close();
    });

    const open = (account: { username: string; password: string }, clientId: string) =>
      realMqttClient({ url: broker.url }).open(
        { ...account, clientId, clean: true, keepAliveS: 60, connectTimeoutMs: 5_000 },
        {
          message(topic, payload, _retained, acknowledge) {
            heard.push(`${topic} ${new TextDecoder().decode(payload.subarray(0, 40))}`);
            acknowledge();
          },
          closed: () => undefined,
        },
      );

    const as = (
      username: string,
      clientId = username,
      password = secrets[username] ?? BACKEND_ACCOUNT.password,
    ) => [
      ...['-h', '127.0.0.1', '-p', String(broker.port), '-V', 'mqttv311', '-q', '1'],
      ...['-u', username, '-P', password, '-i', clientId],
    ];
    const publish = (who: readonly string[], topic: string, ...more: string[]) =>
      runProgram(publisher, [...who, '-t', topic, '-m', 'x', ...more]);
    async function subscribe(who: readonly string[], ...filters: string[]) {
      const topics = filters.flatMap((filter) => ['-t', filter]);
      const each = await startMosquittoSub(subscriber, [...who, ...topics, '-F', 'MSG %t %p']);
      listening.push(each);
      return each;
    }
    /** The broker still works: a valid message is delivered, after anything that was published before it. */
    async function stillServes() {
      const before = heard.length;
      expect((await publish(as(OTHER_BOX_ID), topics.up(OTHER_BOX_ID))).code).toBe(0);
      await waitUntil(() => heard.length > before && heard.at(-1) === `${topics.up(OTHER_BOX_ID)} x`);
      return heard.slice(0, -1);
    }

    test('a box with its own id, secret and topics works', async () => {
      expect((await publish(as(BOX_ID), topics.up(BOX_ID))).code).toBe(0);
      await waitUntil(() => heard.length === 1);
      expect(heard).toEqual([`${topics.up(BOX_ID)} x`]);
      const own = await subscribe(as(BOX_ID), topics.down(BOX_ID));
      await backend.publish({ topic: topics.down(BOX_ID), payload: Buffer.from('go'), retain: false });
      await waitUntil(() => own.lines().length === 1);
      expect(own.lines()).toEqual([`MSG ${topics.down(BOX_ID)} go`]);
    });

    test.each([
      ['a wrong secret', [BOX_ID, BOX_ID, 'guess']],
      ['the secret of another box', [BOX_ID, BOX_ID, secrets[OTHER_BOX_ID] ?? '']],
      ['a box that does not exist', ['00000000000000ff', '00000000000000ff', 'x']],
      ['a name that is no box', ['admin', 'admin', 'admin']],
      ['a wrong password of the backend', ['backend', 'backend-9', 'guess']],
      ['a name with a wildcard', ['+', '+', 'x']],
    ] as const)('%s does not come in', async (_what, [username, clientId, password]) => {
      const outcome = await publish(as(username, clientId, password), topics.up(BOX_ID));
      expect(outcome.err).toMatch(/bad user name or password/i);
      expect(outcome.code).not.toBe(0);
      expect(await stillServes()).toEqual([]);
    });

    test('a client without a user name is refused', async () => {
      const anonymous = ['-h', '127.0.0.1', '-p', String(broker.port), '-i', BOX_ID];
      expect((await runProgram(publisher, [...anonymous, '-t', topics.up(BOX_ID), '-m', 'x'])).code).not.toBe(
        0,
      );
      expect(await stillServes()).toEqual([]);
    });

    test('failed sign-ins are logged once for each id, without the password', async () => {
      for (let attempt = 0; attempt < 3; attempt++)
        await publish(as(BOX_ID, BOX_ID, 'geheim'), topics.up(BOX_ID));
      const refused = broker.lines.filter((line) => line.includes('sign-in'));
      expect(refused).toHaveLength(1);
      expect(refused[0]).toContain(BOX_ID);
      expect(broker.lines.join('')).not.toContain('geheim');
    });

    test.each([
      ['up of another box', topics.up(OTHER_BOX_ID)],
      ['presence of another box', topics.presence(OTHER_BOX_ID)],
      ['down of another box', topics.down(OTHER_BOX_ID)],
      ['down of its own', topics.down(BOX_ID)],
      ['a topic below its own', `${topics.up(BOX_ID)}/more`],
      ['a topic of its own making', topics.up(BOX_ID).replace('up', 'firmware')],
      ['a topic elsewhere', 'up'],
      ['the system topics', '$SYS/broker/heartbeat'],
    ])('a box that publishes on %s is cut off, and nobody hears it', async (_what, topic) => {
      const spy = await subscribe(as(OTHER_BOX_ID), topics.down(OTHER_BOX_ID));
      expect((await publish(as(BOX_ID), topic)).code).not.toBe(0);
      const later = await runProgram(publisher, [
        ...as('backend', 'backend-2'),
        '-t',
        topics.down(OTHER_BOX_ID),
        '-m',
        'end',
      ]);
      expect(later.code).toBe(0);
      await waitUntil(() => spy.lines().length > 0);
      expect(spy.lines()).toEqual([`MSG ${topics.down(OTHER_BOX_ID)} end`]);
      expect(heard).toEqual([]);
    });

    test.each([
      'boxes/+/+/down',
      'boxes/#',
      '#',
      '+/+/+',
      '$SYS/#',
      topics.down(OTHER_BOX_ID),
      topics.up(OTHER_BOX_ID),
      topics.down(BOX_ID).replace('down', '#'),
      topics.down(BOX_ID).replace('down', '+'),
      `boxes/+/${BOX_ID}/down`,
      topics.up(BOX_ID),
      '$share/group/boxes/+/+/down',
    ])('a box that subscribes %s hears nothing', async (filter) => {
      const spy = await subscribe(as(BOX_ID), filter, topics.down(BOX_ID));
      const good = { payload: Buffer.from('to another'), retain: false };
      await backend.publish({ topic: topics.down(OTHER_BOX_ID), ...good });
      await publish(as(OTHER_BOX_ID), topics.up(OTHER_BOX_ID));
      await backend.publish({ topic: topics.down(BOX_ID), payload: Buffer.from('own'), retain: false });
      await waitUntil(() => spy.lines().length > 0);
      expect(spy.lines()).toEqual([`MSG ${topics.down(BOX_ID)} own`]);
      // The refused filter has its 0x80 (128) in the SUBACK, the good one its QoS 1.
      expect(spy.complaints()).toContain('Subscribed (mid: 1): 128, 1');
    });

    test('a retained report or command is refused', async () => {
      expect((await publish(as(BOX_ID), topics.up(BOX_ID), '-r')).code).not.toBe(0);
      expect((await publish(as('backend', 'backend-2'), topics.down(BOX_ID), '-r')).code).not.toBe(0);
      expect((await publish(as(BOX_ID), topics.presence(BOX_ID), '-r')).code).toBe(0);
    });

    test.each([
      ['another box', topics.presence(OTHER_BOX_ID)],
      ['its own commands', topics.down(BOX_ID)],
      ['elsewhere', 'news'],
    ])('a will on %s is refused at the CONNECT', async (_what, topic) => {
      const will = ['--will-topic', topic, '--will-payload', 'gone', '--will-qos', '1'];
      expect((await publish(as(BOX_ID), topics.up(BOX_ID), ...will)).err).toMatch(/not authori[sz]ed/i);
      expect(await stillServes()).toEqual([]);
    });

    test('no client takes over the session of another: neither a box, nor an unknown client, nor the account of the backend', async () => {
      const victim = await subscribe(as(OTHER_BOX_ID), topics.down(OTHER_BOX_ID));
      for (const who of [
        as(BOX_ID, OTHER_BOX_ID),
        as(OTHER_BOX_ID, OTHER_BOX_ID, 'guess'),
        as('backend', OTHER_BOX_ID),
      ]) {
        expect((await publish(who, topics.up(BOX_ID))).code).not.toBe(0);
      }
      await backend.publish({
        topic: topics.down(OTHER_BOX_ID),
        payload: Buffer.from('here?'),
        retain: false,
      });
      await waitUntil(() => victim.lines().length === 1);
      expect(victim.isOver()).toBe(false);
      const asBackend = await publish(as(BOX_ID, 'backend-1'), topics.up(BOX_ID));
      expect(asBackend.code).not.toBe(0);
      expect(await stillServes()).toEqual([]);
    });

    test('a client id that is too long is refused', async () => {
      const outcome = await publish(
        as('backend', 'b'.repeat(limits.mqtt.clientIdLength + 1)),
        topics.down(BOX_ID),
      );
      expect(outcome.err).toMatch(/identifier rejected/i);
      expect((await publish(as(BOX_ID, 'x'.repeat(5_000)), topics.up(BOX_ID))).code).not.toBe(0);
      // Beyond the bound of a first packet the connection just ends.
      expect((await publish(as(BOX_ID, 'x'.repeat(60_000)), topics.up(BOX_ID))).code).not.toBe(0);
      expect(await stillServes()).toEqual([]);
    });

    test('the largest payload of the wire passes, a larger packet ends the connection', async () => {
      const largest = await runProgram(
        publisher,
        [...as(BOX_ID), '-t', topics.up(BOX_ID), '-s'],
        new Uint8Array(wireLimits.payloadBytes).fill(0x61),
      );
      expect(largest.code).toBe(0);
      await waitUntil(() => heard.length === 1);
      for (const size of [limits.mqtt.packetBytes + 1, 20_000_000]) {
        const huge = await runProgram(
          publisher,
          [...as(BOX_ID), '-t', topics.up(BOX_ID), '-s'],
          new Uint8Array(size).fill(0x61),
        );
        expect(huge.code).not.toBe(0);
      }
      expect(await stillServes()).toHaveLength(1);
    });

    test('a topic of very many levels ends the connection', async () => {
      expect((await publish(as(BOX_ID), `${topics.up(BOX_ID)}${'/x'.repeat(150)}`)).code).not.toBe(0);
      const box = await open({ username: BOX_ID, password: secrets[BOX_ID] ?? '' }, BOX_ID);
      await expect(box.subscribe(`${topics.down(BOX_ID)}${'/+'.repeat(150)}`)).rejects.toBeInstanceOf(
        MqttConnectionLost,
      );
      expect(await stillServes()).toEqual([]);
    });

    test('the account of the backend can receive and publish only on its topics', async () => {
      const up = await subscribe(as('backend', 'backend-2'), 'boxes/+/+/up', '#', 'boxes/+/+/down');
      await backend.publish({ topic: topics.down(BOX_ID), payload: Buffer.from('cmd'), retain: false });
      await publish(as(BOX_ID), topics.up(BOX_ID));
      await waitUntil(() => up.lines().length > 0);
      expect(up.lines()).toEqual([`MSG ${topics.up(BOX_ID)} x`]);
      expect((await publish(as('backend', 'backend-3'), topics.up(BOX_ID))).code).not.toBe(0);
      expect((await publish(as('backend', 'backend-3'), topics.presence(BOX_ID))).code).not.toBe(0);
    });
  });
});
