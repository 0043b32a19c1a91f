import fc from 'fast-check';
import { bitPlaces } from './plain-dbc.ts';

/** What a vehicle's bus says in the words of most databases, and what the service makes of it. */
export interface Meaning {
  readonly quantity: string;
  readonly name: string;
  readonly unit: string;
  /** quantity = signal × per + plus */
  readonly per: number;
  readonly plus: number;
  /** What a signal must be able to say, in the unit of the quantity. */
  readonly span: readonly [number, number];
  /** A signal that can say more means something else; in the unit of the quantity. */
  readonly most?: number;
  /** The properties of the vehicle state; empty: none. */
  readonly properties: readonly string[];
}

type Of = Omit<Meaning, 'unit' | 'per' | 'plus'>;
const inUnits = (
  of: Of,
  units: Readonly<Record<string, number | readonly [number, number]>>,
): readonly Meaning[] =>
  Object.entries(units).map(([unit, scale]) => {
    const [per, plus] = typeof scale === 'number' ? [scale, 0] : scale;
    return { ...of, unit, per, plus };
  });

/** By quantity: each in several units, after NIST SP 811. */
export const MEANINGS: readonly (readonly Meaning[])[] = [
  inUnits(
    { quantity: 'speedKph', name: 'VehicleSpeed', span: [0, 200], properties: ['speed_in_kph'] },
    { 'km/h': 1, mph: 1.609344, 'm/s': 3.6 },
  ),
  inUnits(
    { quantity: 'mileageKm', name: 'Odometer', span: [0, 500_000], properties: ['mileage_in_kilometers'] },
    { km: 1, mi: 1.609344, m: 0.001 },
  ),
  inUnits(
    {
      quantity: 'onboardVolts',
      name: 'BatteryVoltage',
      span: [0, 16],
      most: 60,
      properties: ['onboard_voltage_in_volts'],
    },
    { V: 1, mV: 0.001 },
  ),
  inUnits(
    {
      quantity: 'energyPercent',
      name: 'FuelLevel',
      span: [0, 100],
      properties: ['fuel_level_in_percent', 'state_of_charge_or_fuel_level_in_percent'],
    },
    { '%': 1 },
  ),
  inUnits(
    {
      quantity: 'rangeKm',
      name: 'DistanceToEmpty',
      span: [0, 1_000],
      properties: ['remaining_range_in_kilometers'],
    },
    { km: 1, miles: 1.609344 },
  ),
  inUnits({ quantity: 'engineRpm', name: 'EngineSpeed', span: [0, 8_000], properties: [] }, { rpm: 1 }),
  inUnits(
    { quantity: 'coolantTemperatureC', name: 'CoolantTemp', span: [-40, 150], properties: [] },
    { '°C': 1, '°F': [5 / 9, -160 / 9], K: [1, -273.15] },
  ),
];

export interface BusSignal {
  readonly meaning: Meaning;
  readonly startBit: number;
  readonly bits: number;
  readonly isBig: boolean;
  readonly isSigned: boolean;
  readonly factor: number;
  readonly offset: number;
  /** The raw number that the value table calls SNA. */
  readonly code: number | undefined;
  readonly page: string;
  readonly valueType: number;
}

export interface BusFrame {
  /** As a file has it: bit 31 for one of 29 bits. */
  readonly number: number;
  readonly bytes: number;
  readonly signals: readonly BusSignal[];
}

const anyShape = fc.record({
  places: fc.array(fc.nat(63), { minLength: 12, maxLength: 12 }),
  bits: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 9, max: 32 }) }, fc.integer({ min: 33, max: 48 })),
  isBig: fc.boolean(),
  isSigned: fc.boolean(),
  slack: fc.double({ min: 1.1, max: 3, noNaN: true }),
  hasCode: fc.boolean(),
  page: fc.constantFrom('', '', '', '', '', 'M', 'm0', 'm5', 'm5M'),
  valueType: fc.constantFrom(0, 0, 0, 0, 0, 1, 2),
  frame: fc.nat(3),
});
const anyFrame = fc.record({
  id: fc.constantFrom(0, 1, 0x100, 0x7ff),
  isExtended: fc.boolean(),
  more: fc.constantFrom(0, 0x800, 0x18fe_0000, 0x18ff_0000),
  bytes: fc.constantFrom(4, 7, 8, 8, 8, 12),
});

/** A bus of up to four frames with these signals, no two of which share a bit. */
export const anyBus: fc.Arbitrary<readonly BusFrame[]> = fc
  .record({
    meanings: fc.tuple(...MEANINGS.map((all) => fc.constantFrom(...all))),
    shapes: fc.array(anyShape, { minLength: MEANINGS.length, maxLength: MEANINGS.length }),
    frames: fc.uniqueArray(
      anyFrame.map(({ id, isExtended, more, bytes }) => ({
        number: isExtended ? id + more + 0x8000_0000 : id,
        bytes,
      })),
      { minLength: 4, maxLength: 4, selector: ({ number }) => number },
    ),
  })
  .map(({ meanings, shapes, frames }) => {
    const taken = frames.map(() => new Set<number>());
    const signals = frames.map((): BusSignal[] => []);
    for (const [index, meaning] of meanings.entries()) {
      const shape = shapes[index];
      if (shape === undefined) continue;
      const { bits, isBig, isSigned, page, valueType } = shape;
      const own = taken[shape.frame] ?? new Set();
      const size = 8 * (frames[shape.frame]?.bytes ?? 0);
      const startBit = shape.places.find((start) =>
        bitPlaces({ startBit: start, bits, isBig }).every((place) => place < size && !own.has(place)),
      );
      if (startBit === undefined) continue;
      for (const place of bitPlaces({ startBit, bits, isBig })) own.add(place);
      const scale = scaleOf(meaning, shape);
      const code = shape.hasCode ? 2 ** (isSigned ? bits - 1 : bits) - 1 : undefined;
      signals[shape.frame]?.push({
        meaning,
        startBit,
        bits,
        isBig,
        isSigned,
        ...scale,
        code,
        page,
        valueType,
      });
    }
    return frames.map((frame, index) => ({ ...frame, signals: signals[index] ?? [] }));
  });

/** A factor and an offset with few digits, with which the raw numbers reach over the span. */
function scaleOf(
  { span: [low, high], per, plus, most = Number.POSITIVE_INFINITY }: Meaning,
  {
    bits,
    isSigned,
    slack,
  }: Pick<typeof anyShape extends fc.Arbitrary<infer Shape> ? Shape : never, 'bits' | 'isSigned' | 'slack'>,
): { readonly factor: number; readonly offset: number } {
  const [from, to] = [(low - plus) / per, (high - plus) / per];
  const end = Math.min(from + (to - from) * slack, (most - plus) / per);
  const steps = 2 ** bits - 2;
  const factor = Number((((end - from) / steps) * 1.001).toPrecision(5));
  const lowest = isSigned ? from + factor * 2 ** (bits - 1) : from;
  // Below the span, so that no rounding of the file's digits cuts it.
  return { factor, offset: lowest === 0 ? 0 : Number((lowest - 0.01).toFixed(3)) };
}

/** The text of its database. */
export function busText(frames: readonly BusFrame[]): string {
  const lines = frames.flatMap(({ number, bytes, signals }, index) => [
    `BO_ ${number} Frame${index}: ${bytes} Unit`,
    ...signals.map(
      (one) =>
        ` SG_ ${one.meaning.name} ${one.page === '' ? '' : `${one.page} `}: ${one.startBit}|${one.bits}@${one.isBig ? 0 : 1}${one.isSigned ? '-' : '+'} (${one.factor},${one.offset}) [0|0] "${one.meaning.unit}" Unit`,
    ),
    '',
  ]);
  const tails = frames.flatMap(({ number, signals }) =>
    signals.flatMap(({ meaning, code, valueType }) => [
      ...(valueType === 0 ? [] : [`SIG_VALTYPE_ ${number} ${meaning.name} : ${valueType};`]),
      ...(code === undefined ? [] : [`VAL_ ${number} ${meaning.name} ${code} "SNA" ;`]),
    ]),
  );
  return [...lines, ...tails, ''].join('\n');
}
