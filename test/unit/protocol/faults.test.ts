import { describe, expect, test } from 'vitest';
import { decodePayload, encodeFrame } from '../../../protocol/codec/frame.ts';
import type { Frame, Message } from '../../../protocol/message.ts';
import { frameBytes, withRightChecks } from '../../support/frames/frame-checks.ts';

function frameOf(message: Message, sequence = 0, generation: 1 | 2 = 2): Frame {
  return { generation, epoch: 7, boot: 0, sequence, clockMs: 1_700_000_000_000, message };
}

/** The faults of a payload as `name at offset`. */
function faultsOf(bytes: Uint8Array): string[] {
  return decodePayload(bytes).faults.map(({ fault }) => `${fault.fault} at ${fault.offset}`);
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

describe('a frame with valid checksums in which', () => {
  test.each([
    {
      what: 'its version is unknown',
      bytes: { version: 3, kind: 2, sequence: 1, payload: [] },
      fault: 'unknown-version at 1',
    },
    {
      what: 'its kind is unknown',
      bytes: { version: 1, kind: 0x7f, sequence: 1, payload: [] },
      fault: 'unknown-kind at 2',
    },
    {
      what: 'a record has sequence 0',
      bytes: { version: 2, kind: 2, payload: [] },
      fault: 'impossible-value at 11',
    },
    {
      what: 'a ready has a sequence',
      bytes: { version: 2, kind: 0x12, sequence: 1, payload: [] },
      fault: 'impossible-value at 11',
    },
    {
      what: 'a receipt has a boot count',
      bytes: { version: 2, kind: 0x80, boot: 1, payload: [] },
      fault: 'impossible-value at 9',
    },
    {
      what: 'a field of the fixed layout is cut',
      bytes: { version: 1, kind: 0x13, payload: [0, 0, 1] },
      fault: 'impossible-length at 23',
    },
    {
      what: 'bytes follow the last field',
      bytes: { version: 1, kind: 0x13, payload: [0, 0, 0, 1, 0] },
      fault: 'impossible-length at 27',
    },
    {
      what: 'a heartbeat has content',
      bytes: { version: 1, kind: 2, sequence: 1, payload: [0] },
      fault: 'impossible-length at 23',
    },
    {
      what: 'a tagged field is missing',
      bytes: { version: 2, kind: 0x13, payload: [] },
      fault: 'impossible-length at 23',
    },
    {
      what: 'a field between others is missing',
      bytes: { version: 2, kind: 0x11, payload: [2, 2, 0, 9] },
      fault: 'impossible-length at 23',
    },
    {
      what: 'a tagged field is too short',
      bytes: { version: 2, kind: 0x13, payload: [1, 3, 0, 0, 1] },
      fault: 'impossible-length at 25',
    },
    {
      what: 'a tagged field is too long',
      bytes: { version: 2, kind: 0x13, payload: [1, 5, 0, 0, 0, 1, 0] },
      fault: 'impossible-length at 29',
    },
    {
      what: 'a value is longer than the payload',
      bytes: { version: 2, kind: 0x13, payload: [1, 9, 0] },
      fault: 'impossible-length at 25',
    },
    {
      what: 'a length ends in the middle',
      bytes: { version: 2, kind: 0x13, payload: [1, 0x84] },
      fault: 'impossible-length at 25',
    },
    {
      what: 'a length is not in its shortest form',
      bytes: { version: 2, kind: 0x13, payload: [1, 0x84, 0, 0, 0, 0, 1] },
      fault: 'impossible-length at 24',
    },
    {
      what: 'a tag comes twice',
      bytes: { version: 2, kind: 0x13, payload: [1, 4, 0, 0, 0, 1, 1, 4, 0, 0, 0, 1] },
      fault: 'impossible-value at 29',
    },
    {
      what: 'a tag is 0',
      bytes: { version: 2, kind: 0x12, payload: [0, 0] },
      fault: 'impossible-value at 23',
    },
    {
      what: 'a reason has no meaning',
      bytes: { version: 2, kind: 0x11, payload: [1, 1, 9, 2, 2, 0, 9] },
      fault: 'impossible-value at 25',
    },
    {
      what: 'a report cause has no meaning',
      bytes: { version: 2, kind: 1, sequence: 1, payload: [1, 1, 0, 2, 0] },
      fault: 'impossible-value at 25',
    },
    {
      what: 'the last of a tombstone is before its first',
      bytes: {
        version: 1,
        kind: 5,
        sequence: 9,
        payload: [1, 0, 0, 0, 5, 0, 0, 0, 4, ...Array<number>(12).fill(0)],
      },
      fault: 'impossible-value at 28',
    },
    {
      what: 'a range ends before it begins',
      bytes: { version: 2, kind: 0x80, payload: [1, 4, 0, 0, 0, 1, 2, 8, 0, 0, 0, 5, 0, 0, 0, 4] },
      fault: 'impossible-value at 35',
    },
    {
      what: 'ranges overlap',
      bytes: {
        version: 2,
        kind: 0x80,
        payload: [1, 4, 0, 0, 0, 1, 2, 16, 0, 0, 0, 5, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 8],
      },
      fault: 'impossible-value at 39',
    },
    {
      what: 'an unreadable sequence is 0',
      bytes: { version: 1, kind: 0x83, payload: [1, 0, 0, 0, 0] },
      fault: 'impossible-value at 24',
    },
    {
      what: 'a count is over its limit',
      bytes: { version: 1, kind: 0x83, payload: [33] },
      fault: 'impossible-value at 23',
    },
  ])('$what, is a fault at its byte', ({ bytes, fault }) => {
    expect(faultsOf(frameBytes(bytes))).toEqual([fault]);
    expect(decodePayload(frameBytes(bytes)).frames).toEqual([]);
    const behind = join(frameBytes({ version: 2, kind: 0x12, payload: [] }), frameBytes(bytes));
    const [, name, offset] = /^(.*) at (\d+)$/.exec(fault) ?? [];
    expect(faultsOf(behind)).toEqual([`${name} at ${Number(offset) + 27}`]);
  });

  /** Signals of generation 2 inside a report. */
  const withSignals = (...signals: readonly number[]) =>
    frameBytes({ version: 2, kind: 1, sequence: 1, payload: [1, 1, 1, 2, signals.length, ...signals] });

  test.each([
    { what: 'CSQ 32', signals: [0x16, 4, 32, 0, 0, 0], offset: 30 },
    { what: 'CSQ 98', signals: [0x16, 4, 98, 0, 0, 0], offset: 30 },
    { what: 'GNSS quality 3', signals: [0x15, 22, 3, ...Array<number>(21).fill(0)], offset: 30 },
    { what: 'CAN bus 2', signals: [0x12, 7, 2, 0, 0, 0, 1, 1, 0], offset: 30 },
    { what: 'a CAN identifier of 30 bits', signals: [0x12, 7, 0, 0x20, 0, 0, 0, 1, 0], offset: 31 },
    { what: 'a CAN frame without data', signals: [0x12, 6, 0, 0, 0, 0, 1, 0], offset: 35 },
    { what: 'five bytes of OBD data', signals: [0x10, 7, 5, 5, 0, 0, 0, 0, 0], offset: 31 },
    { what: 'falling PIDs', signals: [0x10, 6, 13, 1, 0, 12, 1, 0], offset: 33 },
    { what: 'the same PID twice', signals: [0x10, 6, 13, 1, 0, 13, 1, 0], offset: 33 },
    { what: 'analogue port 4', signals: [0x14, 3, 4, 0, 0], offset: 30 },
    { what: 'a backup battery at 101 %', signals: [0x17, 6, 0, 0, 0, 0, 101, 0], offset: 34 },
    { what: 'charging is 2', signals: [0x17, 6, 0, 0, 0, 0, 100, 2], offset: 35 },
  ])('it says $what, is an impossible value at its byte', ({ signals, offset }) => {
    expect(faultsOf(withSignals(...signals))).toEqual([`impossible-value at ${offset}`]);
  });

  test('a 17th OBD value is over the limit', () => {
    const values = Array.from({ length: 17 }, (_, pid) => [pid, 1, 0]).flat();
    expect(faultsOf(withSignals(0x10, values.length, ...values))).toEqual([
      `impossible-length at ${30 + 48}`,
    ]);
    expect(decodePayload(withSignals(0x10, 48, ...values.slice(0, 48))).frames).toHaveLength(1);
  });

  test('an error text contains a line break', () => {
    const bytes = encodeFrame(
      frameOf({ kind: 'reply', requestId: '0'.repeat(26), outcome: 'failed', error: 'a b' }, 1),
    );
    const place = bytes.indexOf(0x20, 40);
    bytes[place] = 0x0a;
    expect(faultsOf(withRightChecks(bytes))).toEqual([`impossible-value at ${place}`]);
  });

  test('a setting is unknown or outside its range', () => {
    const bytes = encodeFrame(
      frameOf({
        kind: 'configuration',
        requestId: '0'.repeat(26),
        revision: 1,
        expiresMs: 0,
        settings: [{ name: 'tracking.enabled', value: 1 }],
      }),
    );
    const place = bytes.length - 4 - 6;
    bytes[place + 5] = 2;
    expect(faultsOf(withRightChecks(bytes))).toEqual([`impossible-value at ${place + 2}`]);
    bytes[place] = 0x66;
    expect(faultsOf(withRightChecks(bytes))).toEqual([`impossible-value at ${place}`]);
  });

  test.each([
    { what: 'the data of an OBD value', offset: 23 + 6 },
    { what: 'the list of OBD values', offset: 23 + 9 },
    { what: 'the list of trouble codes', offset: 23 + 100 },
    { what: 'the power reading, which is not valid', offset: 23 + 271 },
  ])('unused room of $what is not zero', ({ offset }) => {
    const signals = { obd: [{ pid: 5, data: Uint8Array.of(0x7b) }], troubleCodes: [] };
    const message = { kind: 'report', cause: 'time', signals } as const;
    const bytes = encodeFrame(frameOf(message, 1, 1));
    bytes[offset] = 1;
    expect(faultsOf(withRightChecks(bytes))).toEqual([`impossible-value at ${offset}`]);
  });

  test('unused bytes of a text are not zero, or a validity bit has no meaning', () => {
    const reply = { kind: 'reply', requestId: '0'.repeat(26), outcome: 'failed', error: 'no' } as const;
    const bytes = encodeFrame(frameOf(reply, 1, 1));
    const textEnd = 23 + 19 + 2;
    expect(bytes[textEnd - 1]).toBe('o'.charCodeAt(0));
    bytes[textEnd] = 0x41;
    expect(faultsOf(withRightChecks(bytes))).toEqual([`impossible-value at ${textEnd}`]);
    bytes[textEnd] = 0;
    bytes[23] = 4;
    expect(faultsOf(withRightChecks(bytes))).toEqual(['impossible-value at 23']);
  });
});
