import { SETTINGS, type Setting } from '../settings.ts';
import {
  type BooleanField,
  type BytesField,
  type ChoiceField,
  type Field,
  type FieldData,
  type LayoutRow,
  type ListField,
  type NamesField,
  type NumberField,
  type RecordField,
  type Room,
  type SettingField,
  spanOf,
  type TextField,
  type TupleField,
  type UlidField,
} from './layout.ts';

/**
 * Functions for the layout tables. Each returns a field as data; nothing here reads or writes. `decoded`
 * exists for the compiler only.
 */
type Described<D extends FieldData, V> = D & { readonly decoded?: V };

interface NumberOptions {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly special?: number;
  readonly wraps?: true;
  readonly multiplier?: number;
  readonly divisor?: number;
  readonly unit?: string;
}

/** An unsigned number of that many bytes. Without bounds: everything that fits. */
export function unsigned(
  bytes: 1 | 2 | 3 | 4 | 6,
  options: NumberOptions = {},
): Described<NumberField, number> {
  let maximum = 0;
  for (let at = 0; at < bytes; at += 1) maximum = maximum * 256 + 255;
  return number(bytes, false, 0, maximum, options);
}

/** A signed number (two's complement). Without bounds: everything that fits. */
export function signed(bytes: 2 | 4, options: NumberOptions = {}): Described<NumberField, number> {
  const half = bytes === 2 ? 0x8000 : 0x8000_0000;
  return number(bytes, true, -half, half - 1, options);
}

function number(
  bytes: NumberField['bytes'],
  isSigned: boolean,
  lowest: number,
  highest: number,
  options: NumberOptions,
): Described<NumberField, number> {
  return {
    type: 'number',
    bytes,
    signed: isSigned,
    minimum: options.minimum ?? lowest,
    maximum: options.maximum ?? highest,
    special: options.special,
    wraps: options.wraps ?? false,
    multiplier: options.multiplier ?? 1,
    divisor: options.divisor ?? 1,
    unit: options.unit ?? '',
  };
}

/** true or false. */
export function bool(): Described<BooleanField, boolean> {
  return { type: 'boolean' };
}

/** One of these numbers. Encoding writes the first for any other. */
export function choice<const N extends number>(...values: readonly N[]): Described<ChoiceField, N> {
  return { type: 'choice', values };
}

/** A name and its code. Encoding writes the first code for any other name. */
export function names<N extends string>(codes: Readonly<Record<N, number>>): Described<NamesField, N> {
  const codeOf = new Map(Object.entries<number>(codes));
  return { type: 'names', codeOf, nameOf: new Map([...codeOf].map(([name, code]) => [code, name])) };
}

/** The names of a table and their codes. */
export function namesOf<const N extends string>(
  rows: readonly { readonly name: N; readonly code: number }[],
): Described<NamesField, N> {
  return {
    type: 'names',
    codeOf: new Map(rows.map((row) => [row.name, row.code])),
    nameOf: new Map(rows.map((row) => [row.code, row.name])),
  };
}

/** Up to `most` printable ASCII characters. Encoding writes `?` for any other. */
export function text(room: Room, most: number): Described<TextField, string> {
  return { type: 'text', most, room };
}

/** `least` to `most` bytes. Encoding pads with zero bytes and trims. */
export function bytes(room: Room, least: number, most: number): Described<BytesField, Uint8Array> {
  return { type: 'bytes', least, most, room };
}

/** A ULID. Encoding writes zero bytes for a text that is not a ULID. */
export function ulid(): Described<UlidField, string> {
  return { type: 'ulid' };
}

/** A setting of protocol/settings.ts with its value. */
export function setting(): Described<SettingField, Setting> {
  return { type: 'setting', rows: SETTINGS };
}

/** Two numbers. */
export function pair(
  first: NumberField,
  second: NumberField,
): Described<TupleField, readonly [number, number]> {
  return { type: 'tuple', items: [first, second], rising: false };
}

/** First and last of a range, both included; the last is not below the first. */
export function range(item: NumberField): Described<TupleField, readonly [first: number, last: number]> {
  return { type: 'tuple', items: [item, item], rising: true };
}

/** Up to `most` elements. Encoding cuts the rest. */
export function list<E>(room: Room, most: number, element: Field<E>): Described<ListField, readonly E[]> {
  return { type: 'list', element, elementSpan: spanOf(element), most, room, rising: undefined };
}

/**
 * As `list`, with elements in ascending order of the number called `name` (ranges must not overlap). Encoding
 * sorts, and leaves out elements that still do not ascend.
 */
export function risingList<E>(
  room: Room,
  most: number,
  element: Field<E>,
  name: string,
  field: NumberField,
): Described<ListField, readonly E[]> {
  return { type: 'list', element, elementSpan: spanOf(element), most, room, rising: { name, field } };
}

/** A field that may be absent. */
interface Optional<V> {
  readonly optional: Field<V>;
}

export function optional<V>(field: Field<V>): Optional<V> {
  return { optional: field };
}

/** A number that may not be below that of an earlier row. Encoding raises it. */
interface NotBelow<V> {
  readonly atLeast: string;
  readonly field: Field<V>;
}

export function notBelow<V>(earlier: string, field: Field<V>): NotBelow<V> {
  return { atLeast: earlier, field };
}

interface Tagged<C> {
  readonly tag: number;
  readonly cell: C;
}

/** A field of a tagged record. */
export function tag<C>(code: number, cell: C): Tagged<C> {
  return { tag: code, cell };
}

type Cell<V> = Field<V> | NotBelow<V> | Optional<V>;
/** Optional if and only if the message's property is. */
type CellOf<T, K extends keyof T> = undefined extends T[K]
  ? Optional<NonNullable<T[K]>>
  : Field<T[K]> | NotBelow<T[K]>;
type Cells<T> = { readonly [K in Exclude<keyof T, 'kind'>]-?: CellOf<T, K> };
type TaggedCells<T> = { readonly [K in Exclude<keyof T, 'kind'>]-?: Tagged<CellOf<T, K>> };

/** Fields in sequence. `blank`: returns an object with all of them, for reading to fill. */
export function packed<T>(cells: Cells<T>, blank?: () => T & object): Described<RecordField, T> {
  return { type: 'record', style: 'packed', rows: rowsOf(cells), optionalRows: 0, blank: blank ?? empty };
}

/** Fields in sequence, each with reserved space, after validity bits for up to 8 optional ones. */
export function bitmap<T>(cells: Cells<T>): Described<RecordField, T> {
  const rows = rowsOf(cells);
  return {
    type: 'record',
    style: 'bitmap',
    rows,
    optionalRows: rows.filter((row) => row.optional).length,
    blank: empty,
  };
}

/** Fields with tags, in ascending order here and on the wire. */
export function tagged<T>(cells: TaggedCells<T>): Described<RecordField, T> {
  const rows = Object.entries<Tagged<Cell<unknown>>>(cells).map(([name, { tag: code, cell }]) =>
    rowOf(name, code, cell),
  );
  return { type: 'record', style: 'tagged', rows, optionalRows: 0, blank: empty };
}

function empty(): object {
  return {};
}

function rowsOf(cells: Readonly<Record<string, Cell<unknown>>>): LayoutRow[] {
  return Object.entries(cells).map(([name, cell]) => rowOf(name, 0, cell));
}

function rowOf(name: string, code: number, cell: Cell<unknown>): LayoutRow {
  if ('optional' in cell) return row(name, code, cell.optional, true, undefined);
  if ('atLeast' in cell) return row(name, code, cell.field, false, cell.atLeast);
  return row(name, code, cell, false, undefined);
}

function row(
  name: string,
  code: number,
  field: FieldData,
  isOptional: boolean,
  atLeast: string | undefined,
): LayoutRow {
  return { name, tag: code, field, span: spanOf(field), optional: isOptional, notBelow: atLeast };
}
