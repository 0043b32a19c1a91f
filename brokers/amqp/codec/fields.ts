import { isUtf8 } from 'node:buffer';
import { limits } from '../../limits.ts';

/**
 * A value of a field table with its type (AMQP 0-9-1 section 4.2.5.5, with the letters that RabbitMQ uses).
 * The type is kept, so that a table is sent as it was received.
 */
export type AmqpField =
  | { readonly type: 't'; readonly value: boolean }
  | { readonly type: 'b' | 'B' | 's' | 'u' | 'I' | 'i' | 'f' | 'd'; readonly value: number }
  | { readonly type: 'l' | 'T'; readonly value: bigint }
  | { readonly type: 'D'; readonly scale: number; readonly value: number }
  | { readonly type: 'S' | 'x'; readonly value: Uint8Array }
  | { readonly type: 'A'; readonly value: readonly AmqpField[] }
  | { readonly type: 'F'; readonly value: AmqpTable }
  | { readonly type: 'V' };

export type AmqpTable = ReadonlyMap<string, AmqpField>;

/** RabbitMQ's names of the types. */
export const TYPE_NAMES: Readonly<Record<AmqpField['type'], string>> = {
  t: 'bool',
  b: 'byte',
  B: 'unsignedbyte',
  s: 'short',
  u: 'unsignedshort',
  I: 'signedint',
  i: 'unsignedint',
  l: 'long',
  T: 'timestamp',
  f: 'float',
  d: 'double',
  D: 'decimal',
  S: 'longstr',
  x: 'binary',
  A: 'array',
  F: 'table',
  V: 'void',
};

/** Numbers of a table by letter: size in bytes, read and write functions. */
const NUMBERS = {
  b: [1, (b, at) => b.readInt8(at), (b, v) => b.writeInt8(v)],
  B: [1, (b, at) => b.readUInt8(at), (b, v) => b.writeUInt8(v)],
  s: [2, (b, at) => b.readInt16BE(at), (b, v) => b.writeInt16BE(v)],
  u: [2, (b, at) => b.readUInt16BE(at), (b, v) => b.writeUInt16BE(v)],
  I: [4, (b, at) => b.readInt32BE(at), (b, v) => b.writeInt32BE(v)],
  i: [4, (b, at) => b.readUInt32BE(at), (b, v) => b.writeUInt32BE(v)],
  f: [4, (b, at) => b.readFloatBE(at), (b, v) => b.writeFloatBE(v)],
  d: [8, (b, at) => b.readDoubleBE(at), (b, v) => b.writeDoubleBE(v)],
} as const satisfies Record<
  string,
  readonly [number, (bytes: Buffer, at: number) => number, (bytes: Buffer, value: number) => unknown]
>;

function isNumberType(type: string): type is keyof typeof NUMBERS {
  return Object.hasOwn(NUMBERS, type);
}

/**
 * Reads values in sequence. It never throws: past the end, or after an error, `fault` is the reason and every
 * further value is zero.
 */
export class AmqpReader {
  fault: string | undefined;
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  octet(): number {
    return this.#has(1) ? this.#bytes.readUInt8(this.#advance(1)) : 0;
  }

  short(): number {
    return this.#has(2) ? this.#bytes.readUInt16BE(this.#advance(2)) : 0;
  }

  long(): number {
    return this.#has(4) ? this.#bytes.readUInt32BE(this.#advance(4)) : 0;
  }

  longlong(): bigint {
    return this.#has(8) ? this.#bytes.readBigUInt64BE(this.#advance(8)) : 0n;
  }

  shortstr(): string {
    const bytes = this.bytes(this.octet());
    if (!isUtf8(bytes)) this.#fail('a short string is not UTF-8');
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  }

  longstr(): Uint8Array {
    return this.bytes(this.long());
  }

  /** The next bytes, without a copy. */
  bytes(count: number): Uint8Array {
    if (!this.#has(count)) return new Uint8Array();
    const start = this.#advance(count);
    return this.#bytes.subarray(start, start + count);
  }

  table(depth = 0): AmqpTable {
    const inner = this.#inner(depth);
    const table = inner.tableFields(depth);
    if (inner.fault !== undefined) this.#fail(inner.fault);
    return table;
  }

  /** The fields of a table up to the end of the bytes: a table without its length. */
  tableFields(depth = 0): AmqpTable {
    const table = new Map<string, AmqpField>();
    while (this.left > 0 && this.fault === undefined) {
      const name = this.shortstr();
      table.set(name, this.field(depth));
    }
    return table;
  }

  field(depth: number): AmqpField {
    const type = String.fromCharCode(this.octet());
    if (isNumberType(type)) {
      const [size, read] = NUMBERS[type];
      return { type, value: this.#has(size) ? read(this.#bytes, this.#advance(size)) : 0 };
    }
    switch (type) {
      case 't':
        return { type, value: this.octet() !== 0 };
      case 'l':
        return { type, value: BigInt.asIntN(64, this.longlong()) };
      case 'T':
        return { type, value: this.longlong() };
      case 'D':
        return { type, scale: this.octet(), value: this.long() };
      case 'S':
      case 'x':
        return { type, value: this.longstr() };
      case 'A':
        return { type, value: this.#array(depth + 1) };
      case 'F':
        return { type, value: this.table(depth + 1) };
      case 'V':
        return { type };
      default:
        this.#fail('a field table holds a type that is unknown');
        return { type: 'V' };
    }
  }

  #array(depth: number): readonly AmqpField[] {
    const inner = this.#inner(depth);
    const values: AmqpField[] = [];
    while (inner.left > 0 && inner.fault === undefined) values.push(inner.field(depth));
    if (inner.fault !== undefined) this.#fail(inner.fault);
    return values;
  }

  #inner(depth: number): AmqpReader {
    const inner = new AmqpReader(this.bytes(this.long()));
    if (depth > limits.amqp.tableDepth) inner.#fail('a field table is nested too deep');
    return inner;
  }

  #has(count: number): boolean {
    if (this.fault !== undefined) return false;
    if (this.#bytes.length - this.#at >= count) return true;
    this.#fail('it ends too early');
    return false;
  }

  #advance(count: number): number {
    const at = this.#at;
    this.#at += count;
    return at;
  }

  #fail(reason: string): void {
    this.fault ??= reason;
    this.#at = this.#bytes.length;
  }
}

/** Collects the parts of an encoding in order and concatenates them once. */
export class AmqpWriter {
  readonly #parts: Uint8Array[] = [];

  octet(value: number): void {
    this.#parts.push(Uint8Array.of(value));
  }

  short(value: number): void {
    this.#parts.push(Uint8Array.of(value >>> 8, value));
  }

  long(value: number): void {
    const bytes = Buffer.allocUnsafe(4);
    bytes.writeUInt32BE(value);
    this.#parts.push(bytes);
  }

  longlong(value: bigint): void {
    const bytes = Buffer.allocUnsafe(8);
    bytes.writeBigUInt64BE(BigInt.asUintN(64, value));
    this.#parts.push(bytes);
  }

  /** Text longer than 255 bytes is cut between two characters. */
  shortstr(value: string): void {
    const bytes = shortBytes(value);
    this.octet(bytes.length);
    this.#parts.push(bytes);
  }

  longstr(value: Uint8Array): void {
    this.long(value.length);
    this.#parts.push(value);
  }

  table(table: AmqpTable): void {
    const inner = new AmqpWriter();
    for (const [name, field] of table) {
      inner.shortstr(name);
      inner.field(field);
    }
    this.longstr(inner.done());
  }

  field(field: AmqpField): void {
    this.octet(field.type.charCodeAt(0));
    switch (field.type) {
      case 't':
        this.octet(field.value ? 1 : 0);
        return;
      case 'l':
      case 'T':
        this.longlong(field.value);
        return;
      case 'D':
        this.octet(field.scale);
        this.long(field.value);
        return;
      case 'S':
      case 'x':
        this.longstr(field.value);
        return;
      case 'A': {
        const inner = new AmqpWriter();
        for (const each of field.value) inner.field(each);
        this.longstr(inner.done());
        return;
      }
      case 'F':
        this.table(field.value);
        return;
      case 'V':
        return;
      default: {
        const [size, , write] = NUMBERS[field.type];
        const bytes = Buffer.alloc(size);
        write(bytes, field.value);
        this.#parts.push(bytes);
      }
    }
  }

  done(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}

function shortBytes(value: string): Uint8Array {
  const bytes = Buffer.from(value, 'utf8');
  if (bytes.length <= 255) return bytes;
  let end = 255;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
}

/** A table of strings, whole numbers of 32 bits, booleans and tables. */
export function tableOf(values: Readonly<Record<string, string | number | boolean | AmqpTable>>): AmqpTable {
  return new Map(Object.entries(values).map(([name, value]): [string, AmqpField] => [name, fieldOf(value)]));
}

function fieldOf(value: string | number | boolean | AmqpTable): AmqpField {
  if (typeof value === 'string') return textField(value);
  if (typeof value === 'number') return { type: 'I', value };
  if (typeof value === 'boolean') return { type: 't', value };
  return { type: 'F', value };
}

export function textField(value: string): AmqpField {
  return { type: 'S', value: Buffer.from(value, 'utf8') };
}

/** The text of a field, or undefined if it is not text. */
export function textOf(field: AmqpField | undefined): string | undefined {
  return field?.type === 'S' ? Buffer.from(field.value).toString('utf8') : undefined;
}

/** The whole number of a field, or undefined if it is not one. */
export function integerOf(field: AmqpField | undefined): number | undefined {
  switch (field?.type) {
    case 'b':
    case 'B':
    case 's':
    case 'u':
    case 'I':
    case 'i':
      return field.value;
    case 'l':
      return Number(field.value);
    default:
      return undefined;
  }
}

/** The number of a field, whole or not, or undefined if it is not one. */
export function numberOf(field: AmqpField | undefined): number | undefined {
  return field?.type === 'f' || field?.type === 'd' ? field.value : integerOf(field);
}

/** The text shortened for a short string: at most 255 bytes, cut between two characters. */
export function shortenedText(text: string): string {
  return Buffer.from(shortBytes(text)).toString('utf8');
}
