import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { vehicleState } from '../../backend/events/vehicle-state.ts';
import { capabilitiesOf } from '../../backend/vehicles/capabilities.ts';
import { translate } from '../../backend/vehicles/translation/translate.ts';
import { stateBody } from '../../backend/vehicles/view.ts';
import { capabilityName } from '../../contract/operation.ts';
import { LAPSING, MAINTENANCE, type PROPERTIES, valueRow } from '../../contract/properties.ts';
import { decodePayload, payloadOf } from '../../protocol/codec/frame.ts';
import type { Generation, Message } from '../../protocol/message.ts';
import { hasPart, type SignalRow, type VehicleModel } from '../../protocol/models/model.ts';
import { MODELS } from '../../protocol/models/models.ts';
import { DAYS, type Quantity, type QuantityRow, quantityRow } from '../../protocol/models/quantities.ts';
import type { SensedQuantities, SensedValue } from '../../protocol/models/raw.ts';
import type { Signals } from '../../protocol/signals.ts';
import { type Quantities, signalsBy } from '../../simulator/vehicle/sensing/signals.ts';
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

/** Anything that the sensors of a model can have to say, within the spans of its quantities. */
function anyQuantities(model: VehicleModel): fc.Arbitrary<Quantities> {
  const rows = new Map(model.rows.map((row) => [row.quantity, row]));
  const drawn = fc.record(
    Object.fromEntries([...rows].map(([quantity, row]) => [quantity, anySensed(quantity, row)])),
  );
  // The ignition decides what is sent at all, so its own contact is always sound here.
  return fc
    .tuple(drawn, fc.boolean())
    .map(([sensations, ignitionOn]) => ({ ...(sensations as SensedQuantities), ignitionOn }) as Quantities);
}

function anySensed(quantity: Quantity, row: SignalRow): fc.Arbitrary<unknown> {
  const table = quantityRow(quantity);
  if (table === undefined) throw new Error(`no quantity ${quantity}`);
  const value = { weight: 8, arbitrary: anyValue(table) };
  const codes: SensedValue[] = [
    ...(row.failure === undefined ? [] : ['failed' as const]),
    ...(row.unavailable === undefined ? [] : ['unavailable' as const]),
  ];
  return codes.length === 0 ? value.arbitrary : fc.oneof(value, fc.constantFrom(...codes));
}

function anyValue(row: QuantityRow): fc.Arbitrary<unknown> {
  switch (row.kind) {
    case 'measure':
      return fc.double({ min: row.span[0], max: row.span[1], noNaN: true });
    case 'switch':
      return fc.boolean();
    case 'choice':
      return fc.constantFrom(...row.words);
    case 'day':
      return fc.integer({ min: DAYS[0], max: DAYS[1] });
    case 'serial':
      return fc.nat(0xffff_fffd);
    case 'codes':
      return fc.uniqueArray(fc.integer({ min: 1, max: 0xffff }), { maxLength: 8 });
    default:
      return row satisfies never;
  }
}

const anyNumber = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(Number.NaN, -0));
const anyBytes = (length: number) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.uint8Array({ minLength: length, maxLength: length }) },
    { weight: 2, arbitrary: fc.constantFrom(0, 255).map((byte) => new Uint8Array(length).fill(byte)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 10 }) },
  );

/** Signals as no box would send them: any bytes at the PIDs and in the frames of a model, and at others. */
function anySignals(model: VehicleModel): fc.Arbitrary<Signals> {
  const pids = model.rows.flatMap(({ source }) => (source.from === 'obd' ? [source] : []));
  const answers = pids.map(({ pid, bytes }) => fc.record({ pid: fc.constant(pid), data: anyBytes(bytes) }));
  const frames = model.frames.map(({ bus, id, bytes }) =>
    fc.record({ bus: fc.constant(bus), id: fc.constant(id), data: anyBytes(bytes) }),
  );
  const strange = {
    obd: fc.record({ pid: fc.nat(255), data: fc.uint8Array({ maxLength: 10 }) }),
    can: fc.record({
      bus: fc.constantFrom<0 | 1>(0, 1),
      id: fc.nat(0x1fff_ffff),
      data: fc.uint8Array({ maxLength: 10 }),
    }),
  };
  return fc.record(
    {
      obd: fc.array(fc.oneof(strange.obd, ...answers)),
      troubleCodes: fc.array(fc.nat(0xffff)),
      can: fc.array(fc.oneof(strange.can, ...frames)),
      digital: fc.nat(0xffff),
      analog: fc.array(fc.record({ port: fc.nat(9), millivolts: fc.nat(0xffff) })),
      gnss: fc.record({
        quality: fc.constantFrom<0 | 1 | 2 | 6>(0, 1, 2, 6),
        latitude: anyNumber,
        longitude: anyNumber,
        altitudeM: anyNumber,
        speedKph: anyNumber,
        headingDegrees: anyNumber,
        satellites: anyNumber,
        hdop: anyNumber,
      }),
      modem: fc.record({ csq: anyNumber, network: fc.nat() }),
      power: fc.record({
        supplyMillivolts: anyNumber,
        backupMillivolts: anyNumber,
        backupPercent: anyNumber,
        backupCharging: fc.boolean(),
      }),
    },
    { requiredKeys: [] },
  );
}

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
          const signals = overTheWire(
            signalsBy(model, sensations.ignitionOn, true, (name) => sensations[name]),
            generation,
          );
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
