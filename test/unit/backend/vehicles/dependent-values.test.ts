import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeStateReceived } from '../../../../backend/events/message.ts';
import { readState, writeState } from '../../../../backend/store/port/state-text.ts';
import { mergeReport, type RecordKey } from '../../../../backend/vehicles/records.ts';
import { translateNamed } from '../../../../backend/vehicles/translation/translate.ts';
import { stateBody } from '../../../../backend/vehicles/view.ts';
import { vehicleOf } from '../../../support/vehicles/any-vehicle.ts';

const START_MS = Date.UTC(2026, 0, 5, 8);
const MINUTE_MS = 60_000;

type Action = 'plug' | 'unplug' | 'wait' | 'drive' | 'park' | 'no-sky' | 'sky';
const anyAction = fc.constantFrom<Action>('plug', 'unplug', 'wait', 'drive', 'park', 'no-sky', 'sky');

function does(vehicle: ReturnType<typeof vehicleOf>, action: Action): void {
  if (action === 'plug' || action === 'unplug')
    vehicle.operate({ kind: 'charge', connected: action === 'plug' });
  else if (action === 'drive') vehicle.drive();
  else if (action === 'park') vehicle.park();
  else if (action !== 'wait') vehicle.setGnssReception(action === 'sky');
}

describe('a value that is valid only with another one', () => {
  test('is not in the twin without the other one, whatever the order in which the records arrive', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom('electric-hatchback', 'electric-city-car', 'plug-in-hybrid'),
        fc.array(fc.tuple(anyAction, fc.integer({ min: 1, max: 300 })), { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        (seed, model, steps, draw) => {
          const vehicle = vehicleOf(seed, { model, driving: false }, undefined, START_MS);
          let atMs = START_MS;
          const reported = steps.map(([action, minutes], index) => {
            does(vehicle, action);
            atMs += minutes * MINUTE_MS;
            vehicle.advance(atMs);
            const key: RecordKey = { epoch: 1, sequence: index + 1 };
            const { signals } = vehicle.sensors();
            return translateNamed(model, signals, { timestampMs: atMs, maintenance: false, key });
          });
          const shuffled = reported
            .map((one) => ({ one, at: draw.next().value }))
            .sort((a, b) => a.at - b.at)
            .map(({ one }) => one);
          // Through the store, as between two batches.
          const state = shuffled.reduce((all, one) => readState(writeState(mergeReport(all, one))), {});
          const body = stateBody(state);
          const isCharging = body['charging_status']?.value === 'CHARGING';
          expect(body['charging_until'] !== undefined, 'charging_until').toBe(isCharging);
          const hasFix = body['gnss_position_fix_quality']?.value !== 'NO_FIX';
          expect(body['gnss_hdop'] !== undefined, 'gnss_hdop').toBe(hasFix);
          expect(body['gnss_speed_over_ground_in_kph'] !== undefined, 'speed by satellites').toBe(hasFix);
          for (const { value } of Object.values(body)) expect(value).not.toBeNull();
        },
      ),
      { numRuns: 150 },
    );
  });

  test('is absent from the message of the report that ends it', () => {
    const vehicle = vehicleOf(3, { model: 'electric-hatchback', driving: false }, undefined, START_MS);
    const body = () => {
      const reported = { timestampMs: START_MS, maintenance: false };
      const ids = { messageId: 'M', flowId: 'F', createdMs: START_MS, receivedMs: START_MS };
      const of = { vehicleId: 'VEH01', fleetId: 'FLEET1', partition: 0, triggeredBy: undefined };
      const properties = translateNamed('electric-hatchback', vehicle.sensors().signals, reported);
      return JSON.parse(writeStateReceived({ ...ids, ...of, properties }).body).data.vehicle_state;
    };
    expect(body()).toMatchObject({ charging_status: { value: 'CHARGING' }, charging_until: {} });
    vehicle.operate({ kind: 'charge', connected: false });
    expect(body()).toMatchObject({ charging_status: { value: 'NOT_CHARGING' } });
    expect(body()).not.toHaveProperty('charging_until');
  });

  test('ends for the drive batteries when the last one is removed', () => {
    const model = 'electric-moped';
    const vehicle = vehicleOf(3, { model, driving: false }, undefined, START_MS);
    const look = (sequence: number) =>
      translateNamed(model, vehicle.sensors().signals, {
        timestampMs: START_MS,
        maintenance: false,
        key: { epoch: 1, sequence },
      });
    const both = look(1);
    vehicle.operate({ kind: 'battery', port: 1, percent: undefined });
    const one = look(2);
    vehicle.operate({ kind: 'battery', port: 2, percent: undefined });
    const none = look(3);
    const ports = (reported: ReturnType<typeof look>) =>
      Object.keys(stateBody(reported)['drive_batteries']?.value ?? {});
    expect([both, one, none].map(ports)).toEqual([['port_1', 'port_2'], ['port_2'], []]);
    const twin = stateBody(mergeReport(mergeReport(both, none), one));
    expect(twin['drive_batteries']).toBeUndefined();
    vehicle.operate({ kind: 'battery', port: 2, percent: 80 });
    expect(ports(mergeReport(mergeReport(both, none), look(4)))).toEqual(['port_2']);
  });
});
