import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { translate } from '../../backend/vehicles/translation/translate.ts';
import { decodePayload, payloadOf } from '../../protocol/codec/frame.ts';
import type { Generation, Message } from '../../protocol/message.ts';
import type { VehicleModel } from '../../protocol/models/model.ts';
import { MODELS } from '../../protocol/models/models.ts';
import type { Quantity } from '../../protocol/models/quantities.ts';
import type { SensedValue } from '../../protocol/models/raw.ts';
import type { Signals } from '../../protocol/signals.ts';
import type { PersistentVehicle } from '../../simulator/vehicle/vehicle.ts';
import {
  expectReported,
  isSilentWithoutIgnition,
  reportedAt,
} from '../support/models/reported-properties.ts';
import { anyMoment, applyMoment } from '../support/vehicles/any-moment.ts';
import { anyVehicle, START_MS, vehicleOf } from '../support/vehicles/any-vehicle.ts';

/** Signals of a box of that generation as the service receives them. */
function overTheWire(signals: Signals, generation: Generation): Signals {
  const message: Message = { kind: 'report', cause: 'time', signals };
  const head = { generation, epoch: 1, boot: 1, sequence: 1, clockMs: START_MS };
  const [decoded] = decodePayload(payloadOf([{ ...head, message }])).frames;
  if (decoded?.frame.message.kind !== 'report') throw new Error('no report came out');
  return decoded.frame.message.signals;
}

const GENERATIONS: readonly Generation[] = [1, 2];

/** The reading of a quantity's sensor for the truth. */
function sensedOf(truth: Readonly<Record<string, unknown>>, quantity: Quantity): SensedValue {
  const faults = truth['sensors'] as Readonly<Partial<Record<Quantity, 'failed' | 'unavailable'>>>;
  return faults[quantity] ?? (truth[quantity] as SensedValue | undefined) ?? 'unavailable';
}

/** Every property of the model is reported as the vehicle is, or is absent if there is no value. */
function expectTwin(
  vehicle: PersistentVehicle,
  model: VehicleModel,
  atMs: number,
  generation: Generation,
): void {
  const truth = vehicle.truth();
  const signals = overTheWire(vehicle.sensors().signals, generation);
  const said = translate(model, signals, { timestampMs: atMs, maintenance: true });
  for (const row of model.rows) {
    const sensed = sensedOf(truth, row.quantity);
    for (const path of row.feeds) {
      const isSilent = truth['ignitionOn'] !== true && isSilentWithoutIgnition(row, model);
      if (isSilent || isOfNoBattery(path, truth)) expect(reportedAt(said, path), path).toBeUndefined();
      // On the diagnostic port a control unit without a value does not answer.
      else if (row.source.from === 'obd' && row.failure === undefined && sensed === 'failed')
        expect(reportedAt(said, path), path).toBeUndefined();
      else expectReported(said, path, row, nearestTo(row.quantity, sensed), atMs);
    }
  }
}

/** A drive battery is reported only if all its values are. */
function isOfNoBattery(path: string, truth: Readonly<Record<string, unknown>>): boolean {
  if (!path.startsWith('drive_batteries.')) return false;
  const port = path.split('.')[1]?.slice(-1) ?? '';
  const parts = ['Percent', 'Cycles', 'TemperatureC', 'Volts', 'Serial'] as const;
  return parts.some((part) =>
    ['failed', 'unavailable'].includes(String(sensedOf(truth, `battery${port}${part}` as Quantity))),
  );
}

/** For a value out of range a control unit reports the end of its scale: a service that is long overdue. */
function nearestTo(quantity: Quantity, sensed: SensedValue): SensedValue {
  return quantity.endsWith('DueKm') && typeof sensed === 'number' ? Math.max(sensed, -10_000) : sensed;
}

describe('the twin of a simulated vehicle', () => {
  test('equals the vehicle, for every model, through boxes of both generations, over random days', () => {
    fc.assert(
      fc.property(anyVehicle, fc.array(anyMoment, { maxLength: 14 }), ({ seed, change }, moments) => {
        const model = MODELS.get(change.model);
        if (model === undefined) throw new Error('no model');
        const vehicle = vehicleOf(seed, change);
        let atMs = START_MS;
        for (const moment of moments) {
          atMs = applyMoment(vehicle, moment, atMs);
          for (const generation of GENERATIONS) expectTwin(vehicle, model, atMs, generation);
        }
      }),
      { numRuns: 150 },
    );
  });
});
