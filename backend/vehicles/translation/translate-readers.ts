import { LAPSING, MAINTENANCE, propertyRow, valueRow } from '../../../contract/properties.ts';
import type { SignalRow, VehicleModel } from '../../../protocol/models/model.ts';
import { type MakeValue, valueMaker } from './translate-value.ts';

/** What translation needs of a model. */
export type SignalTable = Pick<VehicleModel, 'rows'>;

/** One property, or a part of one, that a row feeds. */
export interface PropertyTarget {
  readonly name: string;
  /** The path below the property, from the outside in; empty: the property itself. */
  readonly part: readonly string[];
  readonly make: MakeValue;
  readonly isMaintenance: boolean;
  /** A signal without a value ends the property. */
  readonly lapses: boolean;
}

/** One row, prepared for reading: its raw numbers become the values of these targets. */
export interface SignalReader {
  readonly row: SignalRow;
  readonly targets: readonly PropertyTarget[];
}

/** The rows of a model, indexed by the source of the signal. */
export interface SignalReaders {
  readonly byPid: ReadonlyMap<number, readonly SignalReader[]>;
  readonly byFrame: ReadonlyMap<number, readonly SignalReader[]>;
  readonly byAnalogPort: ReadonlyMap<number, readonly SignalReader[]>;
  readonly digital: readonly (SignalReader & { readonly port: number })[];
  /** Properties that mode 03 feeds. */
  readonly codes: readonly PropertyTarget[];
}

const compiled = new WeakMap<SignalTable, SignalReaders>();

/** The readers of a model; created at its first use. */
export function readersOf(model: SignalTable): SignalReaders {
  const found = compiled.get(model);
  if (found !== undefined) return found;
  const made = compile(model);
  compiled.set(model, made);
  return made;
}

function compile(model: SignalTable): SignalReaders {
  const byPid = new Map<number, SignalReader[]>();
  const byFrame = new Map<number, SignalReader[]>();
  const byAnalogPort = new Map<number, SignalReader[]>();
  const digital: (SignalReader & { readonly port: number })[] = [];
  const codes: PropertyTarget[] = [];
  for (const row of model.rows) {
    const targets = row.feeds.flatMap((path) => targetOf(row, path));
    if (targets.length === 0) continue;
    const { source } = row;
    if (source.from === 'obd') add(byPid, source.pid, { row, targets });
    else if (source.from === 'can') add(byFrame, frameKey(source.bus, source.id), { row, targets });
    else if (source.from === 'analog') add(byAnalogPort, source.port, { row, targets });
    else if (source.from === 'digital') digital.push({ row, targets, port: source.port });
    else codes.push(...targets);
  }
  return { byPid, byFrame, byAnalogPort, digital, codes };
}

/** A path without a value feeds nothing: the check of the models refuses it earlier. */
function targetOf(row: SignalRow, path: string): readonly PropertyTarget[] {
  const property = valueRow(path);
  if (property === undefined || !('of' in property)) return [];
  const [name = '', ...parts] = path.split('.');
  // The pieces of a date are collected like the parts of an object.
  const part = row.part === undefined ? parts : [row.part];
  const make = valueMaker(row, property);
  return [{ name, part, make, isMaintenance: MAINTENANCE.has(name), lapses: LAPSING.has(name) }];
}

function add(readers: Map<number, SignalReader[]>, key: number, reader: SignalReader): void {
  const there = readers.get(key);
  if (there === undefined) readers.set(key, [reader]);
  else there.push(reader);
}

/** The bus above the 29 bits of an identifier. */
export function frameKey(bus: number, id: number): number {
  return bus * 0x2000_0000 + id;
}

/** The row of a property with parts, dates excepted. */
export function partsRow(name: string) {
  const row = propertyRow(name);
  return row?.shape === 'parts' ? row : undefined;
}
