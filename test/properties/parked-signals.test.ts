import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODELS } from '../../protocol/models/models.ts';
import type { Signals } from '../../protocol/signals.ts';
import type { PersistentVehicle } from '../../simulator/vehicle/vehicle.ts';
import { anyMoment, anyOperation, applyMoment } from '../support/vehicles/any-moment.ts';
import { START_MS, vehicleOf } from '../support/vehicles/any-vehicle.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** What happens to a parked vehicle from outside. */
type Around = readonly [what: string, happens: (vehicle: PersistentVehicle) => void];

const named = (what: string, happens: (vehicle: PersistentVehicle) => void): Around => [what, happens];
const anyAround: fc.Arbitrary<Around> = fc.oneof(
  fc.boolean().map((to) => named(`sky ${to}`, (vehicle) => vehicle.setGnssReception(to))),
  fc.boolean().map((to) => named(`coverage ${to}`, (vehicle) => vehicle.setCoverage(to))),
  fc.boolean().map((to) => named(`abroad ${to}`, (vehicle) => vehicle.crossBorder(to, 10 * MINUTE_MS))),
  fc.constant(named('brown-out', (vehicle) => vehicle.brownOut())),
  fc
    .constantFrom('good', 'low', 'cut')
    .map((to) => named(`supply ${to}`, (vehicle) => vehicle.setSupply(to))),
  fc
    .constantFrom('no-vehicle-bus', 'no-gnss', 'low-supply')
    .map((what) => named(what, (vehicle) => vehicle.setInstallationFault(what, 10 * MINUTE_MS))),
  fc
    .boolean()
    .map((lifted) =>
      named('tow', (vehicle) => vehicle.applyIncident({ what: 'tow', distanceM: 900, lifted })),
    ),
  fc.constant(named('park', (vehicle) => vehicle.park())),
);
const anyTouch = fc.oneof(
  anyAround,
  anyOperation.map((deed) => named(JSON.stringify(deed), (vehicle) => vehicle.operate(deed))),
  fc.constant(named('nothing', () => undefined)),
);
/** Minutes, or long enough for tyres to lose pressure. */
const anyWaitMs = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 10 * MINUTE_MS }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 300 }).map((days) => days * DAY_MS) },
);

describe('a parked vehicle that is sampled repeatedly', () => {
  test('reports and stores the same as one that has not been sampled before', () => {
    // If every value were computed anew each time, nothing would be tested.
    let shared = 0;
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom(...MODELS.keys()),
        fc.array(anyMoment, { maxLength: 2 }),
        fc.array(fc.tuple(anyTouch, anyWaitMs), { minLength: 1, maxLength: 10 }),
        (seed, model, moments, touches) => {
          const often = vehicleOf(seed, { model, driving: true });
          const once = vehicleOf(seed, { model, driving: true });
          let atMs = START_MS;
          for (const moment of moments) {
            const thenMs = atMs;
            for (const vehicle of [often, once]) atMs = applyMoment(vehicle, moment, thenMs);
          }
          // Nobody waits behind the wheel for months.
          for (const vehicle of [often, once]) vehicle.park();
          atMs += MINUTE_MS;
          let last: Signals | undefined;
          for (const [[, touch], waitMs] of touches) {
            for (const vehicle of [often, once]) {
              vehicle.advance(atMs);
              touch(vehicle);
            }
            for (const timeMs of [atMs, atMs + waitMs]) {
              often.advance(timeMs);
              const { signals } = often.sensors();
              often.snapshot();
              if (signals === last) shared += 1;
              last = signals;
            }
            atMs += waitMs;
          }
          once.advance(atMs);
          expect(last).toEqual(once.sensors().signals);
          expect(often.snapshot()()).toEqual(once.memory());
        },
      ),
      { numRuns: 600 },
    );
    expect(shared).toBeGreaterThan(500);
  }, 240_000);
});
