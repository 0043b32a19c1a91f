import type { SignalRow, SignalSource } from './model.ts';
import type { DayQuantity, MeasureQuantity, SwitchQuantity } from './quantities.ts';
import { coded, digital, flag, pair, scaled } from './rows.ts';

/** Rows that several models share. */
type Signal = (startBit: number, bits: number) => Extract<SignalSource, { from: 'can' }>;

/**
 * Consecutive switches of two bits each (see `pair`), from the first bit of a frame on. Bits are counted in
 * the order of transmission: Intel from bit 0 upwards, Motorola from bit 7 of byte 0 downwards.
 */
export function inRow(
  signal: Signal,
  firstBit: number,
  switches: readonly SwitchQuantity[],
): readonly SignalRow[] {
  return switches.map((quantity, index) => {
    const place = firstBit + 2 * index;
    const { order } = signal(0, 2);
    const startBit = order === 'little' ? place : place - (place % 8) + 7 - (place % 8);
    return pair(signal(startBit, 2), quantity);
  });
}

/** What the body of a car with a sunroof reports, for `inRow`. */
export const BODY_SWITCHES: readonly SwitchQuantity[] = [
  'ignitionOn',
  'anyDoorOpen',
  'locked',
  'drivingEnabled',
  'windowsOpen',
  'sunroofOpen',
];

/** The belts of five seats, for `inRow`. */
export const FIVE_BELTS: readonly SwitchQuantity[] = [
  'beltFrontLeft',
  'beltFrontRight',
  'beltRow2Left',
  'beltRow2Middle',
  'beltRow2Right',
];

/** The warning lamps of a car with a combustion engine, for `inRow`. */
export const WARNING_LAMPS: readonly SwitchQuantity[] = [
  'absWarning',
  'brakeFluidLow',
  'brakeLiningWorn',
  'brakeWarning',
  'checkEngine',
  'coolantLow',
  'coolantHot',
  'oilPressureLow',
  'epcWarning',
  'espWarning',
  'powerSteeringFailed',
  'starterBatteryWarning',
  'tirePressureWarning',
];

/** What the battery in a port reports, in the first six bytes of an Intel frame. */
export function batteryRows(signal: Signal, port: 1 | 2): readonly SignalRow[] {
  return [
    coded(signal(0, 8), `battery${port}Percent`, 0.5),
    coded(signal(8, 8), `battery${port}TemperatureC`, 1, -50),
    coded(signal(16, 16), `battery${port}Volts`, 0.01),
    coded(signal(32, 16), `battery${port}Cycles`),
  ];
}

/** The four wires from the box to the body of a car, at four consecutive ports from `firstPort`. */
export function bodyPorts(firstPort: number): readonly SignalRow[] {
  return [
    flag(digital(firstPort), 'ignitionOn'),
    flag(digital(firstPort + 1), 'anyDoorOpen', { inverted: true }),
    flag(digital(firstPort + 2), 'locked'),
    flag(digital(firstPort + 3), 'drivingEnabled', { inverted: true }),
  ];
}

/** 2000-01-01 in days since 1970. */
const YEAR_2000 = 10_957;

/** A due date as days since 2000, in 16 bits. */
export function dueDays(source: Extract<SignalSource, { from: 'can' }>, quantity: DayQuantity): SignalRow {
  return coded(source, quantity, 1, YEAR_2000);
}

/**
 * A due date as year without century (7 bits), month (4) and day (5), each with its own source; year 127:
 * none.
 */
export function dueDate(
  quantity: DayQuantity,
  places: Readonly<Record<'year' | 'month' | 'day', SignalSource>>,
): readonly SignalRow[] {
  return [
    { ...scaled(places.year, quantity, 1, 0, { unavailable: 127 }), part: 'year' },
    { ...scaled(places.month, quantity), part: 'month' },
    { ...scaled(places.day, quantity), part: 'day' },
  ];
}

/** Oil change, service and brake fluid as due dates (see `dueDays`), at the start of a frame. */
export function dueDaysInRow(signal: Signal): readonly SignalRow[] {
  const quantities = ['oilDueDay', 'serviceDueDay', 'brakeFluidDueDay'] as const;
  const first = signal(0, 16).order === 'little' ? 0 : 7;
  return quantities.map((quantity, index) => dueDays(signal(first + 16 * index, 16), quantity));
}

/** The remaining distance until something is due, in 16 bits; below 0 it is overdue. */
export function dueKm(source: Extract<SignalSource, { from: 'can' }>, quantity: MeasureQuantity): SignalRow {
  return coded(source, quantity, 1, -10_000);
}
