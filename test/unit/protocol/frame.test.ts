import { describe, expect, test } from 'vitest';
import { decodePayload, encodeFrame, payloadOf } from '../../../protocol/frame.ts';
import { limits } from '../../../protocol/limits.ts';
import type { Frame, Message } from '../../../protocol/message.ts';
import { reseal, sealed } from './sealing.ts';

function frameOf(message: Message, sequence = 0, generation: 1 | 2 = 2): Frame {
  return { generation, epoch: 7, boot: 0, sequence, clockMs: 1_700_000_000_000, message };
}

const heartbeat = frameOf({ kind: 'heartbeat' }, 5);
const report = frameOf({ kind: 'report', cause: 'time', signals: { digital: 3 } }, 6);

/** The faults of a payload as `name at offset`. */
function faultsOf(bytes: Uint8Array): string[] {
  return decodePayload(bytes).faults.map(({ fault }) => `${fault.fault} at ${fault.offset}`);
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

describe('a payload', () => {
  test('of no bytes holds nothing', () => {
    expect(decodePayload(new Uint8Array(0))).toEqual({ frames: [], faults: [] });
  });

  test('over the bound is refused unread', () => {
    const bytes = new Uint8Array(limits.payloadBytes + 1);
    bytes.set(encodeFrame(heartbeat));
    expect(decodePayload(bytes).frames).toEqual([]);
    expect(decodePayload(bytes).faults).toMatchObject([
      { fault: { fault: 'too-large' }, start: 0, end: bytes.length },
    ]);
    expect(decodePayload(bytes.subarray(0, limits.payloadBytes)).frames).toHaveLength(1);
  });

  test('of more frames than the bound gives the first of them and says where it stopped', () => {
    const most = limits.framesPerPayload;
    const frames = Array.from({ length: most + 2 }, () => heartbeat);
    const { frames: placed, faults } = decodePayload(payloadOf(frames));
    expect(placed).toHaveLength(most);
    expect(faults).toMatchObject([
      { fault: { fault: 'too-large', offset: most * 27 }, end: (most + 2) * 27 },
    ]);
    expect(decodePayload(payloadOf(frames.slice(2))).faults).toEqual([]);
  });

  test('with noise at its ends and between frames keeps the frames', () => {
    const noise = Uint8Array.of(1, 2, 0xb7);
    const bytes = join(noise, encodeFrame(heartbeat), noise, encodeFrame(report), noise);
    const { frames, faults } = decodePayload(bytes);
    expect(frames.map(({ frame }) => frame)).toEqual([heartbeat, report]);
    expect(faults.map(({ fault, start, end }) => [fault.fault, start, end])).toEqual([
      ['no-frame', 0, 3],
      ['no-frame', 30, 33],
      ['no-frame', bytes.length - 3, bytes.length],
    ]);
  });

  test('that lies inside a larger buffer is read from its own beginning', () => {
    const bytes = join(Uint8Array.of(9, 9, 9), encodeFrame(report)).subarray(3);
    expect(decodePayload(bytes).frames).toEqual([{ frame: report, start: 0, end: bytes.length }]);
  });
});

describe('a spoiled frame', () => {
  const good = encodeFrame(heartbeat);
  const bad = encodeFrame(report);

  test('with a right header is told by its key, and what is behind it is read', () => {
    const spoiled = bad.slice();
    spoiled[24] = (spoiled[24] ?? 0) ^ 0x10;
    const { frames, faults } = decodePayload(join(good, spoiled, good));
    expect(frames.map(({ start }) => start)).toEqual([0, good.length + bad.length]);
    expect(faults).toEqual([
      {
        fault: {
          fault: 'wrong-checksum',
          offset: good.length + bad.length - 4,
          detail: 'The checksum over the frame does not fit it.',
        },
        start: good.length,
        end: good.length + bad.length,
        key: { generation: 2, epoch: 7, sequence: 6 },
      },
    ]);
  });

  test('with a wrong header has no key, and the next frame is found', () => {
    const spoiled = bad.slice();
    spoiled[12] = 0xff;
    const { frames, faults } = decodePayload(join(spoiled, good));
    expect(frames.map(({ start }) => start)).toEqual([bad.length]);
    expect(faults).toMatchObject([
      { fault: { fault: 'wrong-header-check', offset: 21 }, start: 0, end: bad.length },
    ]);
    expect(faults[0]).not.toHaveProperty('key');
  });

  test('that lost its end gives way to the frame that begins inside the length it claims', () => {
    const { frames, faults } = decodePayload(join(bad.subarray(0, 26), good));
    expect(frames.map(({ frame }) => frame)).toEqual([heartbeat]);
    expect(faults).toMatchObject([{ start: 0, end: 26, key: { sequence: 6 } }]);
  });

  test('in a kind that the journal does not keep has no key', () => {
    const spoiled = encodeFrame(frameOf({ kind: 'birth', connection: 3 }));
    spoiled[25] = (spoiled[25] ?? 0) ^ 1;
    const { faults } = decodePayload(spoiled);
    expect(faults).toMatchObject([{ fault: { fault: 'wrong-checksum' } }]);
    expect(faults[0]).not.toHaveProperty('key');
  });

  test('that claims more than a frame may hold is skipped with its key', () => {
    const long = sealed({
      version: 2,
      kind: 2,
      sequence: 9,
      length: limits.framePayloadBytes + 1,
      payload: [],
    });
    const { frames, faults } = decodePayload(join(long, good));
    expect(frames).toHaveLength(1);
    expect(faults).toMatchObject([
      { fault: { fault: 'impossible-length', offset: 3 }, key: { sequence: 9 } },
    ]);
  });
});

describe('a frame whose checksums are right, yet', () => {
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
      what: 'a reason stands for nothing',
      bytes: { version: 2, kind: 0x11, payload: [1, 1, 9, 2, 2, 0, 9] },
      fault: 'impossible-value at 25',
    },
    {
      what: 'a report cause stands for nothing',
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
      what: 'a count goes beyond its bound',
      bytes: { version: 1, kind: 0x83, payload: [33] },
      fault: 'impossible-value at 23',
    },
  ])('$what, is a fault at its byte', ({ bytes, fault }) => {
    expect(faultsOf(sealed(bytes))).toEqual([fault]);
    expect(decodePayload(sealed(bytes)).frames).toEqual([]);
    const behind = join(sealed({ version: 2, kind: 0x12, payload: [] }), sealed(bytes));
    const [, name, offset] = /^(.*) at (\d+)$/.exec(fault) ?? [];
    expect(faultsOf(behind)).toEqual([`${name} at ${Number(offset) + 27}`]);
  });

  /** Signals of generation 2 inside a report. */
  const withSignals = (...signals: readonly number[]) =>
    sealed({ version: 2, kind: 1, sequence: 1, payload: [1, 1, 1, 2, signals.length, ...signals] });

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
    { what: 'charging said as 2', signals: [0x17, 6, 0, 0, 0, 0, 100, 2], offset: 35 },
  ])('it says $what, is an impossible value at its byte', ({ signals, offset }) => {
    expect(faultsOf(withSignals(...signals))).toEqual([`impossible-value at ${offset}`]);
  });

  test('a 17th OBD value is beyond the bound', () => {
    const values = Array.from({ length: 17 }, (_, pid) => [pid, 1, 0]).flat();
    expect(faultsOf(withSignals(0x10, values.length, ...values))).toEqual([
      `impossible-length at ${30 + 48}`,
    ]);
    expect(decodePayload(withSignals(0x10, 48, ...values.slice(0, 48))).frames).toHaveLength(1);
  });

  test('an error text holds a line break', () => {
    const bytes = encodeFrame(
      frameOf({ kind: 'reply', requestId: '0'.repeat(26), outcome: 'failed', error: 'a b' }, 1),
    );
    const place = bytes.indexOf(0x20, 40);
    bytes[place] = 0x0a;
    expect(faultsOf(reseal(bytes))).toEqual([`impossible-value at ${place}`]);
  });

  test('a setting is unknown or beyond its range', () => {
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
    expect(faultsOf(reseal(bytes))).toEqual([`impossible-value at ${place + 2}`]);
    bytes[place] = 0x66;
    expect(faultsOf(reseal(bytes))).toEqual([`impossible-value at ${place}`]);
  });

  test('unused room of the fixed layout is not zero', () => {
    const bytes = encodeFrame({ ...report, generation: 1 });
    const place = bytes.length - 5;
    bytes[place] = 1;
    expect(faultsOf(reseal(bytes))).toEqual([`impossible-value at ${place}`]);
  });
});

describe('generation 2', () => {
  test('skips tags that it does not know, in a message and in what is nested in it', () => {
    const known = [1, 1, 1, 2, 4, 0x13, 2, 0, 3];
    const payloads = [
      known,
      [...known, 0xee, 2, 9, 9],
      [1, 1, 1, 2, 7, 0x0f, 1, 7, ...known.slice(5)],
      [1, 1, 1, 2, 7, ...known.slice(5), 0xfe, 1, 7],
    ];
    for (const payload of payloads) {
      const { frames, faults } = decodePayload(sealed({ version: 2, kind: 1, sequence: 6, payload }));
      expect(faults).toEqual([]);
      expect(frames[0]?.frame.message).toEqual(report.message);
    }
  });

  test('skips an unknown value of 200 bytes, whose length takes two', () => {
    const payload = [1, 4, 0, 0, 0, 3, 9, 0xc8, 0x01, ...Array<number>(200).fill(0xb7)];
    const { frames } = decodePayload(sealed({ version: 2, kind: 0x13, payload }));
    expect(frames[0]?.frame.message).toEqual({ kind: 'birth', connection: 3 });
  });
});

describe('encoding', () => {
  test('brings values onto the grid of the generation', () => {
    const signals = {
      gnss: {
        quality: 1,
        latitude: 48.137_123_45,
        longitude: -11.575_432_15,
        altitudeM: 519.96,
        speedKph: 50,
        headingDegrees: 359.999,
        satellites: 9,
        hdop: 0.949,
      },
    } as const;
    const decoded = ([1, 2] as const).map((generation) => {
      const bytes = encodeFrame(frameOf({ kind: 'report', cause: 'time', signals }, 1, generation));
      const message = decodePayload(bytes).frames[0]?.frame.message;
      return message?.kind === 'report' ? message.signals.gnss : undefined;
    });
    expect(decoded[0]).toEqual({
      quality: 1,
      latitude: 28_882_274 / 600_000,
      longitude: -6_945_259 / 600_000,
      altitudeM: 520,
      speedKph: (270 * 1852) / 10_000,
      headingDegrees: 0,
      satellites: 9,
      hdop: 0.9,
    });
    expect(decoded[1]).toEqual({
      quality: 1,
      latitude: 48.137_123_5,
      longitude: -11.575_432_1,
      altitudeM: 520,
      speedKph: 50,
      headingDegrees: 0,
      satellites: 9,
      hdop: 0.95,
    });
  });

  test('clamps numbers, trims lists and sorts what must rise', () => {
    const message: Message = {
      kind: 'receipt',
      contiguous: -4,
      ranges: [
        [20, 30],
        [5, 9],
        [9, 12],
        ...Array.from({ length: 40 }, (_, index) => [100 + 2 * index, 100 + 2 * index] as const),
      ],
    };
    const decoded = decodePayload(encodeFrame({ ...frameOf(message, 77), boot: 9, epoch: -1 })).frames[0]
      ?.frame;
    expect(decoded).toMatchObject({
      epoch: 0,
      boot: 0,
      sequence: 0,
      message: { kind: 'receipt', contiguous: 0 },
    });
    const ranges = decoded?.message.kind === 'receipt' ? decoded.message.ranges : [];
    expect(ranges).toHaveLength(limits.receiptRanges);
    expect(ranges.slice(0, 3)).toEqual([
      [5, 9],
      [20, 30],
      [100, 100],
    ]);
  });

  test('gives a record at least sequence 1', () => {
    expect(decodePayload(encodeFrame({ ...heartbeat, sequence: 0 })).frames[0]?.frame.sequence).toBe(1);
  });
});

test('hostile bytes cost no more than a moment', { timeout: 2000 }, () => {
  const header = sealed({
    version: 2,
    kind: 2,
    sequence: 1,
    length: limits.framePayloadBytes,
    payload: [],
  }).slice(0, 23);
  const headers = new Uint8Array(limits.payloadBytes);
  for (let start = 0; start + 23 <= headers.length; start += 23) headers.set(header, start);
  expect(decodePayload(headers).faults.length).toBeLessThanOrEqual(limits.framesPerPayload + 2);
  const magic = new Uint8Array(limits.payloadBytes).fill(0xb7);
  expect(decodePayload(magic).faults).toHaveLength(1);
});
