import { readBits } from '../../protocol/can.ts';
import { isSwitch, type SignalRow, type VehicleModel } from '../../protocol/models/model.ts';
import { MODELS } from '../../protocol/models/models.ts';
import { rawNumber } from '../../protocol/obd.ts';
import type { Signals } from '../../protocol/signals.ts';
import { boxProperties } from './box-properties.ts';
import { type PropertyRow, propertyRow } from './properties.ts';
import type { Properties } from './records.ts';
import { rounded } from './rounding.ts';

/** What one report's signals mean: property name of the vehicle state → value, and when it was so. */
export type Translated = Properties;

/**
 * Raw signals into the neutral properties of the vehicle state, by the tables of the model. Total, for any bytes: a
 * raw value that is not available, failed, of a wrong length or outside the contract's span yields no property, never
 * a wrong one.
 */
export function translate(
  model: SignalTable,
  signals: Signals,
  { timestampMs }: { readonly timestampMs: number },
): Translated {
  const properties: Record<string, { readonly timestampMs: number; readonly value: unknown }> = {};
  const say = (name: string, value: unknown) => {
    if (value !== undefined && properties[name] === undefined) properties[name] = { timestampMs, value };
  };
  const readers = readersOf(model);
  for (const { pid, data } of signals.obd ?? []) {
    for (const reader of readers.byPid.get(pid) ?? none) tell(reader, obdRaw(reader.row, data), say);
  }
  for (const { bus, id, data } of signals.can ?? []) {
    for (const reader of readers.byFrame.get(frameKey(bus, id)) ?? none)
      tell(reader, canRaw(reader.row, data), say);
  }
  for (const { port, millivolts } of signals.analog ?? []) {
    for (const reader of readers.byAnalogPort.get(port) ?? none) tell(reader, millivolts, say);
  }
  const { digital } = signals;
  if (digital !== undefined) {
    for (const reader of readers.digital) tell(reader, (digital >> reader.port) & 1, say);
  }
  boxProperties(signals, say);
  return properties;
}

/** The same by the name of a built-in model; a name that is not known yields the box's own properties only. */
export function translateNamed(model: string, signals: Signals, timestampMs: number): Translated {
  return translate(MODELS.get(model) ?? unknownModel, signals, { timestampMs });
}

/** One row, ready to be read: its raw numbers become the values of these properties. */
interface Reader {
  readonly row: SignalRow;
  readonly targets: readonly { readonly name: string; readonly property: PropertyRow }[];
}

/** The rows of a model, found by where a signal comes from. */
interface Readers {
  readonly byPid: ReadonlyMap<number, readonly Reader[]>;
  readonly byFrame: ReadonlyMap<number, readonly Reader[]>;
  readonly byAnalogPort: ReadonlyMap<number, readonly Reader[]>;
  readonly digital: readonly (Reader & { readonly port: number })[];
}

const none: readonly Reader[] = [];
const compiled = new WeakMap<SignalTable, Readers>();

function readersOf(model: SignalTable): Readers {
  const found = compiled.get(model);
  if (found !== undefined) return found;
  const made = compile(model);
  compiled.set(model, made);
  return made;
}

function compile(model: SignalTable): Readers {
  const byPid = new Map<number, Reader[]>();
  const byFrame = new Map<number, Reader[]>();
  const byAnalogPort = new Map<number, Reader[]>();
  const digital: (Reader & { readonly port: number })[] = [];
  for (const row of model.rows) {
    const targets = row.feeds.flatMap((name) => {
      const property = propertyRow(name);
      return property === undefined ? [] : [{ name, property }];
    });
    if (targets.length === 0) continue;
    const { source } = row;
    if (source.from === 'obd') add(byPid, source.pid, { row, targets });
    else if (source.from === 'can') add(byFrame, frameKey(source.bus, source.id), { row, targets });
    else if (source.from === 'analog') add(byAnalogPort, source.port, { row, targets });
    else digital.push({ row, targets, port: source.port });
  }
  return { byPid, byFrame, byAnalogPort, digital };
}

function add(readers: Map<number, Reader[]>, key: number, reader: Reader): void {
  const there = readers.get(key);
  if (there === undefined) readers.set(key, [reader]);
  else there.push(reader);
}

/** Bus above the 29 bits of an identifier. */
function frameKey(bus: number, id: number): number {
  return bus * 0x2000_0000 + id;
}

function obdRaw({ source }: SignalRow, data: Uint8Array): number | undefined {
  return source.from === 'obd' && data.length === source.bytes ? rawNumber(data) : undefined;
}

function canRaw({ source }: SignalRow, data: Uint8Array): number | undefined {
  return source.from === 'can' ? readBits(data, source.startBit, source.bits, source.order) : undefined;
}

function tell(reader: Reader, raw: number | undefined, say: (name: string, value: unknown) => void): void {
  const { row, targets } = reader;
  if (raw === undefined || raw === row.unavailable || raw === row.failure) return;
  if (isSwitch(row.quantity)) {
    if (raw !== 0 && raw !== 1) return;
    const isTrue = (raw === 1) !== (row.inverted === true);
    for (const { name, property } of targets) say(name, switchValue(property, isTrue));
    return;
  }
  const physical = raw * row.factor + row.offset;
  for (const { name, property } of targets) {
    if (property.shape === 'number') say(name, rounded(physical, property));
  }
}

function switchValue(property: PropertyRow, isTrue: boolean): unknown {
  if (property.shape === 'boolean') return isTrue;
  if (property.shape === 'word') return isTrue ? property.yes : property.no;
  return undefined;
}

/** What translation needs of a model. */
export type SignalTable = Pick<VehicleModel, 'rows'>;

const unknownModel: SignalTable = { rows: [] };
