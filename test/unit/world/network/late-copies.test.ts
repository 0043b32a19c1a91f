import { expect, test } from 'vitest';
import type { PassingPacket } from '../../../../world/network-faults/conditions.ts';
import { LateCopies } from '../../../../world/network-faults/late-copies.ts';
import { sleep } from '../../../../world/time/time.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';
import { connectClient, publication } from '../../../support/mqtt/virtual-mqtt-client.ts';

const LATE_MS = 5_000;

/** A backend and a box, whose first PUBLISH of that direction arrives once more. */
async function withPair(
  direction: PassingPacket['direction'],
  body: (pair: Awaited<ReturnType<typeof pairOf>>) => Promise<void>,
): Promise<void> {
  const world = openVirtualWorld({ seed: 3, network: { minDelayMs: 10, maxDelayMs: 10, jitterMs: 0 } });
  await world.run(async () => body(await pairOf(world, direction)));
}

async function pairOf(world: ReturnType<typeof openVirtualWorld>, direction: PassingPacket['direction']) {
  const backend = await connectClient(world, 'backend');
  await backend.session.subscribe('up');
  const enter = async () => {
    const box = await connectClient(world, 'box');
    await box.session.subscribe('down');
    return box;
  };
  const box = await enter();
  const pubacks: string[] = [];
  world.networkFaults.addPacketFault('box', {
    matches: ({ kind, direction: way }) => {
      if (kind === 'PUBACK') pubacks.push(way);
      return false;
    },
    count: 1,
    act: { kind: 'lose' },
  });
  world.networkFaults.addPacketFault('box', {
    matches: (passing) => passing.kind === 'PUBLISH' && passing.direction === direction,
    count: 1,
    act: { kind: 'double', byMs: LATE_MS },
  });
  return { world, backend, box, enter, pubacks };
}

test('a late copy arrives after its time, and has no PUBACK in either direction', async () => {
  await withPair('up', async ({ world, backend, box, pubacks }) => {
    await box.session.publish(publication('a'));
    await box.session.publish(publication('b'));
    await sleep(world.time, LATE_MS - 100);
    expect(backend.texts).toEqual(['a', 'b']);
    await sleep(world.time, 200);
    expect(backend.texts).toEqual(['a', 'b', 'a']);
    expect(pubacks).toEqual(['down', 'down']);
    await box.session.publish(publication('c'));
  });
  await withPair('down', async ({ world, backend, box, pubacks }) => {
    await backend.session.publish(publication('a', 'down'));
    await backend.session.publish(publication('b', 'down'));
    await sleep(world.time, LATE_MS + 100);
    expect(box.texts).toEqual(['a', 'b', 'a']);
    expect(pubacks).toEqual(['up', 'up']);
  });
});

test('a late copy whose connection has ended comes behind the next message of its direction on the next one', async () => {
  await withPair('up', async ({ world, backend, box, enter }) => {
    await box.session.publish(publication('a'));
    world.networkFaults.cut('box');
    const again = await enter();
    await backend.session.publish(publication('x', 'down'));
    await sleep(world.time, 2 * LATE_MS);
    expect(backend.texts).toEqual(['a']);
    for (const text of ['b', 'c']) await again.session.publish(publication(text));
    await sleep(world.time, 100);
    expect(backend.texts).toEqual(['a', 'b', 'a', 'c']);
    expect(again.texts).toEqual(['x']);
  });
  await withPair('down', async ({ world, backend, box, enter }) => {
    await backend.session.publish(publication('a', 'down'));
    await sleep(world.time, 100);
    expect(box.texts).toEqual(['a']);
    box.session.drop();
    await sleep(world.time, 2 * LATE_MS);
    const again = await enter();
    for (const text of ['b', 'c']) await backend.session.publish(publication(text, 'down'));
    await sleep(world.time, 100);
    expect(again.texts).toEqual(['b', 'a', 'c']);
  });
});

test('a late copy that is due on a half-open connection waits for a later one', () =>
  withPair('up', async ({ world, backend, box, enter }) => {
    await box.session.publish(publication('a'));
    await sleep(world.time, 100);
    const over = world.networkFaults.apply('half_open', 'box', {});
    await sleep(world.time, LATE_MS + 100);
    over();
    world.networkFaults.cut('box');
    const again = await enter();
    await again.session.publish(publication('b'));
    await sleep(world.time, 100);
    expect(backend.texts).toEqual(['a', 'b', 'a']);
  }));

test('a broker sends on with QoS 0 what it got so, and keeps nothing of it for a session that is away', () =>
  withPair('up', async ({ world, backend, box }) => {
    await box.session.publish(publication('a'));
    await sleep(world.time, 100);
    world.networkFaults.cut('backend');
    await sleep(world.time, LATE_MS + 100);
    expect(backend.texts).toEqual(['a']);
    expect(world.mqttBroker.backlog('backend')).toEqual({ waiting: 0, dropped: 0 });
  }));

test('copies are taken by direction, in their order, and once', () => {
  const copies = new LateCopies<string>();
  expect(copies.take('up')).toEqual([]);
  copies.wait('up', 'a');
  copies.wait('down', 'b');
  copies.wait('up', 'c');
  expect(copies.take('up')).toEqual(['a', 'c']);
  expect(copies.take('up')).toEqual([]);
  expect(copies.isEmpty).toBe(false);
  expect(copies.take('down')).toEqual(['b']);
  expect(copies.isEmpty).toBe(true);
});
