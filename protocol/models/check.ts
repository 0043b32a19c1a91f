import { limits } from '../limits.ts';
import { OBD_ROWS, obdRow } from '../obd.ts';
import {
  highestRaw,
  isSwitch,
  MEASURES,
  type Quantity,
  type SignalRow,
  type Source,
  type VehicleModel,
} from './model.ts';

/** A PID and a quantity that mean the same, so that a row cannot read the tank as a speed. */
const PID_QUANTITIES: Readonly<Partial<Record<(typeof OBD_ROWS)[number]['name'], Quantity>>> = {
  vehicleSpeed: 'speedKph',
  engineSpeed: 'engineRpm',
  coolantTemperature: 'coolantTemperatureC',
  fuelLevel: 'energyPercent',
  hybridBatteryLife: 'energyPercent',
  odometer: 'mileageKm',
  controlModuleVoltage: 'onboardVolts',
};

/** What is wrong with a model's rows, one English sentence each; empty: nothing. */
export function faultsOfModel(model: VehicleModel): readonly string[] {
  const faults = model.rows.flatMap((row) =>
    rowFaults(model, row).map((fault) => `${place(row.source)}: ${fault}`),
  );
  return [...faults, ...overlaps(model), ...repetitions(model), ...tooMany(model)];
}

function rowFaults(model: VehicleModel, row: SignalRow): readonly string[] {
  const faults = [...sourceFaults(model, row)];
  const highest = highestRaw(row.source);
  if (isSwitch(row.quantity)) {
    if (row.factor !== 1 || row.offset !== 0) faults.push('a switch has factor 1 and offset 0');
  } else {
    if (row.inverted === true) faults.push('only a switch can be inverted');
    if (row.factor === 0 || !Number.isFinite(row.factor)) faults.push('the factor says nothing');
    if (highest === 1) faults.push('one bit holds no number');
    if (!holds(row, MEASURES[row.quantity])) faults.push(`${row.quantity} does not fit into it`);
  }
  for (const code of [row.unavailable, row.failure]) {
    if (code === undefined) continue;
    if (!Number.isInteger(code) || code < 0 || code > highest) faults.push(`${code} cannot be written there`);
    if (isSwitch(row.quantity) && code < 2) faults.push(`${code} already means yes or no`);
  }
  if (row.unavailable !== undefined && row.unavailable === row.failure) {
    faults.push('unavailable and failure are the same number');
  }
  return faults;
}

function sourceFaults(
  model: VehicleModel,
  { source, quantity, factor, offset }: SignalRow,
): readonly string[] {
  switch (source.from) {
    case 'obd': {
      const standard = obdRow(source.pid);
      if (standard === undefined) return ['SAE J1979 has no such PID here'];
      const faults = [];
      if (standard.bytes !== source.bytes) faults.push(`the answer has ${standard.bytes} bytes`);
      if (standard.factor !== factor || standard.offset !== offset)
        faults.push('the scaling is not SAE J1979');
      const named = OBD_ROWS.find((row) => row.pid === source.pid);
      if (named !== undefined && PID_QUANTITIES[named.name] !== quantity) faults.push(`it is no ${quantity}`);
      return faults;
    }
    case 'can': {
      const shape = model.frames.find((frame) => frame.bus === source.bus && frame.id === source.id);
      if (shape === undefined) return ['the vehicle sends no such frame'];
      const bits = bitsOf(source);
      if (source.bits < 1 || source.bits > 32) return [`${source.bits} bits are no signal`];
      return bits.every((bit) => bit >= 0 && bit < shape.bytes * 8) ? [] : ['it leaves the frame'];
    }
    case 'digital':
      if (!isSwitch(quantity)) return ['a port holds no number'];
      return source.port >= 0 && source.port < 16 ? [] : ['there are 16 ports'];
    case 'analog':
      return source.port >= 0 && source.port < limits.analogPorts
        ? []
        : [`there are ${limits.analogPorts} ports`];
    default:
      return source satisfies never;
  }
}

/** Whether the numbers below the row's codes hold the whole span of the quantity. */
function holds(row: SignalRow, [lowest, highest]: readonly [number, number]): boolean {
  const top = Math.min(
    highestRaw(row.source),
    (row.unavailable ?? Infinity) - 1,
    (row.failure ?? Infinity) - 1,
  );
  return row.offset <= lowest && top * row.factor + row.offset >= highest;
}

/** The bit numbers, as DBC files count them, that a CAN signal takes. */
function bitsOf(source: Extract<Source, { from: 'can' }>): readonly number[] {
  const bits: number[] = [];
  let bit = source.startBit;
  for (let left = source.bits; left > 0; left -= 1) {
    bits.push(bit);
    if (source.order === 'little') bit += 1;
    else bit = bit % 8 === 0 ? bit + 15 : bit - 1;
  }
  return bits;
}

function overlaps(model: VehicleModel): readonly string[] {
  const owners = new Map<string, string>();
  const faults: string[] = [];
  for (const row of model.rows) {
    const { source } = row;
    const cells =
      source.from === 'can'
        ? bitsOf(source).map((bit) => `${source.bus}/${source.id}/${bit}`)
        : [place(source)];
    for (const cell of cells) {
      const owner = owners.get(cell);
      if (owner !== undefined) {
        faults.push(`${place(source)}: ${row.quantity} lies on ${owner}`);
        break;
      }
      owners.set(cell, row.quantity);
    }
  }
  return faults;
}

function repetitions(model: VehicleModel): readonly string[] {
  const ids = model.frames.map((frame) => `${frame.bus}/${frame.id}`);
  const faults = ids
    .filter((id, index) => ids.indexOf(id) !== index)
    .map((id) => `frame ${id} stands there twice`);
  for (const frame of model.frames) {
    if (frame.id < 0 || frame.id >= 0x2000_0000)
      faults.push(`frame ${frame.id}: an identifier has 29 bits at most`);
  }
  return faults;
}

function tooMany(model: VehicleModel): readonly string[] {
  const faults: string[] = [];
  const pids = model.rows.filter((row) => row.source.from === 'obd').length;
  if (pids > limits.obdValues) faults.push(`${pids} PIDs are more than ${limits.obdValues}`);
  if (model.frames.length > limits.canFrames) faults.push(`more than ${limits.canFrames} CAN frames`);
  return faults;
}

function place(source: Source): string {
  if (source.from === 'obd') return `PID ${source.pid.toString(16).padStart(2, '0')}`;
  if (source.from === 'can') return `CAN ${source.bus} ${source.id.toString(16)} bit ${source.startBit}`;
  return `${source.from} port ${source.port}`;
}
