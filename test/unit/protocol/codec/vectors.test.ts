import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodePayload, encodeFrame } from '../../../../protocol/codec/frame.ts';
import type { Frame } from '../../../../protocol/message.ts';
import { MESSAGE_KINDS } from '../../../../protocol/message-kinds.ts';

/** Recorded frames, so that a change of the code that changes the wire is detected. */
interface Vector {
  readonly about: string;
  /** The header by fields, the payload in rows of 16 bytes, the checksum. */
  readonly hex: readonly string[];
  /** The frame; bytes in it are hex. */
  readonly frame: unknown;
}

const folder = new URL('../../../vectors/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

const vectors = files.flatMap((name) => {
  const list = JSON.parse(readFileSync(new URL(name, folder), 'utf8'), (key, value: unknown) =>
    key === 'data' && typeof value === 'string' ? bytesOf(value) : value,
  ) as Vector[];
  return list.map((vector) => ({
    label: `${name.replace('.json', '')}, ${vector.about}`,
    bytes: bytesOf(vector.hex.join('')),
    frame: vector.frame as Frame,
  }));
});

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.replaceAll(' ', '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

test('there is a vector for each kind in each generation', () => {
  const seen = new Set(vectors.map(({ frame }) => `${frame.generation} ${frame.message.kind}`));
  const wanted = [1, 2].flatMap((generation) => MESSAGE_KINDS.map((kind) => `${generation} ${kind.name}`));
  expect(wanted.filter((each) => !seen.has(each))).toEqual([]);
});

describe.each(vectors)('$label', ({ bytes, frame }) => {
  test('the bytes decode to the frame', () => {
    const whole = { frames: [{ frame, start: 0, end: bytes.length }], faults: [] };
    expect(decodePayload(bytes)).toEqual(whole);
    expect(decodePayload(Buffer.from(bytes))).toEqual(whole);
  });

  test('the frame encodes to the bytes', () => {
    expect(encodeFrame(frame)).toEqual(bytes);
  });

  test('the decoded bytes are encoded to the same bytes', () => {
    const [decoded] = decodePayload(bytes).frames;
    expect(decoded && encodeFrame(decoded.frame)).toEqual(bytes);
  });

  test('split at any byte, the first part is one truncated frame and the second part contains none', () => {
    const key =
      frame.sequence === 0 ? {} : { key: { generation: frame.generation, epoch: 7, sequence: 1234 } };
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const head = decodePayload(bytes.subarray(0, cut));
      expect(head.frames).toEqual([]);
      expect(head.faults).toEqual([
        {
          fault: { fault: 'truncated', offset: cut < 23 ? 0 : cut, detail: expect.any(String) },
          start: 0,
          end: cut,
          ...(cut < 23 ? {} : key),
        },
      ]);
      expect(decodePayload(bytes.subarray(cut)).frames).toEqual([]);
    }
  });

  test('with any one bit flipped there is no frame', () => {
    const flipped = bytes.slice();
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const mask = 1 << (bit & 7);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ mask;
      const { frames, faults } = decodePayload(flipped);
      if (frames.length > 0 || faults.length === 0) expect.fail(`bit ${bit} made no difference`);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ mask;
    }
    expect(flipped).toEqual(bytes);
  });
});
