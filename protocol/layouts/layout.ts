/**
 * The elements of a payload layout as data: reading, writing, the tables in docs and the generators of the
 * tests all derive from these rows. `V` is the type of the decoded value; it exists for the compiler only.
 */
export type Field<V = unknown> = FieldData & { readonly decoded?: V };

export type FieldData =
  | NumberField
  | BooleanField
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
  /** A raw number outside the bounds that is still allowed (CSQ 99: not known). */
  readonly special: number | undefined;
  /** Rounding up beyond the maximum continues at 0 (360 degrees). */
  readonly wraps: boolean;
  readonly multiplier: number;
  readonly divisor: number;
  /** The unit of the decoded value, for people. */
  readonly unit: string;
}

/** One byte, 0 or 1. */
export interface BooleanField {
  readonly type: 'boolean';
}

/** One byte with one of a few numbers. */
export interface ChoiceField {
  readonly type: 'choice';
  readonly values: readonly number[];
}

/** One byte that encodes a name. */
export interface NamesField {
  readonly type: 'names';
  readonly nameOf: ReadonlyMap<number, string>;
  readonly codeOf: ReadonlyMap<string, number>;
}

/**
 * How a value of variable length is stored.
 * - slots: a count byte, then space for the maximum, unused space zero.
 * - counted: a count byte, then the elements.
 * - rest: the elements, up to the end of the tag's value.
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

/** Numbers, decoded to an array. */
export interface TupleField {
  readonly type: 'tuple';
  readonly items: readonly NumberField[];
  /** None may be below the one before. */
  readonly rising: boolean;
}

export interface ListField {
  readonly type: 'list';
  readonly element: FieldData;
  readonly elementSpan: ByteSpan;
  readonly most: number;
  readonly room: Room;
  /**
   * What must ascend from element to element. For tuples: the first number must be above the last one of the
   * element before.
   */
  readonly rising: { readonly name: string; readonly field: NumberField } | undefined;
}

/**
 * Fields with names.
 * - packed: in sequence, all present; only the last field of a whole message may be optional: it is present
 *   if the payload continues.
 * - bitmap: first a byte whose bit n shows that the n-th optional field is valid; then space for all, invalid
 *   ones zero.
 * - tagged: for each field that is present a tag byte, the length as a varint, the value; tags ascend;
 *   unknown ones are skipped.
 */
export interface RecordField {
  readonly type: 'record';
  readonly style: 'packed' | 'bitmap' | 'tagged';
  readonly rows: readonly LayoutRow[];
  /** The number of validity bits, up to 8; 0 if the record is not a bitmap. */
  readonly optionalRows: number;
  /** Returns the object that reading fills: with all names, or empty. */
  readonly blank: () => object;
}

export interface LayoutRow {
  readonly name: string;
  readonly field: FieldData;
  readonly span: ByteSpan;
  /** 1 to 255; 0 if the record is not tagged. */
  readonly tag: number;
  readonly optional: boolean;
  /** The earlier row whose number is the lower bound of this one. */
  readonly notBelow: string | undefined;
}

/** The minimum and the maximum number of bytes; equal if the length is fixed. */
export interface ByteSpan {
  readonly least: number;
  readonly most: number;
}

/** The number of bytes of a field. */
export function spanOf(field: FieldData): ByteSpan {
  switch (field.type) {
    case 'number':
      return fixed(field.bytes);
    case 'boolean':
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

function recordSpan(record: RecordField): ByteSpan {
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

/**
 * The number of bytes of a length as a varint: 7 bits each, least significant first; bit 7 shows that another
 * byte follows.
 */
export function varintBytes(length: number): 1 | 2 {
  return length < 128 ? 1 : 2;
}

function fixed(bytes: number): ByteSpan {
  return { least: bytes, most: bytes };
}

function roomSpan(room: Room, least: number, most: number): ByteSpan {
  if (room === 'slots') return fixed(1 + most);
  return room === 'counted' ? { least: 1 + least, most: 1 + most } : { least, most };
}
