import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AmqpReader,
  type AmqpTable,
  AmqpWriter,
  shortenedText,
  tableOf,
} from '../../../../../brokers/amqp/codec/fields.ts';
import {
  type AmqpFrame,
  encodeAmqpFrame,
  encodeBody,
  FrameParser,
} from '../../../../../brokers/amqp/codec/frames.ts';
import { decodeMethod, encodeMethod } from '../../../../../brokers/amqp/codec/method-codec.ts';
import { METHODS, type MethodName } from '../../../../../brokers/amqp/codec/methods.ts';
import {
  decodeContentHeader,
  encodeContentHeader,
  encodeProperties,
} from '../../../../../brokers/amqp/codec/properties.ts';
import { anyMethod, anyShortText, table } from '../../../../support/amqp/any-method.ts';

const plain = (bytes: Uint8Array) => Uint8Array.from(bytes);
const encodedTable = (value: AmqpTable) => {
  const writer = new AmqpWriter();
  writer.table(value);
  return writer.done();
};
const encode = (name: MethodName, args: Record<string, unknown>) => encodeMethod(name, args as never);

describe('field tables', () => {
  test('are decoded as they were, each value with its type', () => {
    fc.assert(
      fc.property(table, (value) => {
        const bytes = encodedTable(value);
        const reader = new AmqpReader(bytes);
        expect(encodedTable(reader.table())).toEqual(bytes);
        expect(reader.fault).toBeUndefined();
        expect(reader.left).toBe(0);
      }),
    );
  });

  test('are a fault if cut off anywhere, and nothing is thrown', () => {
    fc.assert(
      fc.property(table, fc.nat(), (value, at) => {
        const bytes = encodedTable(value);
        const reader = new AmqpReader(bytes.subarray(0, at % bytes.length));
        reader.table();
        expect(reader.fault).toBeDefined();
      }),
    );
  });

  test('are a fault if nested too deep', () => {
    let deep: AmqpTable = new Map();
    for (let depth = 0; depth < 100; depth++) deep = tableOf({ t: deep });
    const reader = new AmqpReader(encodedTable(deep));
    reader.table();
    expect(reader.fault).toBe('a field table is nested too deep');
  });

  test('any bytes are a table or a fault', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        new AmqpReader(bytes).table();
      }),
    );
  });

  test('a text too long for a short string is cut between two characters', () => {
    expect(shortenedText('ü'.repeat(200))).toBe('ü'.repeat(127));
    expect(shortenedText('short')).toBe('short');
  });
});

describe('methods', () => {
  test('every row of the table is decoded as it was', () => {
    fc.assert(
      fc.property(anyMethod, ({ name, args }) => {
        const decoded = decodeMethod(encode(name, args));
        expect(decoded.kind).toBe('method');
        if (decoded.kind !== 'method') return;
        expect(decoded.method.name).toBe(name);
        expect(encode(name, decoded.method.args)).toEqual(encode(name, args));
      }),
      { numRuns: 400 },
    );
  });

  test('no two rows have the same ids', () => {
    const ids = Object.values(METHODS).map(({ id }) => id.join('.'));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('are malformed if cut off, or with bytes after them', () => {
    fc.assert(
      fc.property(anyMethod, fc.nat(), ({ name, args }, at) => {
        const bytes = encode(name, args);
        expect(decodeMethod(bytes.subarray(0, at % bytes.length)).kind).toBe('malformed');
        expect(decodeMethod(Buffer.concat([bytes, Uint8Array.of(0)])).kind).toBe('malformed');
      }),
    );
  });

  test('the bytes of basic.publish are those of the specification', () => {
    const args = { reserved1: 0, exchange: 'ab', routingKey: 'c', mandatory: true, immediate: false };
    expect([...encodeMethod('basic.publish', args)]).toEqual([
      ...[0, 60, 0, 40, 0, 0, 2, 0x61, 0x62, 1, 0x63, 1],
    ]);
  });

  test('unknown ids are reported', () => {
    expect(decodeMethod(Uint8Array.of(0, 99, 0, 1))).toEqual({ kind: 'unknown', classId: 99, methodId: 1 });
  });
});

describe('content headers', () => {
  const properties = fc.record(
    {
      contentType: anyShortText,
      headers: table,
      deliveryMode: fc.constantFrom(1, 2),
      priority: fc.nat({ max: 9 }),
      correlationId: anyShortText,
      messageId: anyShortText,
      timestamp: fc.bigInt({ min: 0n, max: 2n ** 63n }),
      type: anyShortText,
      clusterId: anyShortText,
    },
    { requiredKeys: [] },
  );

  test('are decoded as they were', () => {
    fc.assert(
      fc.property(properties, fc.nat(), (given, size) => {
        const encoded = encodeProperties(given);
        const header = decodeContentHeader(encodeContentHeader(encoded, size));
        if ('malformed' in header) throw new Error(header.malformed);
        expect(header).toMatchObject({ classId: 60, bodyBytes: size });
        expect(plain(header.encoded)).toEqual(plain(encoded));
        expect(encodeProperties(header.properties)).toEqual(encoded);
      }),
    );
  });

  test('any bytes are a header or malformed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        decodeContentHeader(bytes);
      }),
    );
  });
});

describe('frames', () => {
  const frames = fc.array(
    fc.record({
      type: fc.constantFrom(1, 2, 3, 8),
      channel: fc.nat({ max: 65_535 }),
      payload: fc.uint8Array({ maxLength: 50 }),
    }),
    { maxLength: 8 },
  );

  function parse(pieces: readonly Uint8Array[]): readonly AmqpFrame[] {
    const parser = new FrameParser();
    const found: AmqpFrame[] = [];
    for (const piece of pieces) {
      parser.push(piece);
      for (let next = parser.next(4_096); next.kind !== 'part'; next = parser.next(4_096)) {
        if (next.kind === 'fault') throw new Error(next.reason);
        found.push({ ...next.frame, payload: plain(next.frame.payload) });
      }
    }
    return found;
  }

  test('are complete, however the stream is chunked', () => {
    fc.assert(
      fc.property(frames, fc.array(fc.nat()), (given, cuts) => {
        const stream = Buffer.concat(
          given.map((each) => encodeAmqpFrame(each.type, each.channel, each.payload)),
        );
        const at = cuts.map((cut) => cut % (stream.length + 1)).sort((one, other) => one - other);
        const ends = [...at, stream.length];
        expect(parse(ends.map((end, index) => stream.subarray(ends[index - 1] ?? 0, end)))).toEqual(given);
        expect(parse([...stream].map((byte) => Uint8Array.of(byte)))).toEqual(given);
      }),
    );
  });

  test('a body is split by frame_max and joined again', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20_000 }), (body) => {
        const cut = encodeBody(7, body, 4_096);
        expect(cut.every((each) => each.length <= 4_096)).toBe(true);
        expect(plain(Buffer.concat(parse(cut).map((each) => each.payload)))).toEqual(body);
      }),
      { numRuns: 30 },
    );
  });

  test('a frame that is too large, of an unknown type or with a wrong end is a fault, before its bytes are buffered', () => {
    const faultOf = (bytes: readonly number[]) => {
      const parser = new FrameParser();
      parser.push(Uint8Array.from(bytes));
      const said = parser.next(4_096);
      return said.kind === 'fault' ? said.reason : said.kind;
    };
    expect(faultOf([1, 0, 0, 0xff, 0xff, 0xff, 0xff])).toContain('larger than frame_max 4096');
    expect(faultOf([5, 0, 0, 0, 0, 0, 0])).toBe('type 5 is unknown');
    expect(faultOf([8, 0, 0, 0, 0, 0, 0, 0xcd])).toContain('wrong end octet');
    expect(faultOf([8, 0, 0, 0, 0, 0, 0])).toBe('part');
  });
});
