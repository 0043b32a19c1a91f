import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeStateReceived } from '../../../../backend/events/message.ts';
import { readState, writeState } from '../../../../backend/store/state-text.ts';
import { mergeReport, type RecordKey } from '../../../../backend/vehicles/records.ts';
import { translateNamed } from '../../../../backend/vehicles/translate.ts';
import { stateBody } from '../../../../backend/vehicles/view.ts';
import { vehicleOf } from '../../../properties/vehicles.ts';

const START_MS = Date.UTC(2026, 0, 5, 8);
const MINUTE_MS = 60_000;

type Deed = 'plug' | 'unplug' | 'wait' | 'drive' | 'park' | 'no-sky' | 'sky';
const anyDeed = fc.constantFrom<Deed>('plug', 'unplug', 'wait', 'drive', 'park', 'no-sky', 'sky');

function does(vehicle: ReturnType<typeof vehicleOf>, deed: Deed): void {
  if (deed === 'plug' || deed === 'unplug') vehicle.tend({ kind: 'charge', connected: deed === 'plug' });
  else if (deed === 'drive') vehicle.drive();
  else if (deed === 'park') vehicle.park();
  else if (deed !== 'wait') vehicle.setSky(deed === 'sky');
}

describe('what is so only while something else is', () => {
  test('is not in the twin without that, whatever the order in which the records arrive', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom('electric-hatchback', 'electric-city-car', 'plug-in-hybrid'),
        fc.array(fc.tuple(anyDeed, fc.integer({ min: 1, max: 300 })), { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        (seed, model, steps, draw) => {
          const vehicle = vehicleOf(seed, { model, driving: false }, undefined, START_MS);
          let atMs = START_MS;
          const told = steps.map(([deed, minutes], index) => {
            does(vehicle, deed);
            atMs += minutes * MINUTE_MS;
            vehicle.advance(atMs);
            const key: RecordKey = { epoch: 1, sequence: index + 1 };
            const { signals } = vehicle.sense();
            return translateNamed(model, signals, { timestampMs: atMs, maintenance: false, key });
          });
          const shuffled = told
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
      const told = { timestampMs: START_MS, maintenance: false };
      const ids = { messageId: 'M', flowId: 'F', createdMs: START_MS, receivedMs: START_MS };
      const of = { vehicleId: 'VEH01', fleetId: 'FLEET1', triggeredBy: undefined };
      const properties = translateNamed('electric-hatchback', vehicle.sense().signals, told);
      return JSON.parse(writeStateReceived({ ...ids, ...of, properties }).body).data.vehicle_state;
    };
    expect(body()).toMatchObject({ charging_status: { value: 'CHARGING' }, charging_until: {} });
    vehicle.tend({ kind: 'charge', connected: false });
    expect(body()).toMatchObject({ charging_status: { value: 'NOT_CHARGING' } });
    expect(body()).not.toHaveProperty('charging_until');
  });

  test('ends for the drive batteries when the last one is taken out', () => {
    const model = 'electric-moped';
    const vehicle = vehicleOf(3, { model, driving: false }, undefined, START_MS);
    const look = (sequence: number) =>
      translateNamed(model, vehicle.sense().signals, {
        timestampMs: START_MS,
        maintenance: false,
        key: { epoch: 1, sequence },
      });
    const both = look(1);
    vehicle.tend({ kind: 'battery', port: 1, percent: undefined });
    const one = look(2);
    vehicle.tend({ kind: 'battery', port: 2, percent: undefined });
    const none = look(3);
    const ports = (told: ReturnType<typeof look>) =>
      Object.keys(stateBody(told)['drive_batteries']?.value ?? {});
    expect([both, one, none].map(ports)).toEqual([['port_1', 'port_2'], ['port_2'], []]);
    const twin = stateBody(mergeReport(mergeReport(both, none), one));
    expect(twin['drive_batteries']).toBeUndefined();
    vehicle.tend({ kind: 'battery', port: 2, percent: 80 });
    expect(ports(mergeReport(mergeReport(both, none), look(4)))).toEqual(['port_2']);
  });
});
