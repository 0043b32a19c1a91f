import { wireLimits } from '../limits.ts';
import { OBD_PARTS, OBD_ROWS, type ObdPart, type ObdRow } from '../obd.ts';
import {
  highestRaw,
  isSigned,
  lowestRaw,
  type SignalRow,
  type SignalSource,
  type VehicleModel,
  valueRange,
} from './model.ts';
import { isInFrame, occupiedBits } from './occupied-bits.ts';
import { DAYS, type QuantityRow, quantityRow } from './quantities.ts';
import { OBD_QUANTITIES } from './rows.ts';
import { MODEL_TRAITS } from './traits.ts';

/**
 * The faults of a model, one English sentence each; empty if there are none. A sentence names model, row and
 * place: `city-car: rows[4] (CAN 1 3c5 bit 0): the range of rangeKm does not fit`.
 */
export function modelFaults(model: VehicleModel): readonly string[] {
  const ofRows = model.rows.flatMap((row, index) =>
    rowFaults(model, row).map((fault) => `${rowPath(row, index)}: ${fault}`),
  );
  const faults = [
    ...bodyFaults(model),
    ...ofRows,
    ...overlaps(model),
    ...repetitions(model),
    ...tooMany(model),
  ];
  return faults.map((fault) => `${model.name}: ${fault}`);
}

/** The position of a row in a model, for people. */
export function rowPath(row: SignalRow, index: number): string {
  return `rows[${index}] (${place(row.source)})`;
}

function bodyFaults({ body, fuelType, vehicleType }: VehicleModel): readonly string[] {
  const faults: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'number' && name !== 'doors' && !(value > 0))
      faults.push(`body.${name} must be above 0`);
  }
  if (fuelType === 'ELECTRIC' && body.hybrid !== undefined) faults.push('body.hybrid: it burns no fuel');
  if (body.hybrid !== undefined && body.chargeKw === undefined)
    faults.push('body.hybrid: a plug-in hybrid has a chargeKw');
  if (fuelType !== 'DIESEL' && body.adblue !== undefined) faults.push('body.adblue: only a diesel needs it');
  if (fuelType !== 'ELECTRIC' && body.batteryPorts !== undefined)
    faults.push('body.batteryPorts: only an electric vehicle has them');
  if (vehicleType === 'MOPED' && body.doors !== 0) faults.push('body.doors: a two-wheeler has none');
  return faults;
}

function rowFaults(model: VehicleModel, row: SignalRow): readonly string[] {
  const quantity: QuantityRow | undefined = quantityRow(row.quantity);
  if (quantity === undefined) return [`${row.quantity} is not a quantity of protocol/models/quantities.ts`];
  const faults = [...sourceFaults(model, row), ...kindFaults(row, quantity), ...codeFaults(row, quantity)];
  const trait = quantity.of === undefined ? undefined : MODEL_TRAITS[quantity.of];
  if (trait?.isOf(model) === false) faults.push(`no ${row.quantity} here: ${trait.lack}`);
  return faults;
}

/** Whether the row has exactly the parameters that its kind of quantity needs. */
function kindFaults(row: SignalRow, quantity: QuantityRow): readonly string[] {
  const faults: string[] = [];
  const { kind } = quantity;
  const isScaled = row.factor !== 1 || row.offset !== 0;
  if (!(row.factor > 0) || !Number.isFinite(row.factor) || !Number.isFinite(row.offset))
    faults.push('factor and offset must be finite, the factor above 0');
  if (isScaled && kind !== 'measure' && kind !== 'day') faults.push(`a ${kind} has factor 1 and offset 0`);
  if (row.inverted === true && kind !== 'switch') faults.push('only a switch can be inverted');
  if (row.words !== undefined && kind !== 'choice') faults.push('only a choice has words');
  if (row.part !== undefined && kind !== 'day') faults.push('only a day has parts');
  if (kind === 'codes' && row.source.from !== 'trouble-codes')
    faults.push(`${row.quantity} can only come from mode 03`);
  if (kind !== 'codes' && row.source.from === 'trouble-codes')
    faults.push(`mode 03 does not contain ${row.quantity}`);
  if (kind !== 'switch' && highestRaw(row.source) - lowestRaw(row.source) === 1)
    faults.push('one bit is too small for a number');
  if (kind === 'serial' && highestRaw(row.source) !== 0xffff_ffff) faults.push('a serial number has 32 bits');
  // One bit of two's complement is 0 or -1, and -1 is no yes.
  if (isSigned(row.source) && kind !== 'measure' && kind !== 'day') faults.push(`a ${kind} is not signed`);
  const span = spanOf(row, quantity);
  if (span !== undefined && !holds(row, span)) faults.push(`the range of ${row.quantity} does not fit`);
  if (quantity.kind === 'choice') faults.push(...wordFaults(row, quantity.words));
  return faults;
}

/** The range that a signal must represent; undefined: none. */
function spanOf(row: SignalRow, quantity: QuantityRow): readonly [number, number] | undefined {
  if (quantity.kind === 'measure') return quantity.span;
  if (quantity.kind !== 'day') return undefined;
  if (row.part === undefined) return DAYS;
  return { year: [0, 99], month: [1, 12], day: [1, 31] }[row.part] as [number, number];
}

function wordFaults(
  { words = {}, source, ...codes }: SignalRow,
  known: readonly string[],
): readonly string[] {
  const raws = Object.keys(words).map(Number);
  const faults = Object.values(words)
    .filter((word) => !known.includes(word))
    .map((word) => `${word} is not one of ${known.join(', ')}`);
  if (raws.length === 0) faults.push('a choice needs words');
  for (const raw of raws) {
    if (!(Number.isInteger(raw) && raw >= 0 && raw <= highestRaw(source)))
      faults.push(`${raw} is outside the range of the signal`);
    if (raw === codes.unavailable || raw === codes.failure) faults.push(`${raw} is both a word and a code`);
  }
  return faults;
}

function codeFaults(row: SignalRow, { kind }: QuantityRow): readonly string[] {
  const highest = highestRaw(row.source);
  const faults: string[] = [];
  for (const code of [row.unavailable, row.failure]) {
    if (code === undefined) continue;
    if (!Number.isInteger(code) || code < lowestRaw(row.source) || code > highest)
      faults.push(`${code} is outside the range of the signal`);
    if (kind === 'switch' && code < 2) faults.push(`${code} already means yes or no`);
  }
  if (row.unavailable !== undefined && row.unavailable === row.failure)
    faults.push('unavailable and failure are the same number');
  return faults;
}

function sourceFaults(model: VehicleModel, row: SignalRow): readonly string[] {
  const { source } = row;
  switch (source.from) {
    case 'obd':
      return obdFaults(row, source);
    case 'can': {
      const shape = model.frames.find((frame) => frame.bus === source.bus && frame.id === source.id);
      if (shape === undefined) return ['the vehicle sends no such frame'];
      if (!Number.isInteger(source.bits) || source.bits < 1 || source.bits > 32)
        return [`a signal cannot have ${source.bits} bits`];
      return isInFrame(source, shape.bytes) ? [] : ['it extends beyond the frame'];
    }
    case 'digital':
      if (quantityRow(row.quantity)?.kind !== 'switch') return ['a digital port cannot hold a number'];
      return isPort(source.port, 16) ? [] : ['there are 16 ports'];
    case 'analog':
      return isPort(source.port, wireLimits.analogPorts) ? [] : [`there are ${wireLimits.analogPorts} ports`];
    case 'trouble-codes':
      return [];
    default:
      return source satisfies never;
  }
}

function isPort(port: number, count: number): boolean {
  return Number.isInteger(port) && port >= 0 && port < count;
}

function obdFaults(row: SignalRow, source: Extract<SignalSource, { from: 'obd' }>): readonly string[] {
  const rows: readonly (ObdRow & Partial<ObdPart>)[] = [...OBD_ROWS, ...OBD_PARTS];
  const standard = rows.find(({ pid }) => pid === source.pid);
  if (standard === undefined) return ['SAE J1979 has no such PID here'];
  const faults = [];
  if (standard.bytes !== source.bytes) faults.push(`the answer has ${standard.bytes} bytes`);
  if (standard.startBit !== source.startBit || standard.bits !== source.bits)
    faults.push('its bits are not those of SAE J1979');
  if (standard.factor !== row.factor || standard.offset !== row.offset)
    faults.push('the scaling is not SAE J1979');
  const quantityOf: Readonly<Record<string, string | undefined>> = OBD_QUANTITIES;
  if (quantityOf[standard.name] !== row.quantity) faults.push(`it is not ${row.quantity}`);
  return faults;
}

/** Whether the raw numbers below the row's codes represent the whole range of the quantity. */
function holds(row: SignalRow, [lowest, highest]: readonly [number, number]): boolean {
  const [bottom, top] = valueRange(row);
  return bottom * row.factor + row.offset <= lowest && top * row.factor + row.offset >= highest;
}

function overlaps(model: VehicleModel): readonly string[] {
  const owners = new Map<string, string>();
  const faults: string[] = [];
  for (const [index, row] of model.rows.entries()) {
    for (const cell of occupiedBits(row.source)) {
      const owner = owners.get(cell);
      if (owner !== undefined) {
        faults.push(`${rowPath(row, index)}: ${row.quantity} overlaps ${owner}`);
        break;
      }
      owners.set(cell, row.quantity);
    }
  }
  return faults;
}

function repetitions(model: VehicleModel): readonly string[] {
  const ids = model.frames.map((frame) => `${frame.bus}/${frame.id.toString(16)}`);
  const faults = ids
    .filter((id, index) => ids.indexOf(id) !== index)
    .map((id) => `frame ${id} is listed twice`);
  for (const { id } of model.frames) {
    if (!Number.isInteger(id) || id < 0 || id >= 0x2000_0000)
      faults.push(`frame ${id}: an identifier has 29 bits at most`);
  }
  return faults;
}

function tooMany(model: VehicleModel): readonly string[] {
  const faults: string[] = [];
  const pids = new Set(model.rows.flatMap(({ source }) => (source.from === 'obd' ? [source.pid] : [])));
  if (pids.size > wireLimits.obdValues)
    faults.push(`${pids.size} PIDs are more than ${wireLimits.obdValues}`);
  if (model.frames.length > wireLimits.canFrames) faults.push(`more than ${wireLimits.canFrames} CAN frames`);
  return faults;
}

function place(source: SignalSource): string {
  if (source.from === 'obd') {
    const pid = `PID ${source.pid.toString(16).padStart(2, '0')}`;
    return source.startBit === undefined ? pid : `${pid} bit ${source.startBit}`;
  }
  if (source.from === 'can') return `CAN ${source.bus} ${source.id.toString(16)} bit ${source.startBit}`;
  return source.from === 'trouble-codes' ? 'mode 03' : `${source.from} port ${source.port}`;
}
