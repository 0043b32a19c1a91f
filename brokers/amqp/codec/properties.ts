import { AmqpReader, type AmqpTable, AmqpWriter } from './fields.ts';

/** The properties of a message (class basic). */
export interface AmqpProperties {
  readonly contentType?: string;
  readonly contentEncoding?: string;
  readonly headers?: AmqpTable;
  readonly deliveryMode?: number;
  readonly priority?: number;
  readonly correlationId?: string;
  readonly replyTo?: string;
  /** Milliseconds, as decimal text. */
  readonly expiration?: string;
  readonly messageId?: string;
  /** Seconds since 1970. */
  readonly timestamp?: bigint;
  readonly type?: string;
  readonly userId?: string;
  readonly appId?: string;
  readonly clusterId?: string;
}

/** In the order of their flags, from bit 15 down. */
const PROPERTY_TYPES = [
  ['contentType', 'shortstr'],
  ['contentEncoding', 'shortstr'],
  ['headers', 'table'],
  ['deliveryMode', 'octet'],
  ['priority', 'octet'],
  ['correlationId', 'shortstr'],
  ['replyTo', 'shortstr'],
  ['expiration', 'shortstr'],
  ['messageId', 'shortstr'],
  ['timestamp', 'longlong'],
  ['type', 'shortstr'],
  ['userId', 'shortstr'],
  ['appId', 'shortstr'],
  ['clusterId', 'shortstr'],
] as const;

export interface ContentHeader {
  readonly classId: number;
  readonly bodyBytes: number;
  /** Flags and values as received. */
  readonly encoded: Uint8Array;
  readonly properties: AmqpProperties;
}

/** Reads the payload of a content header frame (section 4.2.6.1), or returns why it cannot be read. */
export function decodeContentHeader(payload: Uint8Array): ContentHeader | { readonly malformed: string } {
  const reader = new AmqpReader(payload);
  const classId = reader.short();
  reader.short(); // weight
  const bodyBytes = Number(reader.longlong());
  if (reader.fault !== undefined) return { malformed: reader.fault };
  // A copy: it outlives the chunk of the stream that contains it.
  const encoded = new Uint8Array(payload.subarray(12));
  const properties = decodeProperties(encoded);
  return 'malformed' in properties ? properties : { classId, bodyBytes, encoded, properties };
}

/** Reads flags and values. */
export function decodeProperties(encoded: Uint8Array): AmqpProperties | { readonly malformed: string } {
  const reader = new AmqpReader(encoded);
  const flags = reader.short();
  const properties: Record<string, unknown> = {};
  for (const [index, [name, kind]] of PROPERTY_TYPES.entries()) {
    if ((flags & (0x8000 >>> index)) !== 0) properties[name] = reader[kind]();
  }
  // Bit 0 announces more flags, and bit 1 is unused: class basic has fourteen properties.
  if ((flags & 3) !== 0) return { malformed: 'it has flags that no property has' };
  if (reader.fault !== undefined) return { malformed: reader.fault };
  return reader.left > 0 ? { malformed: 'bytes follow the properties' } : properties;
}

/** Encodes flags and values. */
export function encodeProperties(properties: AmqpProperties): Uint8Array {
  const values = new AmqpWriter();
  let flags = 0;
  for (const [index, [name]] of PROPERTY_TYPES.entries()) {
    const value = properties[name];
    if (value === undefined) continue;
    flags |= 0x8000 >>> index;
    if (typeof value === 'string') values.shortstr(value);
    else if (typeof value === 'number') values.octet(value);
    else if (typeof value === 'bigint') values.longlong(value);
    else values.table(value);
  }
  return Buffer.concat([Uint8Array.of(flags >>> 8, flags & 0xff), values.done()]);
}

/** The payload of a content header frame. */
export function encodeContentHeader(encodedProperties: Uint8Array, bodyBytes: number): Uint8Array {
  const writer = new AmqpWriter();
  writer.short(60);
  writer.short(0);
  writer.longlong(BigInt(bodyBytes));
  return Buffer.concat([writer.done(), encodedProperties]);
}
