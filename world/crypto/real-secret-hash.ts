import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { limits } from '../limits.ts';

/**
 * Slow hashes of secrets: scrypt (RFC 7914) in the PHC string format, so that parameters can be raised later
 * while older hashes remain valid:
 *
 *     $scrypt$ln=14,r=8,p=1$<salt, base64 without padding>$<hash, the same>
 */
const FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{1,86})\$([A-Za-z0-9+/]{1,86})$/;

interface Parameters {
  readonly logN: number;
  readonly blockSize: number;
  readonly parallel: number;
}

/** Hashes with a new salt: the same secret gives a different hash each time. */
export async function hashSecret(secret: string): Promise<string> {
  const parameters = {
    logN: limits.scryptLogN,
    blockSize: limits.scryptBlockSize,
    parallel: limits.scryptParallel,
  };
  const salt = randomBytes(limits.saltBytes);
  const hash = await derive(secret, salt, limits.hashBytes, parameters);
  const { logN, blockSize, parallel } = parameters;
  return `$scrypt$ln=${logN},r=${blockSize},p=${parallel}$${base64(salt)}$${base64(hash)}`;
}

/** Compares in constant time. `false` for a hash of unknown form, or with parameters beyond the limits. */
export async function verifySecret(secret: string, stored: string): Promise<boolean> {
  const [, logN, blockSize, parallel, saltText, hashText] = FORM.exec(stored) ?? [];
  if (saltText === undefined || hashText === undefined) return false;
  const parameters = { logN: Number(logN), blockSize: Number(blockSize), parallel: Number(parallel) };
  if (!isAffordable(parameters)) return false;
  const hash = Buffer.from(hashText, 'base64');
  // An empty hash would be equal to anything of length 0.
  if (hash.length < limits.hashBytes) return false;
  return timingSafeEqual(
    hash,
    await derive(secret, Buffer.from(saltText, 'base64'), hash.length, parameters),
  );
}

function isAffordable({ logN, blockSize, parallel }: Parameters): boolean {
  return (
    logN >= 1 &&
    logN <= limits.scryptHighestLogN &&
    blockSize >= 1 &&
    blockSize <= limits.scryptHighestBlockSize &&
    parallel >= 1 &&
    parallel <= limits.scryptHighestParallel
  );
}

function derive(
  secret: string,
  salt: Uint8Array,
  byteCount: number,
  parameters: Parameters,
): Promise<Buffer> {
  const { logN, blockSize, parallel } = parameters;
  const cost = 2 ** logN;
  // scrypt needs 128 * N * r bytes and a little more for p; Node's default limit is 32 MiB.
  const options: ScryptOptions = {
    N: cost,
    r: blockSize,
    p: parallel,
    maxmem: 128 * blockSize * (cost + parallel + 2),
  };
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, byteCount, options, (error, hash) => {
      if (error === null) resolve(hash);
      else reject(error);
    });
  });
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
