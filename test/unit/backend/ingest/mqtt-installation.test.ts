import { describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { EVERY_BOX, startMqttConnection } from '../../../../backend/ingest/mqtt-connection.ts';
import { topics } from '../../../../protocol/topics.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';

/** A backend of that installation, and what arrives of boxes. */
function connect(world: VirtualWorld, installationId: string, clientId: string) {
  const counters = makeCounters();
  const heard: string[] = [];
  const connection = startMqttConnection({
    world: world.instance(clientId),
    counters,
    filters: EVERY_BOX,
    installationId,
    account: { clientId, username: 'backend', password: 'secret' },
    message: (topic, _payload, _retained, acknowledge) => {
      heard.push(topic);
      acknowledge();
    },
    lost: () => undefined,
  });
  return { connection, counters, heard };
}

describe('the MQTT connection of an installation', () => {
  test('takes a broker that nobody has, also for further backends of the installation', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const one = connect(world, 'INSTALL1', 'one');
    await world.runFor(5_000);
    const other = connect(world, 'INSTALL1', 'other');
    await world.runFor(5_000);
    expect([one.connection.isOpen(), other.connection.isOpen()]).toEqual([true, true]);
    expect([one.heard, other.heard]).toEqual([[], []]);
  });

  test('does not use the broker of another installation, says whose it is, and does once it is free', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const one = connect(world, 'INSTALL1', 'one');
    await world.runFor(5_000);
    const other = connect(world, 'INSTALL2', 'other');
    await world.runFor(30_000);
    expect(other.connection.isOpen()).toBe(false);
    expect(other.counters.read()['uplink.refused']).toBeGreaterThan(0);
    expect(world.warnings.map(({ fields }) => JSON.stringify(fields)).join()).toContain('INSTALL1');
    await world.run(() => one.connection.stop());
    const session = await world.run(() =>
      world.mqtt.open(
        {
          clientId: 'admin',
          username: 'backend',
          password: 'secret',
          clean: true,
          keepAliveS: 30,
          connectTimeoutMs: 5_000,
        },
        { message: () => undefined, closed: () => undefined },
      ),
    );
    await world.run(() =>
      session.publish({ topic: topics.installation, payload: new Uint8Array(), retain: true }),
    );
    await world.runFor(60_000);
    expect(other.connection.isOpen()).toBe(true);
  });
});
