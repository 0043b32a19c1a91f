import { describe, expect, test, vi } from 'vitest';
import { topics } from '../../../../protocol/topics.ts';
import {
  BrokerConnection,
  type BrokerConnectionEvents,
} from '../../../../simulator/box/broker-connection.ts';
import { planFleet } from '../../../../simulator/fleet/fleet-plan.ts';
import { limits } from '../../../../simulator/limits.ts';
import type { MqttSession, MqttSessionEvents } from '../../../../world/mqtt/mqtt-client.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';

/** A line over a link that only writes down what is asked of it. */
async function stage(delayMs?: { readonly up: number; readonly down: number }) {
  const world = openVirtualWorld({ seed: 1 });
  const [plan] = planFleet(world.random, 1);
  if (plan === undefined) throw new Error('no plan');
  const asked: string[] = [];
  const beganMs = world.time.nowMs();
  const note = (what: string) => asked.push(`${world.time.nowMs() - beganMs} ${what}`);
  let outside: MqttSessionEvents | undefined;
  const session: MqttSession = {
    present: false,
    publish: async ({ topic }) => void note(`publish ${topic}`),
    subscribe: async (filter) => void note(`subscribe ${filter}`),
    end: async () => void note('end'),
    drop: () => void note('drop'),
  };
  const open = async (_options: unknown, events: MqttSessionEvents) => {
    outside = events;
    return session;
  };
  const events: BrokerConnectionEvents = {
    opened: vi.fn(),
    subscribed: vi.fn(),
    acknowledged: vi.fn(),
    received: vi.fn(),
    closed: vi.fn(),
  };
  const { time, trace } = world;
  const will = { topic: 'will', payload: new Uint8Array(0), retain: true };
  const road = delayMs && { uplinkDelayMs: () => delayMs.up, downlinkDelayMs: () => delayMs.down };
  const connection = new BrokerConnection(plan, { time, trace, mqtt: { open } }, will, events, road);
  await world.runFor(1);
  const send = (acknowledge: () => void) =>
    outside?.message(topics.down(plan.boxId), new Uint8Array(1), false, acknowledge);
  const publish = (topic: string) =>
    connection.publish(1, { topic, payload: new Uint8Array(1), retain: false });
  return {
    world,
    line: connection,
    asked,
    events,
    send,
    publish,
    closed: () => outside?.closed('taken over'),
  };
}

describe('a broker connection', () => {
  test('that is half-open acknowledges nothing, and is dropped when the keep-alive is missed', async () => {
    const { world, line: connection, asked, events, send } = await stage();
    await world.runFor(10_000);
    connection.end('silence');
    const acknowledge = vi.fn();
    send(acknowledge);
    await world.runFor(limits.keepAliveS * 1_500 - 10_002);
    expect(acknowledge).not.toHaveBeenCalled();
    expect(events.received).not.toHaveBeenCalled();
    expect(asked).toEqual([]);
    await world.runFor(1_000);
    expect(asked.map((one) => one.split(' ')[1])).toEqual(['drop']);
    expect(events.closed).not.toHaveBeenCalled();
  });

  test('that is half-open and taken over by the next one is left alone', async () => {
    const { world, line: connection, asked, closed } = await stage();
    connection.end('silence');
    closed();
    await world.runFor(200_000);
    expect(asked).toEqual([]);
  });

  test('delays frames with the road radio, in order, and its DISCONNECT after all of them', async () => {
    const { world, line: connection, asked, publish } = await stage({ up: 200, down: 300 });
    publish('one');
    await world.runFor(50);
    publish('two');
    connection.end('goodbye');
    await world.runFor(1_000);
    expect(asked.map((one) => one.split(' ').slice(1).join(' '))).toEqual([
      'publish one',
      'publish two',
      'end',
    ]);
    expect(Number(asked[0]?.split(' ')[0])).toBeGreaterThanOrEqual(200);
  });

  test('delivers frames late with the road radio, and none once the box has dropped it', async () => {
    const { world, line: connection, asked, events, send, publish } = await stage({ up: 200, down: 300 });
    send(vi.fn());
    await world.runFor(299);
    expect(events.received).not.toHaveBeenCalled();
    await world.runFor(1);
    expect(events.received).toHaveBeenCalledTimes(1);
    send(vi.fn());
    publish('late');
    connection.end('drop');
    await world.runFor(1_000);
    expect(events.received).toHaveBeenCalledTimes(1);
    expect(asked.map((one) => one.split(' ')[1])).toEqual(['drop']);
  });
});
