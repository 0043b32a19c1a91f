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
    uuid: () => uuidFrom(bytes(16)),
    code: (length) =>
      Array.from({ length }, () => CODE_LETTERS.charAt(stream.whole(0, CODE_LETTERS.length - 1))).join(''),
    secret: (byteCount) => bytes(byteCount).toString('base64url'),
  };
}

/** RFC 9562 section 5.4: version 4 in the high half of byte 6, variant 0b10 at the top of byte 8. */
function uuidFrom(bytes: Buffer): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
