import { readBits } from '../../protocol/can.ts';
import type { SignalRow } from '../../protocol/models/model.ts';
import { MODELS } from '../../protocol/models/models.ts';
import { rawNumber, troubleCodeText } from '../../protocol/obd.ts';
import type { Signals } from '../../protocol/signals.ts';
import type { StateProperty, VehicleState } from '../store/vehicle-store.ts';
import { boxProperties } from './box-properties.ts';
import { type RecordKey, Told } from './records.ts';
import { Assembly } from './translate-parts.ts';
import {
  frameKey,
  partsRow,
  type Reader,
  readersOf,
  type SignalTable,
  type Target,
} from './translate-readers.ts';

/** What one report's signals mean: property name of the vehicle state → value, when it was so, and who told it. */
export type Translated = VehicleState;

/** Of which report. */
export interface ReportOf {
  readonly timestampMs: number;
  /** Whether the maintenance set is booked for the vehicle; without the booking its properties are absent. */
  readonly maintenance: boolean;
  /** Where it stands in the journal; absent: in none. */
  readonly key?: RecordKey;
}

const OF_NO_JOURNAL: RecordKey = { epoch: 0, sequence: 0 };

/**
 * Raw signals into the neutral properties of the vehicle state, by the tables of the model. Total, for any bytes: a
 * raw value that is not available, of a wrong length or outside the contract's span yields no property, never a wrong
 * one; that of a failed sensor yields SENSOR_FAILURE where the property has that word, and no property elsewhere. A
 * property that lapses is `null` where its signal was read and has no value: what was said of it before is no longer so.
 */
export function translate(model: SignalTable, signals: Signals, report: ReportOf): Translated {
  const telling = new Telling(report);
  const readers = readersOf(model);
  const { obd, can, analog, digital, troubleCodes } = signals;
  if (obd !== undefined)
    for (const { pid, data } of obd)
      for (const reader of readers.byPid.get(pid) ?? none) telling.read(reader, obdRaw(reader.row, data));
  if (can !== undefined)
    for (const { bus, id, data } of can)
      for (const reader of readers.byFrame.get(frameKey(bus, id)) ?? none)
        telling.read(reader, canRaw(reader.row, data));
  if (analog !== undefined)
    for (const { port, millivolts } of analog)
      for (const reader of readers.byAnalogPort.get(port) ?? none) telling.read(reader, millivolts);
  if (digital !== undefined)
    for (const reader of readers.digital) telling.read(reader, (digital >> reader.port) & 1);
  if (troubleCodes !== undefined)
    for (const target of readers.codes) telling.tell(target, codeTexts(troubleCodes));
  telling.assemble();
  boxProperties(signals, telling);
  return telling.properties;
}

/** What one report has told so far. Of two values of a property the first one stays. */
class Telling {
  readonly properties: Record<string, StateProperty> = {};
  readonly #timestampMs: number;
  readonly #maintenance: boolean;
  readonly #key: RecordKey;
  #assemblies: Map<string, Assembly> | undefined;

  constructor(report: ReportOf) {
    this.#timestampMs = report.timestampMs;
    this.#maintenance = report.maintenance;
    this.#key = report.key ?? OF_NO_JOURNAL;
  }

  say(name: string, value: unknown): void {
    if (value === undefined) return;
    const before = this.properties[name];
    // Another source may have a value where the first one has none.
    if (before === undefined || (before.value === null && value !== null))
      this.properties[name] = new Told(value, this.#timestampMs, this.#key);
  }

  /** A row's raw number. */
  read({ targets }: Reader, raw: number | undefined): void {
    if (raw === undefined) return;
    for (const target of targets) {
      if (this.#isTold(target)) this.#put(target, target.make(raw, this.#timestampMs));
    }
  }

  tell(target: Target, value: unknown): void {
    if (this.#isTold(target)) this.#put(target, value);
  }

  /** All signals are read: what has parts is put together. */
  assemble(): void {
    if (this.#assemblies === undefined) return;
    for (const [name, assembly] of this.#assemblies) {
      const row = partsRow(name);
      const value = row === undefined ? assembly.asDate() : assembly.asObject(row);
      this.say(name, value ?? (row?.lapses === true ? null : undefined));
    }
  }

  #isTold(target: Target): boolean {
    return this.#maintenance || !target.isMaintenance;
  }

  #put(target: Target, value: unknown): void {
    if (value === undefined && !target.lapses) return;
    if (target.part.length === 0) {
      this.say(target.name, value ?? null);
      return;
    }
    this.#assemblies ??= new Map();
    let assembly = this.#assemblies.get(target.name);
    if (assembly === undefined) {
      assembly = new Assembly();
      this.#assemblies.set(target.name, assembly);
    }
    if (value !== undefined) assembly.put(target.part, value);
  }
}

/** The same by the name of a built-in model; a name that is not known yields the box's own properties only. */
export function translateNamed(model: string, signals: Signals, report: ReportOf): Translated {
  return translate(MODELS.get(model) ?? unknownModel, signals, report);
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
