import { describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { limits } from '../../../../backend/base/limits.ts';
import {
  EVERY_BOX,
  type MqttConnectionParts,
  startMqttConnection,
} from '../../../../backend/ingest/mqtt-connection.ts';
import { topics } from '../../../../protocol/topics.ts';
import { type MqttClient, MqttRefused, type MqttSession } from '../../../../world/mqtt/mqtt-client.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';

/** The broker, which does not allow these topics and filters. */
function refusing(mqtt: MqttClient, ...refused: readonly string[]): MqttClient {
  const guarded =
    <Message extends string | { readonly topic: string }>(carryOut: (message: Message) => Promise<void>) =>
    (message: Message): Promise<void> =>
      refused.includes(typeof message === 'string' ? message : message.topic)
        ? Promise.reject(new MqttRefused('This is not allowed.'))
        : carryOut(message);
  return {
    async open(options, events): Promise<MqttSession> {
      const session = await mqtt.open(options, events);
      return {
        present: session.present,
        subscribe: guarded((filter: string) => session.subscribe(filter)),
        publish: guarded((message: Parameters<MqttSession['publish']>[0]) => session.publish(message)),
        end: () => session.end(),
        drop: () => session.drop(),
      };
    },
  };
}

function connect(
  world: VirtualWorld,
  more: Partial<MqttConnectionParts> = {},
  refused: readonly string[] = [],
) {
  const instance = world.instance('backend');
  const heard: string[] = [];
  const connection = startMqttConnection({
    world: { ...instance, mqtt: refusing(instance.mqtt, ...refused) },
    counters: makeCounters(),
    filters: EVERY_BOX,
    account: { clientId: 'backend', username: 'backend', password: 'secret' },
    message: (topic, payload, _retained, acknowledge) => {
      // What it clears comes back to it, empty.
      if (payload.byteLength > 0) heard.push(topic);
      acknowledge();
    },
    lost: () => undefined,
    ...more,
  });
  return { connection, heard };
}

/** A session of somebody else, and the topics that it hears. */
async function onlooker(world: VirtualWorld) {
  const heard: string[] = [];
  const session = await world.run(() =>
    world.mqtt.open(
      {
        clientId: 'onlooker',
        username: 'backend',
        password: 'secret',
        clean: true,
        keepAliveS: 30,
        connectTimeoutMs: 5_000,
      },
      {
        message: (topic, _payload, _retained, acknowledge) => {
          heard.push(topic);
          acknowledge();
        },
        closed: () => undefined,
      },
    ),
  );
  return { session, heard };
}

const FORMER_PRESENCE = topics.everyFormerPresence.replace('+', '0f3a000000000001');

describe('the MQTT connection of a backend', () => {
  test('does without what a broker may refuse, and does not open without the rest', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const without = connect(world, {}, [topics.everyFormerPresence]);
    await world.runFor(5_000);
    expect(without.connection.isOpen()).toBe(true);
    without.connection.sever();
    const refused = connect(world, {}, [topics.everyUp]);
    await world.runFor(5_000);
    expect(refused.connection.isOpen()).toBe(false);
    refused.connection.sever();
  });

  test('uses a broker that does not tell whose it is', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const { connection } = connect(world, { installationId: 'INSTALL1' }, [topics.installation]);
    await world.runFor(5_000);
    expect(connection.isOpen()).toBe(true);
    connection.sever();
  });

  test('is open once whoever needs its subscriptions has been told', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const told = Promise.withResolvers<void>();
    const { connection } = connect(world, { subscribed: () => told.promise });
    await world.runFor(5_000);
    expect(connection.isOpen()).toBe(false);
    told.resolve();
    await world.runFor(1_000);
    expect(connection.isOpen()).toBe(true);
    connection.sever();
  });

  test('is over where the session turns out to be that of another backend', async () => {
    const world = openVirtualWorld({ seed: 1 });
    let asked = 0;
    const { connection } = connect(world, {
      begin: () => {
        asked += 1;
        return Promise.resolve(undefined);
      },
    });
    await world.runFor(600_000);
    expect(connection.isOpen()).toBe(false);
    expect(asked).toBe(1);
  });

  test('takes presence from where it was before there were partitions', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const { session } = await onlooker(world);
    await world.run(() =>
      session.publish({ topic: FORMER_PRESENCE, payload: Uint8Array.of(1), retain: true }),
    );
    const { connection, heard } = connect(world);
    await world.runFor(5_000);
    expect(heard).toEqual([]);
    connection.sever();
    const after = await onlooker(world);
    await world.run(() => after.session.subscribe(topics.everyFormerPresence));
    await world.runFor(1_000);
    expect(after.heard).toEqual([]);
  });

  test('passes nothing on once it is severed', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const { connection, heard } = connect(world);
    const { session } = await onlooker(world);
    await world.runFor(5_000);
    await world.run(() => {
      const sent = session.publish({
        topic: topics.up('0f3a000000000001'),
        payload: Uint8Array.of(1),
        retain: false,
      });
      connection.sever();
      return sent;
    });
    await world.runFor(5_000);
    expect(heard).toEqual([]);
  });

  test.each(['cut', 'severed'] as const)(
    'is not open where it was %s before its subscriptions were told',
    async (how) => {
      const world = openVirtualWorld({ seed: 1 });
      const told = Promise.withResolvers<void>();
      const counters = makeCounters();
      const { connection } = connect(world, { counters, subscribed: () => told.promise });
      await world.runFor(5_000);
      if (how === 'cut') world.networkFaults.cut('backend');
      else connection.sever();
      await world.runFor(10);
      told.resolve();
      await world.runFor(10);
      expect(connection.isOpen()).toBe(false);
      expect(counters.read()['uplink.opened']).toBeUndefined();
      await world.runFor(5_000);
      expect(connection.isOpen()).toBe(how === 'cut');
      connection.sever();
    },
  );

  test('is back soon when it is lost again, however long the broker was away before', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const { connection } = connect(world);
    await world.runFor(5_000);
    world.mqttBroker.setDown(true);
    await world.runFor(10 * 60_000);
    world.mqttBroker.setDown(false);
    await world.runFor(limits.lastBackoffMs + 5_000);
    world.networkFaults.cut('backend');
    await world.runFor(100);
    expect(connection.isOpen()).toBe(false);
    await world.runFor(limits.firstBackoffMs + 1_000);
    expect(connection.isOpen()).toBe(true);
    connection.sever();
  });

  test('takes what the broker sends in the same turn as its answer', async () => {
    const world = openVirtualWorld({ seed: 1 });
    let acknowledged = 0;
    const session: MqttSession = {
      present: true,
      publish: () => Promise.resolve(),
      subscribe: () => Promise.resolve(),
      end: () => Promise.resolve(),
      drop: () => undefined,
    };
    const mqtt: MqttClient = {
      open(_options, events) {
        const opened = Promise.withResolvers<MqttSession>();
        opened.resolve(session);
        events.message(topics.up('0f3a000000000001'), Uint8Array.of(1), false, () => {
          acknowledged += 1;
        });
        return opened.promise;
      },
    };
    const { connection, heard } = connect(world, { world: { ...world.instance('backend'), mqtt } });
    await world.runFor(1_000);
    expect(heard).toEqual([topics.up('0f3a000000000001')]);
    expect(acknowledged).toBe(1);
    expect(connection.isOpen()).toBe(true);
    connection.sever();
  });
});
