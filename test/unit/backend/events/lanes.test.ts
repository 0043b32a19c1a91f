import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Lanes } from '../../../../backend/events/lanes.ts';
import type { OutboxRow } from '../../../../backend/store/outbox-store.ts';

function row(position: number, vehicle: number): OutboxRow {
  return {
    position,
    messageId: `M${position}`,
    vehicleId: `VEH0${vehicle}`,
    fleetId: 'FLEET1',
    name: 'VehicleStateReceived',
    version: '2.0.0',
    flowId: '',
    createdMs: 1,
    body: '{}',
  };
}

describe('lanes', () => {
  test('offer the first message of each vehicle, and nothing more of it until that one is done', () => {
    const lanes = new Lanes();
    const [a1, a2, b1] = [row(1, 1), row(2, 1), row(3, 2)];
    for (const message of [a1, a2, b1]) lanes.add(message);
    expect([lanes.take(), lanes.take(), lanes.take()]).toEqual([a1, b1, undefined]);
    lanes.done(a1);
    expect([lanes.take(), lanes.take()]).toEqual([a2, undefined]);
    expect(lanes.size).toBe(2);
  });

  test('a message that must go again comes before the later ones of its vehicle', () => {
    const lanes = new Lanes();
    const [first, second] = [row(1, 1), row(2, 1)];
    lanes.add(first);
    lanes.take();
    lanes.add(second);
    lanes.again(first);
    expect([lanes.take(), lanes.take()]).toEqual([first, undefined]);
  });

  test('whatever fails, the messages of each vehicle come off in their order, and all of them do', () => {
    const arrivals = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 40 });
    // What becomes of the messages under way, one after the other: done, or in doubt.
    const fates = fc.infiniteStream(fc.boolean());
    fc.assert(
      fc.property(arrivals, fates, (vehicles, fate) => {
        const lanes = new Lanes();
        const rows = vehicles.map((vehicle, index) => row(index + 1, vehicle));
        const sent: OutboxRow[] = [];
        const waiting = [...rows];
        let doubts = 0;
        while (lanes.size > 0 || waiting.length > 0) {
          for (const message of waiting.splice(0, 3)) lanes.add(message);
          const underWay: OutboxRow[] = [];
          for (let message = lanes.take(); message !== undefined; message = lanes.take())
            underWay.push(message);
          expect(new Set(underWay.map((message) => message.vehicleId)).size).toBe(underWay.length);
          for (const message of underWay) {
            const isDone = fate.next().value === true || doubts > 200;
            if (isDone) {
              lanes.done(message);
              sent.push(message);
            } else {
              doubts += 1;
              lanes.again(message);
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
