import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VehicleOrder } from '../../../../backend/events/vehicle-order.ts';
import type { OutboxRow } from '../../../../backend/store/port/outbox-store.ts';

function row(position: number, vehicle: number, partition = 0): OutboxRow {
  return {
    position,
    messageId: `M${position}`,
    vehicleId: `VEH0${vehicle}`,
    fleetId: 'FLEET1',
    partition,
    name: 'VehicleStateReceived',
    version: '2.0.0',
    flowId: '',
    createdMs: 1,
    body: '{}',
  };
}

describe('the order of each vehicle', () => {
  test('offers the first message of each vehicle, and no more of it until that one is done', () => {
    const vehicleOrder = new VehicleOrder();
    const [a1, a2, b1] = [row(1, 1), row(2, 1), row(3, 2)];
    for (const message of [a1, a2, b1]) vehicleOrder.add(message);
    expect([vehicleOrder.take(), vehicleOrder.take(), vehicleOrder.take()]).toEqual([a1, b1, undefined]);
    vehicleOrder.done(a1);
    expect([vehicleOrder.take(), vehicleOrder.take()]).toEqual([a2, undefined]);
    expect(vehicleOrder.size).toBe(2);
  });

  test('forgets the messages of a partition, the taken one too, and keeps those of others', () => {
    const vehicleOrder = new VehicleOrder();
    const [a1, a2, b1] = [row(1, 1, 5), row(2, 1, 5), row(3, 2, 6)];
    for (const message of [a1, a2, b1]) vehicleOrder.add(message);
    expect(vehicleOrder.take()).toBe(a1);
    vehicleOrder.forget(new Set([5]));
    expect(vehicleOrder.size).toBe(1);
    // It is read again, and is not the one that was taken.
    const again = row(1, 1, 5);
    vehicleOrder.add(again);
    vehicleOrder.done(a1);
    vehicleOrder.retry(a1);
    expect([vehicleOrder.take(), vehicleOrder.take(), vehicleOrder.take()]).toEqual([b1, again, undefined]);
    expect(vehicleOrder.size).toBe(2);
  });

  test('goes on with the messages that a vehicle has in another partition', () => {
    const vehicleOrder = new VehicleOrder();
    const [old, recent] = [row(1, 1, 5), row(2, 1, 6)];
    vehicleOrder.add(old);
    vehicleOrder.add(recent);
    vehicleOrder.take();
    vehicleOrder.forget(new Set([5]));
    expect(vehicleOrder.size).toBe(1);
    expect(vehicleOrder.take()).toBe(recent);
  });

  test('keeps the taken message of a vehicle whose later ones are forgotten, and offers it once', () => {
    const vehicleOrder = new VehicleOrder();
    const [old, recent] = [row(1, 1, 5), row(2, 1, 6)];
    vehicleOrder.add(old);
    vehicleOrder.add(recent);
    vehicleOrder.take();
    vehicleOrder.forget(new Set([6]));
    expect([vehicleOrder.take(), vehicleOrder.size]).toEqual([undefined, 1]);
    vehicleOrder.done(old);
    expect([vehicleOrder.take(), vehicleOrder.size]).toEqual([undefined, 0]);
  });

  test('offers the next message of a vehicle after one is done, when later ones are forgotten', () => {
    const vehicleOrder = new VehicleOrder();
    const [first, second, third] = [row(1, 1, 5), row(2, 1, 5), row(3, 1, 6)];
    for (const message of [first, second, third]) vehicleOrder.add(message);
    vehicleOrder.take();
    vehicleOrder.done(first);
    vehicleOrder.forget(new Set([6]));
    expect([vehicleOrder.take(), vehicleOrder.take()]).toEqual([second, undefined]);
  });

  test('offers a message to be repeated before the later ones of its vehicle', () => {
    const vehicleOrder = new VehicleOrder();
    const [first, second] = [row(1, 1), row(2, 1)];
    vehicleOrder.add(first);
    vehicleOrder.take();
    vehicleOrder.add(second);
    vehicleOrder.retry(first);
    expect([vehicleOrder.take(), vehicleOrder.take()]).toEqual([first, undefined]);
  });

  test('whatever fails, all messages of each vehicle are sent in order', () => {
    const arrivals = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 40 });
    // What becomes of the messages under way, one after the other: done, or in doubt.
    const fates = fc.infiniteStream(fc.boolean());
    fc.assert(
      fc.property(arrivals, fates, (vehicles, fate) => {
        const vehicleOrder = new VehicleOrder();
        const rows = vehicles.map((vehicle, index) => row(index + 1, vehicle));
        const sent: OutboxRow[] = [];
        const waiting = [...rows];
        let doubts = 0;
        while (vehicleOrder.size > 0 || waiting.length > 0) {
          for (const message of waiting.splice(0, 3)) vehicleOrder.add(message);
          const underWay: OutboxRow[] = [];
          for (let message = vehicleOrder.take(); message !== undefined; message = vehicleOrder.take())
            underWay.push(message);
          expect(new Set(underWay.map((message) => message.vehicleId)).size).toBe(underWay.length);
          for (const message of underWay) {
            const isDone = fate.next().value === true || doubts > 200;
            if (isDone) {
              vehicleOrder.done(message);
              sent.push(message);
            } else {
              doubts += 1;
              vehicleOrder.retry(message);
            }
          }
        }
        expect(sent.length).toBe(rows.length);
        for (const vehicle of new Set(rows.map((message) => message.vehicleId))) {
          const of = (list: readonly OutboxRow[]) => list.filter((message) => message.vehicleId === vehicle);
          expect(of(sent)).toEqual(of(rows));
        }
      }),
    );
  });
});
