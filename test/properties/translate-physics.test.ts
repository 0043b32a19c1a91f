import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { translate } from '../../backend/vehicles/translate.ts';
import type { Generation } from '../../protocol/message.ts';
import type { VehicleModel } from '../../protocol/models/model.ts';
import { MODELS } from '../../protocol/models/models.ts';
import type { Quantity } from '../../protocol/models/quantities.ts';
import type { Sensed } from '../../protocol/models/raw.ts';
import type { KeptVehicle } from '../../simulator/vehicle/vehicle.ts';
import { anyMoment, live } from './any-deed.ts';
import { overTheWire } from './over-the-wire.ts';
import { expectTold, sleeps, toldAt } from './told.ts';
import { anyVehicle, START_MS, vehicleOf } from './vehicles.ts';

const GENERATIONS: readonly Generation[] = [1, 2];

/** What a quantity's sensor has to say of the truth. */
function sensedOf(truth: Readonly<Record<string, unknown>>, quantity: Quantity): Sensed {
  const faults = truth['sensors'] as Readonly<Partial<Record<Quantity, 'failed' | 'unavailable'>>>;
  return faults[quantity] ?? (truth[quantity] as Sensed | undefined) ?? 'unavailable';
}

/** Everything that the rows of the model feed is told as the vehicle is, or is absent where nothing can be told. */
function expectTwin(vehicle: KeptVehicle, model: VehicleModel, atMs: number, generation: Generation): void {
  const truth = vehicle.truth();
  const signals = overTheWire(vehicle.sense().signals, generation);
  const said = translate(model, signals, { timestampMs: atMs, maintenance: true });
  for (const row of model.rows) {
    const sensed = sensedOf(truth, row.quantity);
    for (const path of row.feeds) {
      const isSilent = truth['ignitionOn'] !== true && sleeps(row, model);
      if (isSilent || isOfNoBattery(path, truth)) expect(toldAt(said, path), path).toBeUndefined();
      // On the diagnostic port a control unit that has nothing to say keeps silent.
      else if (row.source.from === 'obd' && row.failure === undefined && sensed === 'failed')
        expect(toldAt(said, path), path).toBeUndefined();
      else expectTold(said, path, row, nearestTo(row.quantity, sensed), atMs);
    }
  }
}

/** A drive battery is told only where all of it is. */
function isOfNoBattery(path: string, truth: Readonly<Record<string, unknown>>): boolean {
  if (!path.startsWith('drive_batteries.')) return false;
  const port = path.split('.')[1]?.slice(-1) ?? '';
  const parts = ['Percent', 'Cycles', 'TemperatureC', 'Volts', 'Serial'] as const;
  return parts.some((part) =>
    ['failed', 'unavailable'].includes(String(sensedOf(truth, `battery${port}${part}` as Quantity))),
  );
}

/** A control unit tells the end of its scale for what lies beyond it: a service that is long overdue. */
function nearestTo(quantity: Quantity, sensed: Sensed): Sensed {
  return quantity.endsWith('DueKm') && typeof sensed === 'number' ? Math.max(sensed, -10_000) : sensed;
}

describe('the twin of a living vehicle', () => {
  test('is what the vehicle is, of every model, through boxes of either generation, over random days', () => {
    fc.assert(
      fc.property(anyVehicle, fc.array(anyMoment, { maxLength: 14 }), ({ seed, change }, moments) => {
        const model = MODELS.get(change.model);
        if (model === undefined) throw new Error('no model');
        const vehicle = vehicleOf(seed, change);
        let atMs = START_MS;
        for (const moment of moments) {
          atMs = live(vehicle, moment, atMs);
          for (const generation of GENERATIONS) expectTwin(vehicle, model, atMs, generation);
        }
      }),
      { numRuns: 150 },
    );
  });
});
