import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asSigned, HIGHEST_BITS, readBits, writeBits } from '../../protocol/can.ts';
import type { DbcMessage } from '../../protocol/dbc/database.ts';
import { readDbc } from '../../protocol/dbc/read-dbc.ts';
import { isInFrame } from '../../protocol/models/occupied-bits.ts';
import { anyDatabase, anyForm, databaseText } from '../support/dbc/drawn-database.ts';
import { bitPlaces, type PlainMessage, plainDbc, plainRaw } from '../support/dbc/plain-dbc.ts';

const EXTENDED = 0x8000_0000;

/** What the product should have of a message that the plain reader has read. */
function expectedOf({ number, signals, comment, longName, ...message }: PlainMessage): DbcMessage {
  const id = number >= EXTENDED ? number - EXTENDED : number;
  return {
    ...message,
    id,
    isExtended: number > 0x7ff,
    comment,
    ...(longName === undefined ? {} : { longName }),
    signals: signals.map(({ isBig, page, ranges, valueType, values, longName: long, ...signal }) => {
      const under = ranges ?? pageOf(page);
      const selects = page.endsWith('M');
      return {
        ...signal,
        order: isBig ? ('big' as const) : ('little' as const),
        isFloat: valueType === 1 || valueType === 2,
        // -0 compares as another number.
        offset: signal.offset + 0,
        values: new Map(values),
        ...(long === undefined ? {} : { longName: long }),
        ...(page === '' && ranges === undefined
          ? {}
          : { multiplexing: under === undefined ? { selects } : { selects, under } }),
      };
    }),
  };
}

/** The numbers of its selector under which a signal is; undefined: it is not multiplexed. */
function pageOf(page: string): readonly (readonly [number, number])[] | undefined {
  const digits = /^m(\d*)/.exec(page)?.[1];
  if (digits === undefined) return undefined;
  return digits === '' ? [] : [[Number(digits), Number(digits)]];
}

/** The lines about which the reader has to say something. */
function faultyLines(messages: readonly PlainMessage[]): readonly number[] {
  return messages
    .flatMap(({ number, bytes, line, signals }) => [
      ...(number > 0x7ff && number < EXTENDED ? [line] : []),
      ...signals
        .filter((signal) => bitPlaces(signal).some((place) => place >= 8 * bytes))
        .map((signal) => signal.line),
    ])
    .sort((one, other) => one - other);
}

describe('a database is read as a second reader reads it', () => {
  test('with all of its fields, in whatever form it is written', () => {
    fc.assert(
      fc.property(anyDatabase, anyForm, (drawn, form) => {
        const text = databaseText(drawn, form);
        const plain = plainDbc(text);
        const { database, problems } = readDbc(text);
        expect(plain.length).toBe(drawn.length);
        expect(database.messages).toEqual(plain.map(expectedOf));
        const lines = problems.map(({ line }) => line);
        expect(lines.sort((one, other) => one - other)).toEqual(faultyLines(plain));
      }),
      { numRuns: 250 },
    );
  });
});

describe('the bits of a signal', () => {
  const anyBytes = fc.uint8Array({ minLength: 0, maxLength: 8 });
  const orders = [
    ['little', false],
    ['big', true],
  ] as const;

  const asNumber = (raw: bigint | undefined) => (raw === undefined ? undefined : Number(raw));

  test('are read at every position, of every length and in both orders, bit by bit', () => {
    fc.assert(
      fc.property(anyBytes, (data) => {
        for (const [order, isBig] of orders)
          for (let startBit = 0; startBit < 64; startBit += 1)
            for (let bits = 1; bits <= 64; bits += 1) {
              const at = { startBit, bits, isBig, isSigned: false };
              const raw = plainRaw(at, data);
              const isThere = isInFrame({ startBit, bits, order }, data.length);
              const wanted = bits > HIGHEST_BITS ? undefined : raw;
              const read = readBits(data, startBit, bits, order);
              const signed = wanted === undefined ? undefined : plainRaw({ ...at, isSigned: true }, data);
              // 8,192 signals: an expectation for each takes long.
              if (
                isThere === (raw !== undefined) &&
                read === asNumber(wanted) &&
                (read === undefined || asSigned(read, bits) === asNumber(signed))
              )
                continue;
              throw new Error(`${order} ${startBit}|${bits} of [${data}]: ${read}, not ${wanted}`);
            }
      }),
      { numRuns: 8 },
    );
  });

  test('are written so that they are read bit by bit, and no other bit changes', () => {
    const anySignal = fc.record({
      startBit: fc.nat(63),
      bits: fc.integer({ min: 1, max: HIGHEST_BITS }),
      order: fc.constantFrom('little', 'big'),
      isSigned: fc.boolean(),
    });
    const anyValue = fc.oneof(
      fc.double({ noNaN: true }),
      fc.integer({ min: -300, max: 300 }),
      fc.double({ min: -1e17, max: 1e17, noNaN: true }),
    );
    fc.assert(
      fc.property(anySignal, anyBytes, anyValue, (signal, data, value) => {
        const { startBit, bits, order, isSigned } = signal;
        const at = { startBit, bits, isBig: order === 'big', isSigned };
        const [lowest, highest] = isSigned ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
        const wanted = Math.min(Math.max(Math.round(value), lowest), highest);
        const written = Uint8Array.from(data);
        writeBits(written, startBit, bits, order, wanted);
        const raw = plainRaw(at, written);
        if (raw !== undefined) expect(Number(raw)).toBe(wanted + 0);
        const own = new Set(raw === undefined ? [] : bitPlaces(at));
        for (let place = 0; place < 8 * data.length; place += 1) {
          const [before = 0, after = 0] = [data[place >> 3], written[place >> 3]];
          if (!own.has(place)) expect((after >> (place & 7)) & 1).toBe((before >> (place & 7)) & 1);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
