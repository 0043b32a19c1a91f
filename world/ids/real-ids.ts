import { randomBytes, randomFillSync, randomInt, randomUUID } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { Time } from '../time/time.ts';
import type { IdGenerator } from './ids.ts';

const CODE_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Ids and secrets from the operating system's random numbers; ULIDs carry `time`. */
export function realIds(time: Time): IdGenerator {
  const nextUlid = monotonicFactory(randomFractions());
  return {
    ulid: () => nextUlid(time.nowMs()),
    uuid: () => randomUUID(),
    code: (length) =>
      Array.from({ length }, () => CODE_LETTERS.charAt(randomInt(CODE_LETTERS.length))).join(''),
    secret: (byteCount) => randomBytes(byteCount).toString('base64url'),
  };
}

/** Random bytes that are fetched together: asking the system for each character of a ULID takes longer than all else. */
const POOL_BYTES = 1_024;

/** Fractions from 0 to below 1 with 8 bits; a character of a ULID takes 5 of them. */
function randomFractions(): () => number {
  const pool = new Uint8Array(POOL_BYTES);
  let at = POOL_BYTES;
  return () => {
    if (at === POOL_BYTES) {
      randomFillSync(pool);
      at = 0;
    }
    const byte = pool[at] ?? 0;
    at += 1;
    return byte / 0x100;
  };
}
