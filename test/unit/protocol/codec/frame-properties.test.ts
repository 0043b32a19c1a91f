import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DecodedPayload,
  decodePayload,
  encodeFrame,
  hasOnlyReports,
  payloadOf,
} from '../../../../protocol/codec/frame.ts';
import { wireLimits } from '../../../../protocol/limits.ts';
import type { Frame } from '../../../../protocol/message.ts';
import { MESSAGE_KINDS } from '../../../../protocol/message-kinds.ts';
import { anyDownFrame, anyFrame, anyFrameOf, anyUpFrame } from '../../../support/frames/any-frame.ts';
import { withRightChecks } from '../../../support/frames/frame-checks.ts';

const GENERATIONS = [1, 2] as const;
const anyOfBoth = fc.oneof(anyFrame(1), anyFrame(2));

/** Every byte is in exactly one frame or fault, and both are in order. */
function expectCovered(payload: DecodedPayload, length: number): void {
  const spans = [...payload.frames, ...payload.faults].sort((one, other) => one.start - other.start);
  let end = 0;
  for (const span of spans) {
    expect(span.start).toBe(end);
    expect(span.end).toBeGreaterThan(span.start);
    end = span.end;
  }
  expect(end).toBe(length);
  for (const { fault } of payload.faults) expect(fault.offset).toBeLessThanOrEqual(length);
}

describe.each(GENERATIONS)('generation %i', (generation) => {
  test.each(MESSAGE_KINDS.map((kind) => kind.name))(
    'any %s comes back from its bytes, and its bytes from it',
    (kind) => {
      fc.assert(
        fc.property(anyFrameOf(generation, kind), (frame) => {
          const bytes = encodeFrame(frame);
          expect(bytes.length).toBeLessThanOrEqual(wireLimits.framePayloadBytes);
          const payload = decodePayload(bytes);
          expect(payload.faults).toEqual([]);
          expect(payload.frames).toEqual([{ frame, start: 0, end: bytes.length }]);
          expect(encodeFrame(payload.frames[0]?.frame ?? frame)).toEqual(bytes);
        }),
        { numRuns: 60 },
      );
    },
  );

  test('with a flipped bit anywhere there is no frame', () => {
    fc.assert(
      fc.property(anyFrame(generation), fc.nat(), (frame, drawn) => {
        const bytes = encodeFrame(frame);
        const bit = drawn % (bytes.length * 8);
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(decodePayload(bytes).frames).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('no kind of message goes in both directions', () => {
    const codes = (frames: fc.Arbitrary<Frame>) =>
      new Set(fc.sample(frames, 200).map((frame) => encodeFrame(frame)[2]));
    const down = codes(anyDownFrame(generation));
    expect([...codes(anyUpFrame(generation))].filter((code) => down.has(code))).toEqual([]);
  });
});

test('several frames of both generations are decoded from one payload in their order', () => {
  fc.assert(
    fc.property(fc.array(anyOfBoth, { maxLength: 12 }), (frames) => {
      const bytes = payloadOf(frames);
      const payload = decodePayload(bytes);
      expect(payload.frames.map((decoded) => decoded.frame)).toEqual(frames);
      expect(payload.faults).toEqual([]);
      expectCovered(payload, bytes.length);
    }),
    { numRuns: 50 },
  );
});

/** Bytes that contain no frame: noise, a frame with a flipped bit, a frame that is cut off at either end. */
const spoiled = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 60 }),
  fc
    .array(fc.constantFrom(0xb7, 0x01, 0x02), { minLength: 1, maxLength: 60 })
    .map((noise) => Uint8Array.from(noise)),
  fc.tuple(anyOfBoth, fc.nat()).map(([frame, drawn]) => {
    const bytes = encodeFrame(frame);
    const bit = drawn % (bytes.length * 8);
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return bytes;
  }),
  fc.tuple(anyOfBoth, fc.nat(), fc.boolean()).map(([frame, drawn, isHead]) => {
    const bytes = encodeFrame(frame);
    const cut = 1 + (drawn % (bytes.length - 1));
    return isHead ? bytes.slice(0, cut) : bytes.slice(cut);
  }),
);

test('invalid bytes before, between or after valid frames do not affect them', () => {
  const part = fc.oneof(
    anyOfBoth.map((frame) => ({ frame, bytes: encodeFrame(frame) })),
    spoiled.map((bytes) => ({ frame: undefined, bytes })),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
      const bytes = Uint8Array.from(parts.flatMap((each) => [...each.bytes]));
      const payload = decodePayload(bytes);
      const found = new Map(payload.frames.map((decoded) => [decoded.start, decoded]));
      let start = 0;
      for (const each of parts) {
        const end = start + each.bytes.length;
        if (each.frame !== undefined) expect(found.get(start)).toEqual({ frame: each.frame, start, end });
        if (each.frame !== undefined) found.delete(start);
        start = end;
      }
      // The beginning of one invalid frame and the end of another can form a valid one: then it is decoded.
      for (const decoded of found.values()) {
        expect(encodeFrame(decoded.frame)).toEqual(bytes.slice(decoded.start, decoded.end));
      }
      expectCovered(payload, bytes.length);
    }),
    { numRuns: 300 },
  );
});

test('arbitrary bytes give frames and faults that cover them, and never an exception', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
      expectCovered(decodePayload(bytes), bytes.length);
    }),
    { numRuns: 200 },
  );
});

test('a payload with valid checksums but arbitrary content gives a frame that can be encoded again, or a fault in it', () => {
  fc.assert(
    fc.property(anyOfBoth, fc.uint8Array({ minLength: 1, maxLength: 8 }), fc.nat(), (frame, noise, drawn) => {
      const bytes = encodeFrame(frame);
      const room = bytes.length - 27;
      for (const [index, byte] of noise.entries()) if (room > 0) bytes[23 + ((drawn + index) % room)] = byte;
      const sealed = withRightChecks(bytes);
      const payload = decodePayload(sealed);
      expect(payload.frames.length + payload.faults.length).toBe(1);
      expectCovered(payload, sealed.length);
      for (const decoded of payload.frames) {
        expect(decodePayload(encodeFrame(decoded.frame)).frames[0]?.frame).toEqual(decoded.frame);
      }
    }),
    { numRuns: 500 },
  );
});

test('whatever the fields of a frame, its encoding can be decoded', () => {
  const wildNumber = fc.oneof(
    fc.double(),
    fc.integer(),
    fc.constantFrom(-1, 0xffff_ffff, 2 ** 48, Number.NaN),
  );
  fc.assert(
    fc.property(anyOfBoth, fc.array(wildNumber, { minLength: 1 }), (frame, numbers) => {
      const wild = overrun(frame, numbers);
      const payload = decodePayload(encodeFrame(wild));
      expect(payload.faults).toEqual([]);
      expect(payload.frames).toHaveLength(1);
    }),
    { numRuns: 300 },
  );
});

/**
 * The frame with its numbers replaced by given others in turn, unusual characters in its texts, and its lists
 * doubled and reversed.
 */
function overrun(frame: Frame, numbers: readonly number[]): Frame {
  let next = 0;
  const change = (value: unknown, name: string): unknown => {
    if (name === 'generation' || name === 'kind') return value;
    if (typeof value === 'number') {
      next += 1;
      return numbers[next % numbers.length];
    }
    if (typeof value === 'string') return name === 'error' ? `${value}\u0000ä€😀${value}`.repeat(2) : value;
    if (value instanceof Uint8Array) return numbers.length % 2 === 0 ? new Uint8Array(0) : new Uint8Array(20);
    if (Array.isArray(value)) return [...value, ...value].map((element) => change(element, '')).reverse();
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner, key)]));
  };
  return change(frame, '') as Frame;
}

test('a payload has only reports where each of its frames is a report or a heartbeat, and nothing is beside them', () => {
  const anyFrames = fc.oneof(
    fc.array(fc.oneof(anyFrameOf(1, 'report'), anyFrameOf(2, 'report'), anyFrameOf(2, 'heartbeat')), {
      maxLength: 3,
    }),
    fc.array(anyOfBoth, { maxLength: 3 }),
  );
  fc.assert(
    fc.property(anyFrames, fc.uint8Array({ maxLength: 40 }), (frames, rest) => {
      const payload = payloadOf(frames);
      const isOfReports = frames.every(({ message: { kind } }) => kind === 'report' || kind === 'heartbeat');
      expect(hasOnlyReports(payload)).toBe(frames.length > 0 && isOfReports);
      expect(hasOnlyReports(Uint8Array.from([...payload, ...rest]))).toBe(
        frames.length > 0 && isOfReports && rest.length === 0,
      );
    }),
  );
});
