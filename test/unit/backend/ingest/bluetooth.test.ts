import { describe, expect, test } from 'vitest';
import { stampRecords } from '../../../../backend/ingest/stamp.ts';
import type { Access } from '../../../../protocol/message.ts';
import { foldOf, frame, report, sent, T, vehicle, vehicleAfter } from './fold-kit.ts';

const TOKEN = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const access: Access = {
  kind: 'access',
  tokenId: TOKEN,
  action: 'unlock',
  outcome: 'done',
  error: '',
  signals: { modem: { csq: 9, network: 0 } },
};
const stamp = { mint: { ulid: () => 'M', uuid: () => 'U' }, nowMs: T + 900 };
const bodies = (plan: ReturnType<typeof foldOf>) =>
  stampRecords(plan.records, stamp).messages.map(
    ({ body }) => JSON.parse(body) as { data: Record<string, unknown> },
  );

describe('an access by Bluetooth', () => {
  test('leads to a message that names channel and token, with the state at the time of the deed', () => {
    const plan = foldOf([sent([frame(access, { sequence: 1, clockMs: T - 3_600_000 })])]);
    expect(bodies(plan)).toMatchObject([
      {
        metadata: { message_type: 'service.VehicleStateReceived' },
        data: {
          triggered_by: { channel: 'BLUETOOTH', correlation_id: TOKEN },
          vehicle_state: { signal: { timestamp: '2026-01-05T05:00:00Z', value: 9 } },
        },
      },
    ]);
    expect(plan.records[0]?.record).toMatchObject({ kind: 'access', clockMs: T - 3_600_000 });
  });

  test('that failed does so too: what was tried, and how all stands', () => {
    const failed: Access = { ...access, outcome: 'failed', error: 'the central lock did not move' };
    expect(bodies(foldOf([sent([frame(failed, { sequence: 1 })])]))[0]?.data).toMatchObject({
      triggered_by: { channel: 'BLUETOOTH', correlation_id: TOKEN },
    });
  });

  test('leads to one message however often its record comes', () => {
    const again = sent([frame(access, { sequence: 1 })]);
    expect(bodies(foldOf([again, again, again]))).toHaveLength(1);
  });

  test('that comes late does not replace what a later record said', () => {
    const before = vehicleAfter(foldOf([sent([report(5, 30)])]), vehicle());
    const plan = foldOf([sent([frame(access, { sequence: 2 })])], { vehicle: before });
    expect(bodies(plan)).toHaveLength(1);
    expect(vehicleAfter(plan, before).state['signal']).toMatchObject({ value: 30, sequence: 5 });
  });

  test('of a vehicle that is not set up leads to no message', () => {
    const running = vehicle({ setupStatus: 'RUNNING' });
    expect(bodies(foldOf([sent([frame(access, { sequence: 1 })])], { vehicle: running }))).toEqual([]);
  });
});
