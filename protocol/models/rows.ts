import { OBD_PARTS, OBD_ROWS, type ObdName, type ObdPart, type ObdPartName, type ObdRow } from '../obd.ts';
import type { SignalRow, SignalSource } from './model.ts';
import { type ChoiceQuantity, type Quantity, quantityRow, type SwitchQuantity } from './quantities.ts';

/**
 * Functions for the rows of a model. Each row feeds the usual properties of its quantity, unless stated
 * otherwise.
 */
type CanSource = Extract<SignalSource, { from: 'can' }>;
type Codes = Partial<Pick<SignalRow, 'unavailable' | 'failure' | 'feeds'>>;

/** The signals of one CAN frame, all of one byte order: start bit and length as in a DBC file. */
export function frame(bus: 0 | 1, id: number, order: 'little' | 'big') {
  return (startBit: number, bits: number): CanSource => ({ from: 'can', bus, id, startBit, bits, order });
}

export function digital(port: number): SignalSource {
  return { from: 'digital', port };
}

export function analog(port: number): SignalSource {
  return { from: 'analog', port };
}

/** A row of any quantity whose raw numbers are the quantity's, or are scaled to it. */
export function scaled(
  source: SignalSource,
  quantity: Quantity,
  factor = 1,
  offset = 0,
  codes: Codes = {},
): SignalRow {
  // An unknown quantity is reported by the check of the models, with file and row.
  return { source, quantity, factor, offset, feeds: quantityRow(quantity)?.feeds ?? [], ...codes };
}

/** A number whose highest raw number means 'not available', and the one below it 'sensor failed'. */
export function coded(source: CanSource, quantity: Quantity, factor = 1, offset = 0): SignalRow {
  let highest = 0;
  for (let left = source.bits; left > 0; left -= 1) highest = highest * 2 + 1;
  return scaled(source, quantity, factor, offset, { unavailable: highest, failure: highest - 1 });
}

/** True or false. */
export function flag(
  source: SignalSource,
  quantity: SwitchQuantity,
  more: Codes & { inverted?: true } = {},
): SignalRow {
  return { ...scaled(source, quantity), ...more };
}

/** Two bits: 0 no, 1 yes, 2 sensor failed, 3 not available. */
export function pair(
  source: CanSource,
  quantity: SwitchQuantity,
  more: Codes & { inverted?: true } = {},
): SignalRow {
  return flag(source, quantity, { failure: 2, unavailable: 3, ...more });
}

/** The words of raw numbers. */
export function words(
  source: SignalSource,
  quantity: ChoiceQuantity,
  table: Readonly<Record<number, string>>,
  codes: Codes = {},
): SignalRow {
  return { ...scaled(source, quantity), words: table, ...codes };
}

/** The quantity of each PID of SAE J1979. */
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

/** The row of an answer, scaled as in SAE J1979. */
export function obd(name: keyof typeof OBD_QUANTITIES, codes: Codes & { inverted?: true } = {}): SignalRow {
  const standard: (ObdRow & Partial<Pick<ObdPart, 'startBit' | 'bits' | 'present'>>) | undefined = [
    ...OBD_ROWS,
    ...OBD_PARTS,
  ].find((row) => row.name === name);
  if (standard === undefined) throw new Error(`no PID is called ${name}`);
  const { pid, bytes, startBit, bits, present, factor, offset } = standard;
  const where = startBit === undefined || bits === undefined ? {} : { startBit, bits };
  const source: SignalSource = {
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

/** What every modern petrol car answers on its diagnostic port. */
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
