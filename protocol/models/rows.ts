import { OBD_PARTS, OBD_ROWS, type ObdName, type ObdPart, type ObdPartName, type ObdRow } from '../obd.ts';
import type { SignalRow, Source } from './model.ts';
import { type Choice, type Quantity, quantityRow, type Switch } from './quantities.ts';

/** Short ways to write the rows of a model. Each row feeds what its quantity usually feeds, unless told otherwise. */
type CanSource = Extract<Source, { from: 'can' }>;
type Codes = Partial<Pick<SignalRow, 'unavailable' | 'failure' | 'feeds'>>;

/** The signals of one CAN frame, all of one byte order: start bit and length as a DBC file has them. */
export function frame(bus: 0 | 1, id: number, order: 'little' | 'big') {
  return (startBit: number, bits: number): CanSource => ({ from: 'can', bus, id, startBit, bits, order });
}

export function digital(port: number): Source {
  return { from: 'digital', port };
}

export function analog(port: number): Source {
  return { from: 'analog', port };
}

/** A row of any quantity whose raw numbers are the quantity's, or are scaled to it. */
export function scaled(
  source: Source,
  quantity: Quantity,
  factor = 1,
  offset = 0,
  codes: Codes = {},
): SignalRow {
  // A name that is none of a quantity is for the check of the models to tell, with file and row.
  return { source, quantity, factor, offset, feeds: quantityRow(quantity)?.feeds ?? [], ...codes };
}

/** A number whose highest raw number means 'not available', and the one below it 'sensor failed'. */
export function coded(source: CanSource, quantity: Quantity, factor = 1, offset = 0): SignalRow {
  let highest = 0;
  for (let left = source.bits; left > 0; left -= 1) highest = highest * 2 + 1;
  return scaled(source, quantity, factor, offset, { unavailable: highest, failure: highest - 1 });
}

/** True or false. */
export function flag(source: Source, quantity: Switch, more: Codes & { inverted?: true } = {}): SignalRow {
  return { ...scaled(source, quantity), ...more };
}

/** Two bits: 0 no, 1 yes, 2 sensor failed, 3 not available. */
export function pair(source: CanSource, quantity: Switch, more: Codes & { inverted?: true } = {}): SignalRow {
  return flag(source, quantity, { failure: 2, unavailable: 3, ...more });
}

/** Raw numbers and the words that they stand for. */
export function words(
  source: Source,
  quantity: Choice,
  table: Readonly<Record<number, string>>,
  codes: Codes = {},
): SignalRow {
  return { ...scaled(source, quantity), words: table, ...codes };
}

/** Which quantity each PID of SAE J1979 tells. */
export const OBD_QUANTITIES = {
  coolantTemperature: 'coolantTemperatureC',
  engineSpeed: 'engineRpm',
  vehicleSpeed: 'speedKph',
  fuelLevel: 'energyPercent',
  controlModuleVoltage: 'onboardVolts',
  hybridBatteryLife: 'hybridChargePercent',
  odometer: 'mileageKm',
  malfunctionIndicator: 'checkEngine',
  exhaustFluidLevel: 'adbluePercent',
  antiLockOffSwitch: 'absEnabled',
} as const satisfies Readonly<Partial<Record<ObdName | ObdPartName, Quantity>>>;

/** The row of an answer as SAE J1979 scales it. */
export function obd(name: keyof typeof OBD_QUANTITIES, codes: Codes & { inverted?: true } = {}): SignalRow {
  const standard: (ObdRow & Partial<Pick<ObdPart, 'startBit' | 'bits' | 'present'>>) | undefined = [
    ...OBD_ROWS,
    ...OBD_PARTS,
  ].find((row) => row.name === name);
  if (standard === undefined) throw new Error(`no PID is called ${name}`);
  const { pid, bytes, startBit, bits, present, factor, offset } = standard;
  const where = startBit === undefined || bits === undefined ? {} : { startBit, bits };
  const source: Source = {
    from: 'obd',
    pid,
    bytes,
    ...where,
    ...(present === undefined ? {} : { present }),
  };
  return { ...scaled(source, OBD_QUANTITIES[name], factor, offset), ...codes };
}

/** The stored trouble codes (mode 03). */
export const troubleCodes: SignalRow = scaled({ from: 'trouble-codes' }, 'troubleCodes');

/** What every petrol car of today answers on its diagnostic port. */
export const STANDARD_OBD: readonly SignalRow[] = [
  obd('malfunctionIndicator'),
  obd('coolantTemperature'),
  obd('engineSpeed'),
  obd('vehicleSpeed'),
  obd('fuelLevel'),
  obd('controlModuleVoltage'),
  obd('odometer', { unavailable: 0xffff_ffff }),
  troubleCodes,
];
