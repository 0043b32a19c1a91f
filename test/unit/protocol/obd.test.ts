import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeObd,
  OBD_ROWS,
  obdRow,
  parseTroubleCode,
  rawNumber,
  troubleCodeText,
} from '../../../protocol/obd.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);

describe('mode 01 values', () => {
  test.each([
    { pid: 0x04, data: [0xff], physical: 100 },
    { pid: 0x05, data: [0x7b], physical: 83 },
    { pid: 0x05, data: [0x00], physical: -40 },
    { pid: 0x0c, data: [0x1a, 0xf8], physical: 1726 },
    { pid: 0x0d, data: [0x32], physical: 50 },
    { pid: 0x11, data: [0x33], physical: 20 },
    { pid: 0x1f, data: [0x01, 0x02], physical: 258 },
    { pid: 0x2f, data: [0x80], physical: 50.196 },
    { pid: 0x31, data: [0x04, 0xd2], physical: 1234 },
    { pid: 0x42, data: [0x36, 0x15], physical: 13.845 },
    { pid: 0x46, data: [0x3c], physical: 20 },
    { pid: 0x5c, data: [0x82], physical: 90 },
    { pid: 0xa6, data: [0x00, 0x01, 0xe2, 0x40], physical: 12_345.6 },
    { pid: 0xa6, data: [0xff, 0xff, 0xff, 0xff], physical: 429_496_729.5 },
  ])(
    'PID $pid with $data means $physical, as the formula of the standard says',
    ({ pid, data, physical }) => {
      expect(decodeObd(pid, bytes(...data))).toBeCloseTo(physical, 3);
    },
  );

  test('an answer of another length than in the standard, or of an unknown PID, has no value', () => {
    expect(decodeObd(0x0c, bytes(1))).toBeUndefined();
    expect(decodeObd(0x0d, bytes(1, 2))).toBeUndefined();
    expect(decodeObd(0x00, bytes(1))).toBeUndefined();
    expect(obdRow(0x00)).toBeUndefined();
  });

  test('PIDs are unique and their rows are found by them', () => {
    expect(new Set(OBD_ROWS.map((row) => row.pid)).size).toBe(OBD_ROWS.length);
    for (const row of OBD_ROWS) expect(obdRow(row.pid)).toBe(row);
  });

  test('every answer of the length in the standard has the value of its raw number', () => {
    const answer = fc
      .constantFrom(...OBD_ROWS)
      .chain((row) =>
        fc.tuple(fc.constant(row), fc.uint8Array({ minLength: row.bytes, maxLength: row.bytes })),
      );
    fc.assert(
      fc.property(answer, ([row, data]) => {
        const physical = decodeObd(row.pid, data) ?? Number.NaN;
        expect((physical - row.offset) / row.factor).toBeCloseTo(rawNumber(data), 3);
      }),
    );
  });

  test('a raw number is the big-endian number of its bytes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), (raw) => {
        const data = new Uint8Array(4);
        new DataView(data.buffer).setUint32(0, raw);
        expect(rawNumber(data)).toBe(raw);
      }),
    );
  });
});

describe('trouble codes', () => {
  test.each([
    ['P0301', 0x0301],
    ['C1234', 0x5234],
    ['B2ABC', 0xaabc],
    ['U3FFF', 0xffff],
    ['P0000', 0x0000],
    ['U0100', 0xc100],
  ])('%s is packed into two bytes and read back', (text, code) => {
    expect(parseTroubleCode(text)).toBe(code);
    expect(troubleCodeText(code)).toBe(text);
  });

  test.each(['', 'P301', 'P4301', 'X0301', 'P0301 ', ' P0301', 'XP0301', 'P03G1', 'P00301'])(
    '%j is not a trouble code',
    (text) => {
      expect(parseTroubleCode(text)).toBeUndefined();
    },
  );

  test('every two bytes are a code that is parsed again', () => {
    for (let code = 0; code <= 0xffff; code += 1) {
      if (parseTroubleCode(troubleCodeText(code)) !== code) expect.fail(`code ${code} did not come back`);
    }
  });
});
