import { describe, expect, test } from 'vitest';
import { limits } from '../../../../console/limits.ts';
import { MessageWatch } from '../../../../console/server/message-watch.ts';
import type { AmqpDelivery } from '../../../../world/amqp/amqp-consumer.ts';
import { VirtualLoop } from '../../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../../world/loop/virtual-process-scope.ts';
import { virtualTime } from '../../../../world/time/virtual-time.ts';

const delivery = (vehicleId: string): AmqpDelivery => ({
  queue: 'VehicleState_v1-console',
  exchange: 'x',
  routingKey: 'r',
  redelivered: false,
  properties: { messageId: vehicleId },
  headers: { 'Message-Type': 'service.VehicleStateUpdated' },
  body: new TextEncoder().encode(JSON.stringify({ data: { vehicle_id: vehicleId } })),
});

function stage() {
  const loop = new VirtualLoop();
  const time = virtualTime(loop, new ProcessScope('console'));
  let take: (one: AmqpDelivery) => void = () => undefined;
  const feed = { opened: 0, closed: 0 };
  const watch = new MessageWatch(time, {
    open(given) {
      feed.opened += 1;
      take = given;
      return async () => {
        feed.closed += 1;
      };
    },
  });
  /** A reader, and how it leaves. */
  const enter = (vehicleId?: string) => {
    const leaving = new AbortController();
    const read = watch.enter(leaving.signal, vehicleId);
    const next = async () => {
      const news = read();
      await loop.runUntil(loop.nowMs + limits.messagePauseMs);
      return news;
    };
    return { next, read, leave: () => leaving.abort() };
  };
  return { loop, watch, feed, take: (one: AmqpDelivery) => take(one), enter };
}

describe('messages on the console', () => {
  test('come in their order, with type and vehicle', async () => {
    const { enter, take } = stage();
    const { next } = enter();
    for (const id of ['A', 'B']) take(delivery(id));
    const { messages, leftOut } = await next();
    expect(messages.map(({ vehicleId, type }) => [vehicleId, type])).toEqual([
      ['A', 'VehicleStateUpdated'],
      ['B', 'VehicleStateUpdated'],
    ]);
    expect(leftOut).toBe(0);
  });

  test('that a slow page missed are counted', async () => {
    const { enter, take } = stage();
    const { next } = enter();
    take(delivery('A'));
    await next();
    for (let count = 0; count < limits.keptMessages + 5; count += 1) take(delivery('B'));
    const { messages, leftOut } = await next();
    expect([messages.length, leftOut]).toEqual([limits.keptMessages, 5]);
  });

  test('are read only while somebody watches, and a moment longer', async () => {
    const { enter, feed, loop } = stage();
    const [one, other] = [enter(), enter()];
    one.leave();
    one.leave();
    await loop.runUntil(loop.nowMs + 2 * limits.messageLingerMs);
    expect(feed).toEqual({ opened: 1, closed: 0 });
    other.leave();
    const back = enter();
    await loop.runUntil(loop.nowMs + 2 * limits.messageLingerMs);
    expect(feed).toEqual({ opened: 1, closed: 0 });
    back.leave();
    await loop.runUntil(loop.nowMs + 2 * limits.messageLingerMs);
    expect(feed).toEqual({ opened: 1, closed: 1 });
  });

  test('whose body is no JSON are shown as they are', async () => {
    const { enter, take } = stage();
    const { next } = enter();
    take({ ...delivery('A'), body: new TextEncoder().encode('<b>text</b>') });
    expect((await next()).messages[0]).toMatchObject({ body: '<b>text</b>', vehicleId: '' });
  });

  test('wake no reader that has left', async () => {
    const { enter, take, loop } = stage();
    enter();
    const { read, next, leave } = enter('nobody');
    const bring = async () => {
      take(delivery('A'));
      await loop.runUntil(loop.nowMs + 2 * limits.messagePauseMs);
    };
    await bring();
    // Tells of the connection.
    await next();
    let isOver = false;
    void read().then(() => {
      isOver = true;
    });
    await bring();
    expect(isOver).toBe(false);
    leave();
    await loop.runUntil(loop.nowMs);
    expect(isOver).toBe(true);
  });
});
