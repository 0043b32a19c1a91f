import { monotonicFactory } from 'ulid';
import type { Stream } from '../random/random.ts';
import type { Time } from '../time/time.ts';
import type { IdGenerator } from './ids.ts';

const CODE_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/**
 * Ids and secrets from `stream`; ULIDs carry `time`. Two generators need different streams, or they make the
 * same ids.
 */
export function virtualIds(time: Time, stream: Stream): IdGenerator {
  const nextUlid = monotonicFactory(() => stream.fraction());
  const bytes = (count: number): Buffer => {
    const drawn = Buffer.alloc(count);
    for (let at = 0; at < count; at += 1) drawn[at] = stream.whole(0, 255);
    return drawn;
  };
  return {
    ulid: () => nextUlid(time.nowMs()),
    uuid: () => drawUuid(stream),
    code: (length) =>
      Array.from({ length }, () => CODE_LETTERS.charAt(stream.whole(0, CODE_LETTERS.length - 1))).join(''),
    secret: (byteCount) => bytes(byteCount).toString('base64url'),
  };
}

const DIGITS = Buffer.from('0123456789abcdef', 'latin1');

/** The offsets of the digits of each byte in a UUID. */
const DIGIT_OFFSETS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;

/**
 * One buffer for all UUIDs, with the dashes in place: every record has a UUID, and joining parts would cost
 * more.
 */
const uuidBytes = Buffer.from('00000000-0000-0000-0000-000000000000', 'latin1');

/** RFC 9562 section 5.4: version 4 in the high half of byte 6, variant 0b10 at the top of byte 8. */
function drawUuid(stream: Stream): string {
  for (let at = 0; at < DIGIT_OFFSETS.length; at += 1) {
    const drawn = stream.whole(0, 255);
    const byte = at === 6 ? (drawn & 0x0f) | 0x40 : at === 8 ? (drawn & 0x3f) | 0x80 : drawn;
    const offset = DIGIT_OFFSETS[at] as number;
    uuidBytes[offset] = DIGITS[byte >> 4] as number;
    uuidBytes[offset + 1] = DIGITS[byte & 0x0f] as number;
  }
  return uuidBytes.toString('latin1');
}
