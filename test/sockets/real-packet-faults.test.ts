import { afterEach, expect, test } from 'vitest';
import { topics } from '../../protocol/topics.ts';
import type { MqttSession } from '../../world/mqtt/mqtt-client.ts';
import { clientIdOf } from '../../world/mqtt/mqtt-client-id.ts';
import { realMqttClient } from '../../world/mqtt/real-mqtt-client.ts';
import { RealNetworkFaults } from '../../world/network/real-network-faults.ts';
import { startRealProxy } from '../../world/network/real-proxy.ts';
import type { PacketFaultAction, PassingPacket } from '../../world/network-faults/conditions.ts';
import { BACKEND_ACCOUNT, BOX_ID, secrets, startEmbeddedMqtt } from '../support/mqtt/embedded-mqtt-broker.ts';
import { publication, text } from '../support/mqtt/mqtt-contract-parts.ts';

const UP = topics.up(BOX_ID);
const DOWN = topics.down(BOX_ID);
const closings: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

function qos0Packet(topic: string, words: string): Buffer {
  const name = Buffer.from(topic);
  const header = [0x30, 2 + name.byteLength + words.length, 0, name.byteLength];
  return Buffer.concat([Buffer.from(header), name, Buffer.from(words)]);
}

/** A box behind a proxy with faults, and a backend beside it, at the embedded broker. */
async function stage(clean = true) {
  const broker = await startEmbeddedMqtt();
  closings.push(() => broker.close());
  const networkFaults = new RealNetworkFaults(() => undefined);
  const proxy = await startRealProxy({
    to: () => ({ host: '127.0.0.1', port: broker.port }),
    nameOf: clientIdOf,
    conditionsOf: (name) => networkFaults.conditionsOf(name),
    packetFaultsOf: (name) => networkFaults.packetFaultsOf(name),
    lateCopiesOf: (name) => networkFaults.lateCopiesOf(name),
    draw: () => 0.5,
  });
  closings.push(() => proxy.close());
  networkFaults.attach(proxy);
  const common = { keepAliveS: 60, connectTimeoutMs: 5_000 };
  const open = async (url: string, account: object, isClean: boolean) => {
    const heard: string[] = [];
    const closed = Promise.withResolvers<string>();
    const session: MqttSession = await realMqttClient({ url }).open(
      { ...common, ...(account as typeof BACKEND_ACCOUNT), clientId: 'backend', ...account, clean: isClean },
      {
        message(_topic, payload, _retained, acknowledge) {
          heard.push(text(payload));
          acknowledge();
        },
        closed: closed.resolve,
      },
    );
    closings.push(() => session.drop());
    return { session, heard, closed: closed.promise };
  };
  const enter = () =>
    open(
      `mqtt://127.0.0.1:${proxy.port}`,
      { clientId: BOX_ID, username: BOX_ID, password: secrets[BOX_ID] },
      clean,
    );
  const backend = await open(broker.url, BACKEND_ACCOUNT, true);
  await backend.session.subscribe('boxes/+/+/up');
  const box = await enter();
  await box.session.subscribe(DOWN);
  const pick = (act: PacketFaultAction, which: Partial<PassingPacket>, count = 1) =>
    networkFaults.addPacketFault(BOX_ID, {
      matches: ({ kind, direction }) => kind === which.kind && direction === which.direction,
      count,
      act,
    });
  return { backend, box, enter, pick, lateCopies: networkFaults.lateCopiesOf(BOX_ID) };
}

const until = (what: () => readonly string[], wanted: readonly string[]) =>
  expect.poll(what, { timeout: 20_000, interval: 10 }).toEqual(wanted);

test('a message is lost by itself, and its connection stays', async () => {
  const { backend, box, pick } = await stage();
  pick({ kind: 'lose' }, { kind: 'PUBLISH', direction: 'up' });
  box.session.publish(publication(UP, 'a')).catch(() => undefined);
  await box.session.publish(publication(UP, 'b'));
  await until(() => backend.heard, ['b']);
});

test('a PUBACK is lost with its connection, and its message has arrived', async () => {
  const { backend, box, pick } = await stage();
  pick({ kind: 'lose-and-cut' }, { kind: 'PUBACK', direction: 'down' });
  await expect(box.session.publish(publication(UP, 'a'))).rejects.toThrow();
  await box.closed;
  await until(() => backend.heard, ['a']);
});

test('a message is late, and what was sent after it passes it', async () => {
  const { backend, box, pick } = await stage();
  pick({ kind: 'delay', byMs: 100 }, { kind: 'PUBLISH', direction: 'up' });
  await Promise.all(['a', 'b'].map((words) => box.session.publish(publication(UP, words))));
  await until(() => backend.heard, ['b', 'a']);
});

test('a message arrives twice in either direction, and its publisher is answered once', async () => {
  const { backend, box, pick } = await stage();
  pick({ kind: 'double' }, { kind: 'PUBLISH', direction: 'up' });
  pick({ kind: 'double' }, { kind: 'PUBLISH', direction: 'down' });
  await Promise.all(['a', 'b'].map((words) => box.session.publish(publication(UP, words))));
  await backend.session.publish(publication(DOWN, 'x'));
  await backend.session.publish(publication(DOWN, 'y'));
  await until(() => backend.heard, ['a', 'a', 'b']);
  await until(() => box.heard, ['x', 'x', 'y']);
});

test('the second copy of a message is late, in either direction', async () => {
  const { backend, box, pick } = await stage();
  pick({ kind: 'double', byMs: 100 }, { kind: 'PUBLISH', direction: 'up' });
  pick({ kind: 'double', byMs: 100 }, { kind: 'PUBLISH', direction: 'down' });
  await Promise.all(['a', 'b'].map((words) => box.session.publish(publication(UP, words))));
  await backend.session.publish(publication(DOWN, 'x'));
  await backend.session.publish(publication(DOWN, 'y'));
  await until(() => backend.heard, ['a', 'b', 'a']);
  await until(() => box.heard, ['x', 'y', 'x']);
  await box.session.publish(publication(UP, 'c'));
  await until(() => backend.heard, ['a', 'b', 'a', 'c']);
});

test.each([true, false])(
  'copies that wait come behind the next message of their direction, in a clean session: %s',
  async (clean) => {
    const { backend, box, enter, lateCopies } = await stage(clean);
    box.session.drop();
    await box.closed;
    for (const [direction, topic] of [
      ['up', UP],
      ['down', DOWN],
    ] as const)
      lateCopies.wait(direction, qos0Packet(topic, 'late'));
    const again = await enter();
    await again.session.subscribe(DOWN);
    await again.session.publish(publication(UP, 'a'));
    await again.session.publish(publication(UP, 'b'));
    // The embedded broker does not keep the order of messages with different QoS.
    await until(() => backend.heard.toSorted(), ['a', 'b', 'late']);
    await backend.session.publish(publication(DOWN, 'x'));
    await backend.session.publish(publication(DOWN, 'y'));
    await until(() => again.heard, ['x', 'late', 'y']);
  },
);

test('a message is overtaken by the next one, or goes on alone after its time', async () => {
  const { backend, box, pick } = await stage();
  let overtaken = 0;
  const act = (withinMs: number): PacketFaultAction => ({
    kind: 'reorder',
    withinMs,
    overtaken: () => {
      overtaken += 1;
    },
  });
  pick(act(60_000), { kind: 'PUBLISH', direction: 'up' });
  await Promise.all(['a', 'b'].map((words) => box.session.publish(publication(UP, words))));
  await until(() => backend.heard, ['b', 'a']);
  expect(overtaken).toBe(1);
  pick(act(20), { kind: 'PUBLISH', direction: 'up' });
  await box.session.publish(publication(UP, 'c'));
  await until(() => backend.heard, ['b', 'a', 'c']);
  expect(overtaken).toBe(1);
});

test('where a box with a persistent session loses its PUBACK with the connection, the frame comes again', async () => {
  const { backend, box, enter, pick } = await stage(false);
  pick({ kind: 'lose-and-cut' }, { kind: 'PUBACK', direction: 'up' });
  await backend.session.publish(publication(DOWN, 'x'));
  await box.closed;
  expect(box.heard).toEqual(['x']);
  const again = await enter();
  await until(() => again.heard, ['x']);
});

test('a fault that was removed has no further effect', async () => {
  const { backend, box, pick } = await stage();
  pick({ kind: 'lose' }, { kind: 'PUBLISH', direction: 'up' }, 5)();
  await box.session.publish(publication(UP, 'a'));
  await until(() => backend.heard, ['a']);
});
