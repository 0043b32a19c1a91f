/**
 * What a payload layout is made of, as data: reading, writing, the pictures in docs and the generators of the tests
 * all derive from these rows. `V` is the type of the decoded value; it exists for the compiler only.
 */
export type Field<V = unknown> = FieldData & { readonly says?: V };

export type FieldData =
  | NumberField
  | TruthField
  | ChoiceField
  | NamesField
  | TextField
  | BytesField
  | UlidField
  | SettingField
  | TupleField
  | ListField
  | RecordField;

/** A whole number `raw` on the wire, big-endian; decoded it is `raw × multiplier ÷ divisor`. */
export interface NumberField {
  readonly type: 'number';
  readonly bytes: 1 | 2 | 3 | 4 | 6;
  /** Two's complement; of 2 or 4 bytes. */
  readonly signed: boolean;
  /** Bounds of raw, both included. */
  readonly minimum: number;
  readonly maximum: number;
  /** A raw number beyond the bounds that is allowed all the same (CSQ 99: not known). */
  readonly special: number | undefined;
  /** Rounding up beyond the maximum begins again at 0 (360 degrees). */
  readonly wraps: boolean;
  readonly multiplier: number;
  readonly divisor: number;
  /** Of the decoded value, for people. */
  readonly unit: string;
}

/** One byte, 0 or 1. */
export interface TruthField {
  readonly type: 'truth';
}

/** One byte that is one of few numbers. */
export interface ChoiceField {
  readonly type: 'choice';
  readonly values: readonly number[];
}

/** One byte that stands for a name. */
export interface NamesField {
  readonly type: 'names';
  readonly nameOf: ReadonlyMap<number, string>;
  readonly codeOf: ReadonlyMap<string, number>;
}

/**
 * How something of varying length lies in the bytes.
 * slots: a count byte, then room for the most there can be, unused room zero.
 * counted: a count byte, then what there is.
 * rest: what there is, up to the end of the tag's value.
 */
export type Room = 'slots' | 'counted' | 'rest';

/** Printable ASCII, 0x20 to 0x7E. */
export interface TextField {
  readonly type: 'text';
  readonly most: number;
  readonly room: Room;
}

export interface BytesField {
  readonly type: 'bytes';
  readonly least: number;
  readonly most: number;
  readonly room: Room;
}

/** 16 bytes, decoded to 26 characters. */
export interface UlidField {
  readonly type: 'ulid';
}

/** The two-byte code of a setting, then its value in four bytes, within the setting's own range. */
export interface SettingField {
  readonly type: 'setting';
  readonly rows: readonly {
    readonly name: string;
    readonly code: number;
    readonly minimum: number;
    readonly maximum: number;
  }[];
}

/** Numbers side by side, decoded to an array. */
export interface TupleField {
  readonly type: 'tuple';
  readonly items: readonly NumberField[];
  /** None may be below the one before. */
  readonly rising: boolean;
}

export interface ListField {
  readonly type: 'list';
  readonly element: FieldData;
  readonly elementSpan: Span;
  readonly most: number;
  readonly room: Room;
  /** What must rise from element to element. For tuples: the first number must be above the last one before. */
  readonly rising: { readonly name: string; readonly field: NumberField } | undefined;
}

/**
 * Fields with names.
 * packed: one behind the other, all there; only the last one of a whole message may be optional: it is there where the
 * payload goes on.
 * bitmap: first a byte whose bit n tells that the n-th optional field is valid; then room for all, invalid ones zero.
 * tagged: for each field that is there a tag byte, the length as a varint, the value; tags rise; unknown ones are
 * skipped.
 */
export interface RecordField {
  readonly type: 'record';
  readonly style: 'packed' | 'bitmap' | 'tagged';
  readonly rows: readonly Row[];
  /** How many validity bits there are, up to 8; 0 where the record is no bitmap. */
  readonly optionalRows: number;
  /** Makes what reading fills: with names that are there already, or without any. */
  readonly blank: () => object;
}

export interface Row {
  readonly name: string;
  readonly field: FieldData;
  readonly span: Span;
  /** 1 to 255; 0 where the record is not tagged. */
  readonly tag: number;
  readonly optional: boolean;
  /** The row before it whose number it may not be below. */
  readonly notBelow: string | undefined;
}

/** The fewest and the most bytes; equal where the length is fixed. */
export interface Span {
  readonly least: number;
  readonly most: number;
}

/** How many bytes a field takes. */
export function spanOf(field: FieldData): Span {
  switch (field.type) {
    case 'number':
      return fixed(field.bytes);
    case 'truth':
    case 'choice':
    case 'names':
      return fixed(1);
    case 'ulid':
      return fixed(16);
    case 'setting':
      return fixed(6);
    case 'tuple':
      return fixed(field.items.reduce((sum, item) => sum + item.bytes, 0));
    case 'text':
      return roomSpan(field.room, 0, field.most);
    case 'bytes':
      return roomSpan(field.room, field.least, field.most);
    case 'list':
      return roomSpan(field.room, 0, field.most * field.elementSpan.most);
    case 'record':
      return recordSpan(field);
    default:
      field satisfies never;
      return fixed(0);
  }
}

function recordSpan(record: RecordField): Span {
  let least = record.optionalRows > 0 ? 1 : 0;
  let most = least;
  for (const { optional, span } of record.rows) {
    const isTagged = record.style === 'tagged';
    most += span.most + (isTagged ? 1 + varintBytes(span.most) : 0);
    const mayEndBefore = optional && record.style !== 'bitmap';
    if (!mayEndBefore) least += span.least + (isTagged ? 1 + varintBytes(span.least) : 0);
  }
  return { least, most };
}

/** How many bytes a length takes as a varint: 7 bits each, least significant first, bit 7 tells that one follows. */
export function varintBytes(length: number): 1 | 2 {
  return length < 128 ? 1 : 2;
}

function fixed(bytes: number): Span {
  return { least: bytes, most: bytes };
}

function roomSpan(room: Room, least: number, most: number): Span {
  if (room === 'slots') return fixed(1 + most);
  return room === 'counted' ? { least: 1 + least, most: 1 + most } : { least, most };
}
