import type { SignalRow, VehicleModel } from '../../protocol/models/model.ts';
import { LAPSING, MAINTENANCE, propertyRow, valueRow } from './properties.ts';
import { type MakeValue, valueMaker } from './translate-value.ts';

/** What translation needs of a model. */
export type SignalTable = Pick<VehicleModel, 'rows'>;

/** One property, or a part of one, that a row feeds. */
export interface Target {
  readonly name: string;
  /** Below the property, from the outside in; empty: the property itself. */
  readonly part: readonly string[];
  readonly make: MakeValue;
  readonly isMaintenance: boolean;
  /** A signal without a value ends the property. */
  readonly lapses: boolean;
}

/** One row, ready to be read: its raw numbers become the values of these targets. */
export interface Reader {
  readonly row: SignalRow;
  readonly targets: readonly Target[];
}

/** The rows of a model, found by where a signal comes from. */
export interface Readers {
  readonly byPid: ReadonlyMap<number, readonly Reader[]>;
  readonly byFrame: ReadonlyMap<number, readonly Reader[]>;
  readonly byAnalogPort: ReadonlyMap<number, readonly Reader[]>;
  readonly digital: readonly (Reader & { readonly port: number })[];
  /** Properties that mode 03 feeds. */
  readonly codes: readonly Target[];
}

const compiled = new WeakMap<SignalTable, Readers>();

/** The readers of a model; they are made when it is first met. */
export function readersOf(model: SignalTable): Readers {
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
  const codes: Target[] = [];
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

/** A path that names no value feeds nothing: the check of the models refuses it before. */
function targetOf(row: SignalRow, path: string): readonly Target[] {
  const property = valueRow(path);
  if (property === undefined || !('of' in property)) return [];
  const [name = '', ...parts] = path.split('.');
  // The pieces of a date are gathered like the parts of an object.
  const part = row.part === undefined ? parts : [row.part];
  const make = valueMaker(row, property);
  return [{ name, part, make, isMaintenance: MAINTENANCE.has(name), lapses: LAPSING.has(name) }];
}

function add(readers: Map<number, Reader[]>, key: number, reader: Reader): void {
  const there = readers.get(key);
  if (there === undefined) readers.set(key, [reader]);
  else there.push(reader);
}

/** Bus above the 29 bits of an identifier. */
export function frameKey(bus: number, id: number): number {
  return bus * 0x2000_0000 + id;
}

/** The row of a property that is put together from parts, dates aside. */
export function partsRow(name: string) {
  const row = propertyRow(name);
  return row?.shape === 'parts' ? row : undefined;
}
