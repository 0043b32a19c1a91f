import { monotonicFactory } from 'ulid';
import type { Mint } from './mint.ts';
import type { Stream } from './random.ts';
import type { Time } from './time.ts';

const CODE_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Ids and secrets from `stream`; ULIDs carry `time`. Two mints need two streams, or they make the same ids. */
export function virtualMint(time: Time, stream: Stream): Mint {
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

/** Where the digits of each byte stand in a UUID. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;

/** One room for all of them, with the dashes in their places: each record has one, and its parts would cost more. */
const room = Buffer.from('00000000-0000-0000-0000-000000000000', 'latin1');

/** RFC 9562 section 5.4: version 4 in the high half of byte 6, variant 0b10 at the top of byte 8. */
function drawUuid(stream: Stream): string {
  for (let at = 0; at < PLACES.length; at += 1) {
    const drawn = stream.whole(0, 255);
    const byte = at === 6 ? (drawn & 0x0f) | 0x40 : at === 8 ? (drawn & 0x3f) | 0x80 : drawn;
    const place = PLACES[at] as number;
    room[place] = DIGITS[byte >> 4] as number;
    room[place + 1] = DIGITS[byte & 0x0f] as number;
  }
  return room.toString('latin1');
}
