import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { translate } from '../../backend/vehicles/translation/translate.ts';
import { MODELS } from '../../protocol/models/models.ts';
import { hybridAfter } from '../../simulator/vehicle/energy/hybrid.ts';
import { limits } from '../../simulator/vehicle/limits.ts';
import type { PersistentVehicle } from '../../simulator/vehicle/vehicle.ts';
import { START_MS, vehicleOf } from '../support/vehicles/any-vehicle.ts';

const MINUTE_MS = 60_000;

interface Reported {
  readonly mileageKm: number;
  readonly percent: number;
  readonly litres: number | undefined;
  readonly packPercent: number | undefined;
}

function reportedBy(vehicle: PersistentVehicle, name: string, atMs: number): Reported {
  const model = MODELS.get(name);
  if (model === undefined) throw new Error(`no model ${name}`);
  vehicle.turnIgnition(true);
  vehicle.advance(atMs + 1_000);
  const state = translate(model, vehicle.sensors().signals, { timestampMs: atMs, maintenance: false });
  const number = (property: string) => state[property]?.value as number | undefined;
  const ports = state['drive_batteries']?.value as
    | Readonly<Record<string, { readonly level_in_percent: number }>>
    | undefined;
  return {
    mileageKm: Number(vehicle.truth()['mileageKm']),
    percent: number('state_of_charge_or_fuel_level_in_percent') ?? Number.NaN,
    litres: number('fuel_level_in_liters'),
    packPercent: ports?.['port_1']?.level_in_percent,
  };
}

/** What is reported before and after a drive of this distance, begun with full energy. */
function driven(name: string, seed: number, wayKm: number): readonly [before: Reported, after: Reported] {
  const vehicle = vehicleOf(seed, { model: name, driving: true }, undefined, START_MS);
  vehicle.park();
  let atMs = START_MS + MINUTE_MS;
  vehicle.advance(atMs);
  vehicle.operate({ kind: 'refuel', percent: 95 });
  vehicle.operate({ kind: 'charge', connected: true });
  for (const port of [1, 2]) vehicle.operate({ kind: 'battery', port, percent: 95 });
  atMs += 24 * 60 * MINUTE_MS;
  vehicle.advance(atMs);
  vehicle.operate({ kind: 'charge', connected: false });
  const before = reportedBy(vehicle, name, atMs);
  vehicle.drive();
  while (Number(vehicle.truth()['mileageKm']) - before.mileageKm < wayKm) {
    atMs += MINUTE_MS;
    vehicle.advance(atMs);
  }
  return [before, reportedBy(vehicle, name, atMs)];
}

describe('the energy of a vehicle', () => {
  test.each([...MODELS.keys()])('is reported to decrease while the vehicle drives: %s', (name) => {
    const [before, after] = driven(name, 5, 25);
    const hybrid = MODELS.get(name)?.body.hybrid;
    // A plug-in hybrid uses little fuel at first; its battery is reported separately.
    if (hybrid === undefined) expect(after.percent).toBeLessThan(before.percent - 1);
    else expect(after.packPercent).toBeLessThan((before.packPercent ?? 0) - 10);
    if (before.litres !== undefined) expect(after.litres).toBeLessThan(before.litres);
    if (before.packPercent !== undefined) expect(after.packPercent).toBeLessThan(before.packPercent);
  });
});

describe('a plug-in hybrid', () => {
  const anyStores = fc.record({
    energy: fc.double({ min: 0, max: 40, noNaN: true }),
    tractionKwh: fc.double({ min: 0, max: 12.5, noNaN: true }),
  });
  const anyNeed = fc
    .double({ min: 0.01, max: 60, noNaN: true })
    .map((kwh) => ({ kwh, litres: (kwh * 5.1) / 16.5 }));
  const anyHelp = fc.constantFrom(0, limits.engineHelpShare);
  const share = (need: { kwh: number; litres: number }, of: number) => ({
    kwh: need.kwh * of,
    litres: need.litres * of,
  });

  test('uses what the distance needs, never gains energy, and two halves use the same as the whole', () => {
    fc.assert(
      fc.property(
        anyStores,
        anyNeed,
        anyHelp,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (from, need, helps, cut) => {
          const after = hybridAfter(from, need, 12.5, helps);
          expect(after.energy).toBeGreaterThanOrEqual(0);
          expect(after.tractionKwh).toBeGreaterThanOrEqual(0);
          expect(after.energy).toBeLessThanOrEqual(from.energy);
          expect(after.tractionKwh).toBeLessThanOrEqual(from.tractionKwh);
          const done =
            (from.energy - after.energy) / need.litres + (from.tractionKwh - after.tractionKwh) / need.kwh;
          expect(done).toBeLessThan(1 + 1e-9);
          if (after.energy > 1e-9) expect(done).toBeCloseTo(1, 9);
          const half = hybridAfter(from, share(need, cut), 12.5, helps);
          const whole = hybridAfter(half, share(need, 1 - cut), 12.5, helps);
          expect(whole.energy).toBeCloseTo(after.energy, 9);
          expect(whole.tractionKwh).toBeCloseTo(after.tractionKwh, 9);
          // While there is fuel in the tank, the battery keeps its reserve.
          const reserve = 12.5 * limits.hybridReserveShare;
          if (after.energy > 1e-9)
            expect(after.tractionKwh).toBeGreaterThanOrEqual(Math.min(from.tractionKwh, reserve) - 1e-9);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('drives on its battery and a little fuel first, then on fuel with constant charge', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seed) => {
        const [full, after22] = driven('plug-in-hybrid', seed, 22);
        const wayKm = after22.mileageKm - full.mileageKm;
        const spentKwh = (((full.packPercent ?? 0) - (after22.packPercent ?? 0)) / 100) * 12.5;
        expect(spentKwh / wayKm).toBeGreaterThan(0.08);
        expect(spentKwh / wayKm).toBeLessThan(0.3);
        const spentLitres = (full.litres ?? 0) - (after22.litres ?? 0);
        expect(spentLitres).toBeGreaterThan(0);
        expect(spentLitres / wayKm).toBeLessThan(0.03);
        const [, after150] = driven('plug-in-hybrid', seed, 150);
        expect(after150.packPercent).toBeGreaterThan(100 * limits.hybridReserveShare - 1);
        expect(after150.packPercent).toBeLessThan(100 * limits.hybridReserveShare + 1);
        const litres = (full.litres ?? 0) - (after150.litres ?? 0);
        expect(litres / 150).toBeGreaterThan(0.02);
        expect(litres / 150).toBeLessThan(0.09);
      }),
      { numRuns: 3 },
    );
  });
});
