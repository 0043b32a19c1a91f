import fc from 'fast-check';
import type { SignalRow, VehicleModel } from '../../../protocol/models/model.ts';
import { DAYS, type Quantity, type QuantityRow, quantityRow } from '../../../protocol/models/quantities.ts';
import type { SensedQuantities, SensedValue } from '../../../protocol/models/raw.ts';
import type { Signals } from '../../../protocol/signals.ts';
import type { Quantities } from '../../../simulator/vehicle/sensing/signals.ts';

/** Anything that the sensors of a model can have to say, within the spans of its quantities. */
export function anyQuantities(model: VehicleModel): fc.Arbitrary<Quantities> {
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
export function anySignals(model: VehicleModel): fc.Arbitrary<Signals> {
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
