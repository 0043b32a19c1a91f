import { describe, expect, test } from 'vitest';
import { recordWays } from '../../../../console/page/vehicle/record-ways.ts';
import type { SeenMessage } from '../../../../console/stream/messages.ts';
import type { FrameStreamLine, FrameSummary } from '../../../../simulator/control/frame-line.ts';

const at = (second: number, ms = 0) => new Date(Date.UTC(2026, 0, 5, 8, 0, second, ms)).toISOString();

function line(direction: 'up' | 'down', when: string, frame: FrameSummary): FrameStreamLine {
  return { boxId: 'B', direction, at: when, offset: 0, hex: '', title: '', fields: [], frame };
}
const record = (sequence: number, clock: string, when: string, epoch = 1) =>
  line('up', when, { kind: 'report', epoch, sequence, clock });
const receipt = (
  when: string,
  contiguous: number,
  ranges: readonly (readonly [number, number])[] = [],
  epoch = 1,
) => line('down', when, { kind: 'receipt', epoch, sequence: 0, received: { contiguous, ranges } });

let number = 0;
function message(type: string, occurredAt: string, when: string, flowId = `flow-${number}`): SeenMessage {
  number += 1;
  const state = { mileage: { timestamp: `${occurredAt.slice(0, 19)}Z`, value: 1 } };
  const body = { data: type === 'VehicleStateReceived' ? { vehicle_state: state } : {} };
  const headers = { 'Flow-ID': flowId };
  const ids = { number, messageId: `M${number}`, vehicleId: 'V', queue: 'Q' };
  return { ...ids, at: when, type, redelivered: false, headers, body };
}
/** As the page has them. */
const newestFirst = <One>(...all: One[]): readonly One[] => all.toReversed();

describe('the way of a record', () => {
  test('has when it was recorded, each time it was sent, its receipt and its message', () => {
    const [way, ...others] = recordWays(
      newestFirst(record(7, at(1), at(2)), record(7, at(1), at(9)), receipt(at(9, 50), 7)),
      newestFirst(message('VehicleStateReceived', at(1), at(9, 80))),
    );
    expect(others).toEqual([]);
    expect(way).toMatchObject({
      sequence: 7,
      kind: 'report',
      recordedAt: at(1),
      sentAt: [at(2), at(9)],
      receiptAt: at(9, 50),
      messages: [{ type: 'VehicleStateReceived', at: at(9, 80) }],
    });
  });

  test('ends where it is: without a receipt, or without a message', () => {
    const ways = recordWays(
      newestFirst(record(1, at(1), at(1)), record(2, at(2), at(2)), receipt(at(3), 1)),
      [],
    );
    expect(ways.map(({ sequence, receiptAt }) => [sequence, receiptAt])).toEqual([
      [2, undefined],
      [1, at(3)],
    ]);
  });

  test('takes the first receipt that names it, in its epoch alone', () => {
    const ways = recordWays(
      newestFirst(
        ...[record(3, at(1), at(1), 1), record(3, at(2), at(2), 2)],
        ...[receipt(at(3), 2, [[3, 5]], 2), receipt(at(4), 9, [], 1), receipt(at(5), 9, [], 2)],
      ),
      [],
    );
    expect(ways.map(({ key, receiptAt }) => [key, receiptAt])).toEqual([
      ['2:3', at(3)],
      ['1:3', at(4)],
    ]);
  });

  test('has what a feature detected beside its state, and of a message that came twice the first', () => {
    const state = message('VehicleStateReceived', at(5), at(6), 'flow-a');
    const [way] = recordWays(
      newestFirst(record(4, at(5), at(5))),
      newestFirst(state, message('DamageDetected', at(5), at(6, 5), 'flow-a'), { ...state, at: at(8) }),
    );
    expect(way?.messages.map(({ type, at: when }) => [type, when])).toEqual([
      ['VehicleStateReceived', at(6)],
      ['DamageDetected', at(6, 5)],
    ]);
  });

  test('of two records of one second each has a message of its own, in their order', () => {
    const ways = recordWays(
      newestFirst(record(1, at(1, 100), at(1)), record(2, at(1, 900), at(1))),
      newestFirst(
        message('VehicleStateReceived', at(1), at(2)),
        message('VehicleStateReceived', at(1), at(3)),
      ),
    );
    expect(ways.map(({ sequence, messages }) => [sequence, messages[0]?.at])).toEqual([
      [2, at(3)],
      [1, at(2)],
    ]);
  });
});
