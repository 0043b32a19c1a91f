import { asSigned, readBits } from '../../../protocol/can.ts';
import { knownModel } from '../../../protocol/models/known-models.ts';
import type { SignalRow } from '../../../protocol/models/model.ts';
import { rawNumber, troubleCodeText } from '../../../protocol/obd.ts';
import type { Signals } from '../../../protocol/signals.ts';
import type { StateProperty, VehicleState } from '../../store/port/stored-vehicle.ts';
import { boxProperties } from '../box-properties.ts';
import { type RecordKey, ReportedProperty } from '../records.ts';
import { PartsAssembly } from './translate-parts.ts';
import {
  frameKey,
  type PropertyTarget,
  partsRow,
  readersOf,
  type SignalReader,
  type SignalTable,
} from './translate-readers.ts';

/** The translation of one report's signals: property name of the vehicle state → value, time and record. */
export type Translated = VehicleState;

/** The facts about the report. */
export interface ReportContext {
  readonly timestampMs: number;
  /** Whether the maintenance set is booked for the vehicle; otherwise its properties are absent. */
  readonly maintenance: boolean;
  /** Its place in the journal; absent: it has none. */
  readonly key?: RecordKey;
}

const OF_NO_JOURNAL: RecordKey = { epoch: 0, sequence: 0 };

/**
 * Translates raw signals into the neutral properties of the vehicle state, by the tables of the model. Total,
 * for any bytes: a raw value that is not available, of a wrong length or outside the contract's range yields
 * no property, never a wrong one; that of a failed sensor yields SENSOR_FAILURE if the property has that
 * word, and no property otherwise. A property that lapses is `null` if its signal was read and has no value:
 * its earlier value no longer applies.
 */
export function translate(model: SignalTable, signals: Signals, report: ReportContext): Translated {
  const collector = new PropertyCollector(report);
  const readers = readersOf(model);
  const { obd, can, analog, digital, troubleCodes } = signals;
  if (obd !== undefined)
    for (const { pid, data } of obd)
      for (const reader of readers.byPid.get(pid) ?? none)
        collector.setFromRow(reader, obdRaw(reader.row, data));
  if (can !== undefined)
    for (const { bus, id, data } of can)
      for (const reader of readers.byFrame.get(frameKey(bus, id)) ?? none)
        collector.setFromRow(reader, canRaw(reader.row, data));
  if (analog !== undefined)
    for (const { port, millivolts } of analog)
      for (const reader of readers.byAnalogPort.get(port) ?? none) collector.setFromRow(reader, millivolts);
  if (digital !== undefined)
    for (const reader of readers.digital) collector.setFromRow(reader, (digital >> reader.port) & 1);
  if (troubleCodes !== undefined)
    for (const target of readers.codes) collector.setTarget(target, codeTexts(troubleCodes));
  collector.setFromParts();
  boxProperties(signals, collector);
  return collector.properties;
}

/** The properties of one report so far. Of two values of a property the first one stays. */
class PropertyCollector {
  readonly properties: Record<string, StateProperty> = {};
  readonly #timestampMs: number;
  readonly #maintenance: boolean;
  readonly #key: RecordKey;
  #assemblies: Map<string, PartsAssembly> | undefined;

  constructor(report: ReportContext) {
    this.#timestampMs = report.timestampMs;
    this.#maintenance = report.maintenance;
    this.#key = report.key ?? OF_NO_JOURNAL;
  }

  set(name: string, value: unknown): void {
    if (value === undefined) return;
    const before = this.properties[name];
    // Another source may have a value if the first one has none.
    if (before === undefined || (before.value === null && value !== null))
      this.properties[name] = new ReportedProperty(value, this.#timestampMs, this.#key);
  }

  /** Adds a row's raw number. */
  setFromRow({ targets }: SignalReader, raw: number | undefined): void {
    if (raw === undefined) return;
    for (const target of targets) {
      if (this.#isBooked(target)) this.#put(target, target.make(raw, this.#timestampMs));
    }
  }

  setTarget(target: PropertyTarget, value: unknown): void {
    if (this.#isBooked(target)) this.#put(target, value);
  }

  /** All signals are read: assembles the properties with parts. */
  setFromParts(): void {
    if (this.#assemblies === undefined) return;
    for (const [name, assembly] of this.#assemblies) {
      const row = partsRow(name);
      const value = row === undefined ? assembly.asDate() : assembly.asObject(row);
      this.set(name, value ?? (row?.lapses === true ? null : undefined));
    }
  }

  #isBooked(target: PropertyTarget): boolean {
    return this.#maintenance || !target.isMaintenance;
  }

  #put(target: PropertyTarget, value: unknown): void {
    if (value === undefined && !target.lapses) return;
    if (target.part.length === 0) {
      this.set(target.name, value ?? null);
      return;
    }
    this.#assemblies ??= new Map();
    let assembly = this.#assemblies.get(target.name);
    if (assembly === undefined) {
      assembly = new PartsAssembly();
      this.#assemblies.set(target.name, assembly);
    }
    if (value !== undefined) assembly.put(target.part, value);
  }
}

/** The same by the name of a known model; an unknown name yields the box's own properties only. */
export function translateNamed(model: string, signals: Signals, report: ReportContext): Translated {
  return translate(knownModel(model) ?? unknownModel, signals, report);
}

const none: readonly SignalReader[] = [];
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
  if (source.from !== 'can') return undefined;
  const raw = readBits(data, source.startBit, source.bits, source.order);
  return raw !== undefined && source.signed === true ? asSigned(raw, source.bits) : raw;
}

/** Each code once; 0 is padding. */
function codeTexts(codes: readonly number[]): readonly string[] {
  return [...new Set(codes.filter((code) => code !== 0).map(troubleCodeText))];
}
