import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { vehicleDetailSchema } from '../../../../../backend/http/routes/vehicle-answers.ts';
import { PROPERTIES } from '../../../../../contract/properties.ts';
import { CHECKER_NAMES } from '../../../../../judge/checkers.ts';
import { ENDING, TRUE_VALUES, WATCHED_WHEN_PARKED } from '../../../../../judge/rules/twin/true-values.ts';
import { twinIsTrue } from '../../../../../judge/rules/twin/twin-is-true.ts';
import { spansOf } from '../../../../../judge/rules/twin/twin-moments.ts';
import { recordFaults } from '../../../../../judge/rules/twin/vehicle-record.ts';
import { anyRightRecordings } from '../../../../support/checkers/any-recordings.ts';
import { scopeOf } from '../../../../support/checkers/checker-scope.ts';

/**
 * What GET /vehicles/{id} returns besides the vehicle state. `box`: it is compared with the box itself
 * (`recordFaults`); `checker`: another checker compares it; `reason`: why the physics cannot confirm it.
 */
const RECORD_FIELDS: Readonly<
  Record<string, { readonly box: true } | { readonly checker: string } | { readonly reason: string }>
> = {
  latest_vehicle_state: { checker: 'twin-is-true' },
  telematics_unit: { box: true },
  capabilities: { box: true },
  life_status: { checker: 'presence-agrees' },
  setup_status: { checker: 'one-result-per-vehicle' },
  shared_with: { checker: 'fleets-apart' },
  fleet_id: { checker: 'fleets-apart' },
  id: { reason: 'the service gives it' },
  operation_status: { reason: 'its owner says it' },
  rental_status: { reason: 'its owner says it' },
  master_data: { reason: 'its owner says it, and else it is that of the model' },
  custom_fields: { reason: 'its owner says it' },
  tags: { reason: 'its owner says it' },
  maintenance_booked: { reason: 'its owner says it' },
  last_contact_at: { reason: 'the time at which the service heard of it, which no physics has' },
  created_at: { reason: 'the time of a call' },
  modified_at: { reason: 'the time of a call' },
};

const NOW = 1_767_592_800_000;

function historyOf() {
  const [history] = fc.sample(anyRightRecordings, 1);
  if (history === undefined) throw new Error('nothing was drawn');
  return history;
}

describe('the table of true values', () => {
  test('has a row for every property of the vehicle state', () => {
    expect(Object.keys(TRUE_VALUES)).toEqual(Object.keys(PROPERTIES));
    for (const name of WATCHED_WHEN_PARKED) expect(TRUE_VALUES).toHaveProperty(name);
    expect([...ENDING]).toEqual(['charging_until', 'drive_batteries']);
  });
});

describe('what the API shows beside the vehicle state', () => {
  const ANSWERED = {
    telematics_unit: { id: 'b1', firmware_version: '2.31' },
    capabilities: { vehicle_state: ['IGNITION', 'DOORS_STATUS'] },
    latest_vehicle_state: { doors_status: { timestamp: '2026-01-05T06:00:00Z', value: 'OPEN' } },
  };
  const BOX = { belief: { firmware: '2.31' } };

  test('is compared with the box, by another checker, or stands in the table with the reason', () => {
    const shown = Object.keys(vehicleDetailSchema.shape);
    expect(new Set(Object.keys(RECORD_FIELDS))).toEqual(new Set(shown));
    const checkers = Object.values(RECORD_FIELDS).flatMap((row) => ('checker' in row ? [row.checker] : []));
    expect(checkers.filter((name) => !(CHECKER_NAMES as readonly string[]).includes(name))).toEqual([]);
  });

  test('is right where it is what the box is', () => {
    expect(recordFaults(ANSWERED, 'b1', BOX)).toEqual([]);
  });

  test.each([
    ['another box', { ...ANSWERED, telematics_unit: { id: 'b2', firmware_version: '2.31' } }, 'b2'],
    ['another firmware', { ...ANSWERED, telematics_unit: { id: 'b1', firmware_version: '2.30' } }, '2.30'],
    ['a property that it cannot have', { ...ANSWERED, capabilities: { vehicle_state: [] } }, 'doors_status'],
  ])('is wrong with %s', (_what, answered, word) => {
    expect(recordFaults(answered, 'b1', BOX).join()).toContain(word);
  });
});

describe('a compared property', () => {
  test('is counted, and one that is not compared is listed with the reason', async () => {
    const history = historyOf();
    const scope = scopeOf(history);
    const { text, findings } = await twinIsTrue(scope);
    expect(findings).toEqual([]);
    expect(text).toMatch(/^\d+ values of [23] vehicles, \d+ of them as they are now$/);

    const look = scope.testbed.snapshotOf;
    const away = {
      ...scope,
      testbed: { ...scope.testbed, snapshotOf: (vehicle: never) => ({ ...look(vehicle), heldRecords: 3 }) },
    };
    const other = await twinIsTrue(away);
    expect(other.text).toMatch(/, 0 of them as they are now; not compared: \d+ values \(its box is away/);
  });

  test('of a disconnected box is compared with the truth at its own time', async () => {
    const history = historyOf();
    const scope = scopeOf(history);
    for (const told of history.vehicles)
      told.truth = { ...told.truth, locked: told.truth['locked'] !== true };
    const look = scope.testbed.snapshotOf;
    const away = {
      ...scope,
      testbed: {
        ...scope.testbed,
        snapshotOf: (vehicle: never) => ({ ...look(vehicle), isConnected: false }),
      },
    };
    const { findings } = await twinIsTrue(away);
    expect(findings[0]?.text).toContain('the twin is not true');
  });
});

describe('what a receiver heard for a moment, while its box did not know the time,', () => {
  /** Vehicle 1 heard otherwise all the time, except for that moment. */
  function scopeHearing(history: ReturnType<typeof historyOf>, momentMs: number | undefined) {
    const scope = scopeOf(history);
    const truth = history.vehicles[0]?.truth ?? {};
    const receiver = truth['receiver'] as { readonly hdop: number };
    const otherwise = { ...truth, receiver: { ...receiver, hdop: receiver.hdop + 1 } };
    return {
      ...scope,
      vehicles: scope.vehicles.slice(0, 1),
      evidence: {
        ...scope.evidence,
        clockErrors: () => [{ fromMs: NOW - 600_000, errorMs: undefined, latestAheadMs: undefined }],
        // As the simulator: of a long time only some moments.
        truthsBetween: (_vehicle: unknown, fromMs: number, toMs: number) =>
          momentMs !== undefined && fromMs <= momentMs && toMs >= momentMs && toMs - fromMs <= 4_800
            ? [otherwise, truth]
            : [otherwise],
      },
    };
  }

  test('is found among all the moments that its time can mean', async () => {
    const { findings } = await twinIsTrue(scopeHearing(historyOf(), NOW - 300_123));
    expect(findings).toEqual([]);
  });

  test('is wrong if it heard that at none of them', async () => {
    const { findings } = await twinIsTrue(scopeHearing(historyOf(), undefined));
    expect(findings.map(({ text }) => text).join()).toContain('gnss_hdop');
  });
});

describe('the times that a whole second of the API can mean', () => {
  test('include the true one, however wrong the clock of the box was', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -5_000_000, max: 5_000_000 }),
        fc.integer({ min: 0, max: 600_000 }),
        fc.integer({ min: 0, max: 400_000 }),
        (errorMs, agoMs, underWayMs) => {
          const atMs = NOW - agoMs;
          const told = Math.min(atMs + errorMs, Math.min(NOW, atMs + underWayMs));
          const second = Math.floor(told / 1_000) * 1_000;
          const clocks = [{ fromMs: NOW - 86_400_000, errorMs, latestAheadMs: errorMs }];
          const isHeld = spansOf(second, clocks, NOW).some(([from, to]) => from <= atMs && atMs <= to);
          expect(isHeld).toBe(true);
        },
      ),
    );
  });

  test('are only that second if the clock is right', () => {
    const [span, ...more] = spansOf(
      NOW,
      [{ fromMs: NOW - 1_000_000, errorMs: 0, latestAheadMs: 0 }],
      NOW + 60_000,
    );
    expect(more).toEqual([]);
    expect((span?.[1] ?? 0) - (span?.[0] ?? 0)).toBeLessThan(1_300);
  });
});
