import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { vehicleState } from '../../backend/events/vehicle-state.ts';
import { capabilitiesOf, capabilityName } from '../../backend/vehicles/capabilities.ts';
import { LAPSING, MAINTENANCE, type PROPERTIES, valueRow } from '../../backend/vehicles/properties.ts';
import { translate } from '../../backend/vehicles/translation/translate.ts';
import { stateBody } from '../../backend/vehicles/view.ts';
import { decodePayload, payloadOf } from '../../protocol/codec/frame.ts';
import type { Generation, Message } from '../../protocol/message.ts';
import { hasPart } from '../../protocol/models/model.ts';
import { MODELS } from '../../protocol/models/models.ts';
import type { Signals } from '../../protocol/signals.ts';
import { wiredSignals } from '../../simulator/vehicle/sensing/signals.ts';
import { anyQuantities, anySignals } from '../support/models/any-quantities.ts';
import {
  expectReported,
  isSilentWithoutIgnition,
  reportedAt,
} from '../support/models/reported-properties.ts';
import {
  anyVehicle,
  anyVehicleStep,
  applyVehicleStep,
  START_MS,
  truthOf,
  vehicleOf,
} from '../support/vehicles/any-vehicle.ts';
import { gnssErrorsOf } from '../support/vehicles/gnss-errors.ts';

const anyModel = fc.constantFrom(...MODELS.values());
const anyGeneration = fc.constantFrom<Generation>(1, 2);
const report = { timestampMs: START_MS, maintenance: true };

/** Signals of a box of that generation as the service receives them. */
function overTheWire(signals: Signals, generation: Generation): Signals {
  const message: Message = { kind: 'report', cause: 'time', signals };
  const head = { generation, epoch: 1, boot: 1, sequence: 1, clockMs: START_MS };
  const [decoded] = decodePayload(payloadOf([{ ...head, message }])).frames;
  if (decoded?.frame.message.kind !== 'report') throw new Error('no report came out');
  return decoded.frame.message.signals;
}

describe('translation', () => {
  test('returns what the sensors of any model measured, through boxes of both generations', () => {
    fc.assert(
      fc.property(
        anyModel.chain((model) => fc.tuple(fc.constant(model), anyQuantities(model))),
        anyGeneration,
        ([model, sensations], generation) => {
          const signals = overTheWire(wiredSignals(model, sensations), generation);
          const said = translate(model, signals, report);
          for (const row of model.rows) {
            const sensed = sensations[row.quantity] ?? 'unavailable';
            for (const path of row.feeds) {
              if (!sensations.ignitionOn && isSilentWithoutIgnition(row, model))
                expect(reportedAt(said, path), path).toBeUndefined();
              else if (path.startsWith('drive_batteries.') && !isWhole(path, sensations))
                expect(reportedAt(said, path), path).toBeUndefined();
              else expectReported(said, path, row, sensed, START_MS);
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test('returns the truth of a simulated vehicle', () => {
    fc.assert(
      fc.property(anyVehicle, fc.array(anyVehicleStep, { maxLength: 12 }), ({ seed, change }, steps) => {
        const vehicle = vehicleOf(seed, change);
        const model = MODELS.get(change.model);
        if (model === undefined) throw new Error('no model');
        let atMs = START_MS;
        for (const step of steps) {
          atMs = applyVehicleStep(vehicle, step, atMs);
          const truth = truthOf(vehicle);
          const { signals } = vehicle.sensors();
          const said = translate(model, signals, { timestampMs: atMs, maintenance: true });
          const value = (name: keyof typeof PROPERTIES) => said[name]?.value;
          if (model.vehicleType === 'MOPED') {
            expect(value('ignition')).toBe(truth.ignitionOn ? 'ON' : 'OFF');
            expect(value('center_stand_position')).toBe(truth.standExtended ? 'EXTENDED' : 'RETRACTED');
            expect(value('top_case_lid')).toBe(truth.topCaseOpen ? 'OPEN' : 'CLOSED');
            expect(value('top_case_lock')).toBe(truth.topCaseLocked ? 'LOCKED' : 'UNLOCKED');
            expect(value('central_lock')).toBeUndefined();
          } else {
            expect(value('central_lock')).toBe(truth.locked ? 'LOCKED' : 'UNLOCKED');
            expect(value('doors_status')).toBe(truth.anyDoorOpen ? 'OPEN' : 'CLOSED');
          }
          expect(value('driving_enabled')).toBe(truth.drivingEnabled);
          const position = value('position') as { lat: number; lon: number };
          // Exactly the reading of the receiver, including its stated error.
          const fix = signals.gnss;
          if (fix === undefined) throw new Error('no receiver');
          for (const [what, off, most] of gnssErrorsOf(fix, truth))
            expect(off, what).toBeLessThanOrEqual(most + 1e-6);
          expect(Math.abs(position.lat - fix.latitude)).toBeLessThan(1e-6);
          expect(Math.abs(position.lon - fix.longitude)).toBeLessThan(1e-6);
          expect(Math.abs(Number(value('altitude_in_meters')) - fix.altitudeM)).toBeLessThanOrEqual(0.5);
          const turn = Math.abs(Number(value('heading_in_degrees')) - fix.headingDegrees);
          expect(Math.min(turn, 360 - turn)).toBeLessThan(0.01);
          expect(value('telematics_unit_supply_voltage_in_volts')).toBeCloseTo(
            truth.supplyMillivolts / 1_000,
            6,
          );
          for (const row of model.rows) {
            if (row.quantity !== 'speedKph' && row.quantity !== 'mileageKm') continue;
            for (const path of row.feeds) {
              if (truth.ignitionOn || !isSilentWithoutIgnition(row, model))
                expectReported(said, path, row, truth[row.quantity], atMs);
              else expect(value(path as keyof typeof PROPERTIES)).toBeUndefined();
            }
          }
          for (const name of Object.keys(said)) expect(capabilitiesOf(model)).toContain(capabilityName(name));
          expect(hasPart(model, 'ignitionOn')).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('never throws and never gives a value that the contract does not allow, whatever the bytes', () => {
    fc.assert(
      fc.property(
        anyModel.chain((model) => fc.tuple(fc.constant(model), anySignals(model))),
        fc.nat(),
        fc.boolean(),
        ([model, signals], timestampMs, maintenance) => {
          const said = translate(model, signals, { timestampMs, maintenance });
          const read = vehicleState.strict().safeParse(stateBody(said));
          expect(read.error?.issues ?? []).toEqual([]);
          for (const [name, property] of Object.entries(said)) {
            expect(property.timestampMs).toBe(timestampMs);
            if (property.value === null) expect(LAPSING.has(name), name).toBe(true);
            else expectListed(name, property.value);
            expect(Object.is(property.value, -0)).toBe(false);
            expect(maintenance || !MAINTENANCE.has(name), name).toBe(true);
          }
        },
      ),
      { numRuns: 1_500 },
    );
  });
});

/** The battery of a port is reported only with all its values. */
function isWhole(path: string, sensations: Readonly<Record<string, unknown>>): boolean {
  const port = path.split('.')[1]?.slice(-1) ?? '';
  return ['Percent', 'Cycles', 'TemperatureC', 'Volts', 'Serial'].every((what) => {
    const sensed = sensations[`battery${port}${what}`];
    return sensed !== 'failed' && sensed !== 'unavailable' && sensed !== undefined;
  });
}

/** Every enum value is listed by the contract for the property, and every number is in its range. */
function expectListed(path: string, value: unknown): void {
  const row = valueRow(path);
  if (row === undefined) throw new Error(`${path} is no property`);
  if (row.shape === 'parts') {
    for (const [part, one] of Object.entries(value as object)) expectListed(`${path}.${part}`, one);
  } else if (row.shape === 'word') expect([row.yes, row.no, row.failed], path).toContain(value);
  else if (row.shape === 'choice') expect([...row.words, row.other], path).toContain(value);
  else if (row.shape === 'word-of') expect(row.words, path).toContain(value);
  else if (row.shape === 'number') {
    expect(value, path).toBeGreaterThanOrEqual(row.minimum);
    expect(value, path).toBeLessThanOrEqual(row.maximum);
  }
}
