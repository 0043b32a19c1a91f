import { readBits } from '../../protocol/can.ts';
import type { SignalRow } from '../../protocol/models/model.ts';
import { MODELS } from '../../protocol/models/models.ts';
import { rawNumber, troubleCodeText } from '../../protocol/obd.ts';
import type { Signals } from '../../protocol/signals.ts';
import { boxProperties } from './box-properties.ts';
import type { Properties } from './records.ts';
import { Assembly } from './translate-parts.ts';
import {
  frameKey,
  partsRow,
  type Reader,
  readersOf,
  type SignalTable,
  type Target,
} from './translate-readers.ts';

/** What one report's signals mean: property name of the vehicle state → value, and when it was so. */
export type Translated = Properties;

/** Of which report. */
export interface ReportOf {
  readonly timestampMs: number;
  /** Whether the maintenance set is booked for the vehicle; without the booking its properties are absent. */
  readonly maintenance: boolean;
}

/**
 * Raw signals into the neutral properties of the vehicle state, by the tables of the model. Total, for any bytes: a
 * raw value that is not available, of a wrong length or outside the contract's span yields no property, never a wrong
 * one; that of a failed sensor yields SENSOR_FAILURE where the property has that word, and no property elsewhere.
 */
export function translate(model: SignalTable, signals: Signals, report: ReportOf): Translated {
  const { timestampMs } = report;
  const properties: Record<string, { readonly timestampMs: number; readonly value: unknown }> = {};
  const say = (name: string, value: unknown) => {
    if (value !== undefined && properties[name] === undefined) properties[name] = { timestampMs, value };
  };
  const isBooked = (target: Target) => report.maintenance || !target.isMaintenance;
  let assemblies: Map<string, Assembly> | undefined;
  const tell = (target: Target, value: unknown) => {
    if (value === undefined) return;
    if (target.part.length === 0) return say(target.name, value);
    assemblies ??= new Map();
    const there = assemblies.get(target.name) ?? new Assembly();
    assemblies.set(target.name, there);
    there.put(target.part, value);
  };
  const read = ({ targets }: Reader, raw: number | undefined) => {
    if (raw === undefined) return;
    for (const target of targets) if (isBooked(target)) tell(target, target.make(raw, timestampMs));
  };
  const readers = readersOf(model);
  for (const { pid, data } of signals.obd ?? [])
    for (const reader of readers.byPid.get(pid) ?? none) read(reader, obdRaw(reader.row, data));
  for (const { bus, id, data } of signals.can ?? [])
    for (const reader of readers.byFrame.get(frameKey(bus, id)) ?? none)
      read(reader, canRaw(reader.row, data));
  for (const { port, millivolts } of signals.analog ?? [])
    for (const reader of readers.byAnalogPort.get(port) ?? none) read(reader, millivolts);
  const { digital, troubleCodes } = signals;
  if (digital !== undefined) for (const reader of readers.digital) read(reader, (digital >> reader.port) & 1);
  if (troubleCodes !== undefined)
    for (const target of readers.codes) if (isBooked(target)) tell(target, codeTexts(troubleCodes));
  for (const [name, assembly] of assemblies ?? []) {
    const row = partsRow(name);
    say(name, row === undefined ? assembly.asDate() : assembly.asObject(row));
  }
  boxProperties(signals, say);
  return properties;
}

/**
 * The same by the name of a built-in model; a name that is not known yields the box's own properties only.
 * `maintenance`: the set is booked for the vehicle.
 */
export function translateNamed(
  model: string,
  signals: Signals,
  timestampMs: number,
  maintenance: boolean,
): Translated {
  return translate(MODELS.get(model) ?? unknownModel, signals, { timestampMs, maintenance });
}

const none: readonly Reader[] = [];
const unknownModel: SignalTable = { rows: [] };

function obdRaw({ source }: SignalRow, data: Uint8Array): number | undefined {
  if (source.from !== 'obd' || data.length !== source.bytes) return undefined;
  const { present, startBit, bits } = source;
  if (present !== undefined && readBits(data, present, 1, 'big') !== 1) return undefined;
  return startBit === undefined || bits === undefined
    ? rawNumber(data)
    : readBits(data, startBit, bits, 'big');
}

function canRaw({ source }: SignalRow, data: Uint8Array): number | undefined {
  return source.from === 'can' ? readBits(data, source.startBit, source.bits, source.order) : undefined;
}

/** Each code once; 0 fills an answer up and is none. */
function codeTexts(codes: readonly number[]): readonly string[] {
  return [...new Set(codes.filter((code) => code !== 0).map(troubleCodeText))];
}
