import { describe, expect, test } from 'vitest';
import { decodePayload, encodeFrame, payloadOf } from '../../../../protocol/codec/frame.ts';
import { wireLimits } from '../../../../protocol/limits.ts';
import type { Frame, Message } from '../../../../protocol/message.ts';
import { frameBytes } from '../../../support/frames/frame-checks.ts';

function frameOf(message: Message, sequence = 0, generation: 1 | 2 = 2): Frame {
  return { generation, epoch: 7, boot: 0, sequence, clockMs: 1_700_000_000_000, message };
}

const heartbeat = frameOf({ kind: 'heartbeat' }, 5);
const report = frameOf({ kind: 'report', cause: 'time', signals: { digital: 3 } }, 6);

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

describe('a payload', () => {
  test('of no bytes contains nothing', () => {
    expect(decodePayload(new Uint8Array(0))).toEqual({ frames: [], faults: [] });
  });

  test('over the limit is refused without being read', () => {
    const bytes = new Uint8Array(wireLimits.payloadBytes + 1);
    bytes.set(encodeFrame(heartbeat));
    expect(decodePayload(bytes).frames).toEqual([]);
    expect(decodePayload(bytes).faults).toMatchObject([
      { fault: { fault: 'too-large' }, start: 0, end: bytes.length },
    ]);
    expect(decodePayload(bytes.subarray(0, wireLimits.payloadBytes)).frames).toHaveLength(1);
  });

  test('of more frames than the limit gives the first of them and reports where it stopped', () => {
    const most = wireLimits.framesPerPayload;
    const frames = Array.from({ length: most + 2 }, () => heartbeat);
    const { frames: placed, faults } = decodePayload(payloadOf(frames));
    expect(placed).toHaveLength(most);
    expect(faults).toMatchObject([
      { fault: { fault: 'too-large', offset: most * 27 }, end: (most + 2) * 27 },
    ]);
    expect(decodePayload(payloadOf(frames.slice(2))).faults).toEqual([]);
  });

  test('with noise at its ends and between frames gives the frames', () => {
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

  test('in the middle of a larger buffer is read from its own beginning', () => {
    const bytes = join(Uint8Array.of(9, 9, 9), encodeFrame(report)).subarray(3);
    expect(decodePayload(bytes).frames).toEqual([{ frame: report, start: 0, end: bytes.length }]);
  });
});

describe('an invalid frame', () => {
  const good = encodeFrame(heartbeat);
  const bad = encodeFrame(report);

  test('with a valid header is reported with its key, and the frames after it are read', () => {
    const spoiled = bad.slice();
    spoiled[24] = (spoiled[24] ?? 0) ^ 0x10;
    const { frames, faults } = decodePayload(join(good, spoiled, good));
    expect(frames.map(({ start }) => start)).toEqual([0, good.length + bad.length]);
    expect(faults).toEqual([
      {
        fault: {
          fault: 'wrong-checksum',
          offset: good.length + bad.length - 4,
          detail: 'The checksum over the frame does not match.',
        },
        start: good.length,
        end: good.length + bad.length,
        key: { generation: 2, epoch: 7, sequence: 6 },
      },
    ]);
  });

  test('with an invalid header has no key, and the next frame is found', () => {
    const spoiled = bad.slice();
    spoiled[12] = 0xff;
    const { frames, faults } = decodePayload(join(spoiled, good));
    expect(frames.map(({ start }) => start)).toEqual([bad.length]);
    expect(faults).toMatchObject([
      { fault: { fault: 'wrong-header-check', offset: 21 }, start: 0, end: bad.length },
    ]);
    expect(faults[0]).not.toHaveProperty('key');
  });

  test('that was cut off does not hide the frame that begins inside the length it claims', () => {
    const { frames, faults } = decodePayload(join(bad.subarray(0, 26), good));
    expect(frames.map(({ frame }) => frame)).toEqual([heartbeat]);
    expect(faults).toMatchObject([{ start: 0, end: 26, key: { sequence: 6 } }]);
  });

  test('of a kind that the journal does not keep has no key', () => {
    const spoiled = encodeFrame(frameOf({ kind: 'birth', connection: 3 }));
    spoiled[25] = (spoiled[25] ?? 0) ^ 1;
    const { faults } = decodePayload(spoiled);
    expect(faults).toMatchObject([{ fault: { fault: 'wrong-checksum' } }]);
    expect(faults[0]).not.toHaveProperty('key');
  });

  test('that claims more than a frame may contain is skipped with its key', () => {
    const long = frameBytes({
      version: 2,
      kind: 2,
      sequence: 9,
      length: wireLimits.framePayloadBytes + 1,
      payload: [],
    });
    const { frames, faults } = decodePayload(join(long, good));
    expect(frames).toHaveLength(1);
    expect(faults).toMatchObject([
      { fault: { fault: 'impossible-length', offset: 3 }, key: { sequence: 9 } },
    ]);
  });
});

describe('generation 2', () => {
  test('skips unknown tags, in a message and in nested records', () => {
    const known = [1, 1, 1, 2, 4, 0x13, 2, 0, 3];
    const payloads = [
      known,
      [...known, 0xee, 2, 9, 9],
      [1, 1, 1, 2, 7, 0x0f, 1, 7, ...known.slice(5)],
      [1, 1, 1, 2, 7, ...known.slice(5), 0xfe, 1, 7],
    ];
    for (const payload of payloads) {
      const { frames, faults } = decodePayload(frameBytes({ version: 2, kind: 1, sequence: 6, payload }));
      expect(faults).toEqual([]);
      expect(frames[0]?.frame.message).toEqual(report.message);
    }
  });

  test('skips an unknown value of 200 bytes, whose length takes two', () => {
    const payload = [1, 4, 0, 0, 0, 3, 9, 0xc8, 0x01, ...Array<number>(200).fill(0xb7)];
    const { frames } = decodePayload(frameBytes({ version: 2, kind: 0x13, payload }));
    expect(frames[0]?.frame.message).toEqual({ kind: 'birth', connection: 3 });
  });
});

describe('encoding', () => {
  test('does not change earlier frames, however many come after', () => {
    const message: Message = { kind: 'receipt', contiguous: 1, ranges: [[3, 4]] };
    const frames = Array.from(
      { length: 600 },
      (_, index): Frame => ({
        generation: index % 3 === 0 ? 2 : 1,
        epoch: index,
        boot: 0,
        sequence: 0,
        clockMs: 1,
        message,
      }),
    );
    const encoded = frames.map(encodeFrame);
    const copies = encoded.map((bytes) => bytes.slice());
    for (const frame of frames) encodeFrame({ ...frame, epoch: 0xffff_ffff });
    expect(encoded).toEqual(copies);
    expect(encoded.map((bytes) => decodePayload(bytes).frames[0]?.frame)).toEqual(frames);
  });

  test('rounds values to the resolution of the generation', () => {
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

  test('clamps numbers, cuts lists and sorts ascending lists', () => {
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
    expect(ranges).toHaveLength(wireLimits.receiptRanges);
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

test('random bytes are decoded quickly', { timeout: 2000 }, () => {
  const header = frameBytes({
    version: 2,
    kind: 2,
    sequence: 1,
    length: wireLimits.framePayloadBytes,
    payload: [],
  }).slice(0, 23);
  const headers = new Uint8Array(wireLimits.payloadBytes);
  for (let start = 0; start + 23 <= headers.length; start += 23) headers.set(header, start);
  expect(decodePayload(headers).faults.length).toBeLessThanOrEqual(wireLimits.framesPerPayload + 2);
  const magic = new Uint8Array(wireLimits.payloadBytes).fill(0xb7);
  expect(decodePayload(magic).faults).toHaveLength(1);
});
