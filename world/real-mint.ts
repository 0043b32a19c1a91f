import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { Mint } from './mint.ts';
import type { Time } from './time.ts';

const CODE_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Ids and secrets from the operating system's chance; ULIDs carry `time`. */
export function realMint(time: Time): Mint {
  const nextUlid = monotonicFactory();
  return {
    ulid: () => nextUlid(time.nowMs()),
    uuid: () => randomUUID(),
    code: (length) =>
      Array.from({ length }, () => CODE_LETTERS.charAt(randomInt(CODE_LETTERS.length))).join(''),
    secret: (byteCount) => randomBytes(byteCount).toString('base64url'),
  };
}
