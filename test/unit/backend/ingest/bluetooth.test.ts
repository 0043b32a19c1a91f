import { describe, expect, test } from 'vitest';
import { writeRecordMessages } from '../../../../backend/ingest/record-messages.ts';
import type { Access } from '../../../../protocol/message.ts';
import {
  boxVehicle,
  frame,
  payloadOf,
  reduceOf,
  report,
  START_MS,
  vehicleAfter,
} from '../../../support/backend/ingest-input.ts';

const TOKEN = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const access: Access = {
  kind: 'access',
  tokenId: TOKEN,
  action: 'unlock',
  outcome: 'done',
  error: '',
  signals: { modem: { csq: 9, network: 0 } },
};
const stamp = { ids: { ulid: () => 'M', uuid: () => 'U' }, nowMs: START_MS + 900 };
const bodies = (batchResult: ReturnType<typeof reduceOf>) =>
  writeRecordMessages(batchResult.records, stamp).messages.map(
    ({ body }) => JSON.parse(body) as { data: Record<string, unknown> },
  );

describe('an access by Bluetooth', () => {
  test('leads to a message with channel and token, with the state at the time of the access', () => {
    const batchResult = reduceOf([
      payloadOf([frame(access, { sequence: 1, clockMs: START_MS - 3_600_000 })]),
    ]);
    expect(bodies(batchResult)).toMatchObject([
      {
        metadata: { message_type: 'service.VehicleStateReceived' },
        data: {
          triggered_by: { channel: 'BLUETOOTH', correlation_id: TOKEN },
          vehicle_state: { signal: { timestamp: '2026-01-05T05:00:00Z', value: 9 } },
        },
      },
    ]);
    expect(batchResult.records[0]?.record).toMatchObject({ kind: 'access', clockMs: START_MS - 3_600_000 });
  });

  test('that failed also leads to a message, with the attempt and the state', () => {
    const failed: Access = { ...access, outcome: 'failed', error: 'the central lock did not move' };
    expect(bodies(reduceOf([payloadOf([frame(failed, { sequence: 1 })])]))[0]?.data).toMatchObject({
      triggered_by: { channel: 'BLUETOOTH', correlation_id: TOKEN },
    });
  });

  test('leads to one message however often its record is received', () => {
    const again = payloadOf([frame(access, { sequence: 1 })]);
    expect(bodies(reduceOf([again, again, again]))).toHaveLength(1);
  });

  test('that arrives late does not replace values of a later record', () => {
    const before = vehicleAfter(reduceOf([payloadOf([report(5, 30)])]), boxVehicle());
    const batchResult = reduceOf([payloadOf([frame(access, { sequence: 2 })])], { vehicle: before });
    expect(bodies(batchResult)).toHaveLength(1);
    expect(vehicleAfter(batchResult, before).state['signal']).toMatchObject({ value: 30, sequence: 5 });
  });

  test('of a vehicle that is not set up leads to no message', () => {
    const running = boxVehicle({ setupStatus: 'RUNNING' });
    expect(bodies(reduceOf([payloadOf([frame(access, { sequence: 1 })])], { vehicle: running }))).toEqual([]);
  });
});
