import { describe, expect, test, vi } from 'vitest';
import { topics } from '../../../protocol/topics.ts';
import { limits } from '../../../simulator/limits.ts';
import { Line, type LineEvents } from '../../../simulator/line.ts';
import { planFleet } from '../../../simulator/plan.ts';
import type { LinkEvents, Session } from '../../../world/link.ts';
import { openVirtualWorld } from '../../../world/virtual-world.ts';

/** A line over a link that only writes down what is asked of it. */
async function stage(delayMs?: { readonly up: number; readonly down: number }) {
  const world = openVirtualWorld({ seed: 1 });
  const [plan] = planFleet(world.random, 1);
  if (plan === undefined) throw new Error('no plan');
  const asked: string[] = [];
  const beganMs = world.time.nowMs();
  const note = (what: string) => asked.push(`${world.time.nowMs() - beganMs} ${what}`);
  let outside: LinkEvents | undefined;
  const session: Session = {
    present: false,
    publish: async ({ topic }) => void note(`publish ${topic}`),
    subscribe: async (filter) => void note(`subscribe ${filter}`),
    end: async () => void note('end'),
    drop: () => void note('drop'),
  };
  const open = async (_options: unknown, events: LinkEvents) => {
    outside = events;
    return session;
  };
  const events: LineEvents = {
    opened: vi.fn(),
    subscribed: vi.fn(),
    acknowledged: vi.fn(),
    received: vi.fn(),
    closed: vi.fn(),
  };
  const { time, trace } = world;
  const will = { topic: 'will', payload: new Uint8Array(0), retain: true };
  const road = delayMs && { upMs: () => delayMs.up, downMs: () => delayMs.down };
  const line = new Line(plan, { time, trace, link: { open } }, will, events, road);
  await world.pass(1);
  const send = (acknowledge: () => void) =>
    outside?.message(topics.down(plan.boxId), new Uint8Array(1), false, acknowledge);
  const publish = (topic: string) => line.publish(1, { topic, payload: new Uint8Array(1), retain: false });
  return { world, line, asked, events, send, publish, closed: () => outside?.closed('taken over') };
}

describe('a line', () => {
  test('that has fallen silent acknowledges nothing, and is dropped when the keep-alive is missed', async () => {
    const { world, line, asked, events, send } = await stage();
    await world.pass(10_000);
    line.end('silence');
    const acknowledge = vi.fn();
    send(acknowledge);
    await world.pass(limits.keepAliveS * 1_500 - 10_002);
    expect(acknowledge).not.toHaveBeenCalled();
    expect(events.received).not.toHaveBeenCalled();
    expect(asked).toEqual([]);
    await world.pass(1_000);
    expect(asked.map((one) => one.split(' ')[1])).toEqual(['drop']);
    expect(events.closed).not.toHaveBeenCalled();
  });

  test('that has fallen silent, and is taken over by the next one, is let be', async () => {
    const { world, line, asked, closed } = await stage();
    line.end('silence');
    closed();
    await world.pass(200_000);
    expect(asked).toEqual([]);
  });

  test('sends later on a road, in its order, and its goodbye behind all of it', async () => {
    const { world, line, asked, publish } = await stage({ up: 200, down: 300 });
    publish('one');
    await world.pass(50);
    publish('two');
    line.end('goodbye');
    await world.pass(1_000);
    expect(asked.map((one) => one.split(' ').slice(1).join(' '))).toEqual([
      'publish one',
      'publish two',
      'end',
    ]);
    expect(Number(asked[0]?.split(' ')[0])).toBeGreaterThanOrEqual(200);
  });

  test('hands over later on a road what has come, and nothing once the box has dropped it', async () => {
    const { world, line, asked, events, send, publish } = await stage({ up: 200, down: 300 });
    send(vi.fn());
    await world.pass(299);
    expect(events.received).not.toHaveBeenCalled();
    await world.pass(1);
    expect(events.received).toHaveBeenCalledTimes(1);
    send(vi.fn());
    publish('late');
    line.end('drop');
    await world.pass(1_000);
    expect(events.received).toHaveBeenCalledTimes(1);
    expect(asked.map((one) => one.split(' ')[1])).toEqual(['drop']);
  });
});
