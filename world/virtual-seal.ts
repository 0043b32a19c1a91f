import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Stream } from './random.ts';
import type { Seal, TokenVerdict } from './seal.ts';
import { sealCipher } from './seal-cipher.ts';
import { sealMac } from './seal-mac.ts';
import { ACCESS_TOKEN_TYPE, claimsOf, isAccessTokenType, isIssuedAhead } from './seal-token.ts';

const SECRET_FORM = /^virtual\$([0-9a-f]{32})\$([0-9a-f]{64})$/;

/**
 * Signs and hashes at once, without the thread pool: settled by the end of the event that asked. Tokens have the
 * shape of real ones, signed with HMAC (HS256, RFC 7518 section 3.2) under a key from `stream`; hashes of secrets are
 * quick ones and say so in their prefix.
 */
export function virtualSeal(stream: Stream): Seal {
  const randomHex = (byteCount: number): string =>
    Buffer.from(Array.from({ length: byteCount }, () => stream.whole(0, 255))).toString('hex');
  const key = Buffer.from(randomHex(32), 'hex');
  const kid = createHash('sha256').update(key).digest('base64url').slice(0, 16);
  const sign = (signed: string): Buffer => createHmac('sha256', key).update(signed).digest();
  const hash = (salt: string, secret: string): string =>
    createHash('sha256').update(`${salt}$${secret}`, 'utf8').digest('hex');
  const token = (typ: string, claims: object): Promise<string> => {
    const signed = `${toPart({ alg: 'HS256', typ, kid })}.${toPart(claims)}`;
    return Promise.resolve(`${signed}.${sign(signed).toString('base64url')}`);
  };
  return {
    signToken: (claims) => token(ACCESS_TOKEN_TYPE, claims),
    signIdToken: (claims) => token('JWT', claims),
    verifyToken: (token, expected) => Promise.resolve(verdict(token, sign, expected)),
    // There is no public half of an HMAC key; what may be known of it is its name.
    publicKeys: () => ({ keys: [{ kty: 'oct', kid, alg: 'HS256', use: 'sig' }] }),
    hashSecret: (secret) => {
      const salt = randomHex(16);
      return Promise.resolve(`virtual$${salt}$${hash(salt, secret)}`);
    },
    verifySecret: (secret, stored) => {
      const [, salt, hashed] = SECRET_FORM.exec(stored) ?? [];
      if (salt === undefined || hashed === undefined) return Promise.resolve(false);
      return Promise.resolve(
        timingSafeEqual(Buffer.from(hashed, 'hex'), Buffer.from(hash(salt, secret), 'hex')),
      );
    },
    ...sealMac,
    ...sealCipher(key),
    digest: (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
  };
}

/** The order of the checks is that of the real seal: form, algorithm, signature, type, issuer, audience, claims, times. */
function verdict(
  token: string,
  sign: (signed: string) => Buffer,
  expected: { issuer: string; nowMs: number },
): TokenVerdict {
  const parts = token.split('.');
  const [header, payload, signature] = parts;
  if (header === undefined || payload === undefined || signature === undefined || parts.length !== 3)
    return { ok: false, reason: 'unreadable' };
  const { alg, typ } = fromPart(header) ?? {};
  if (typeof alg !== 'string') return { ok: false, reason: 'unreadable' };
  if (alg !== 'HS256') return { ok: false, reason: 'wrong-signature' };
  const right = sign(`${header}.${payload}`);
  const given = Buffer.from(signature, 'base64url');
  if (given.byteLength !== right.byteLength || !timingSafeEqual(given, right))
    return { ok: false, reason: 'wrong-signature' };
  if (!isAccessTokenType(typ)) return { ok: false, reason: 'wrong-type' };
  const told = fromPart(payload);
  if (told === undefined) return { ok: false, reason: 'unreadable' };
  if (told['iss'] !== expected.issuer) return { ok: false, reason: 'wrong-issuer' };
  if (told['aud'] !== expected.issuer) return { ok: false, reason: 'wrong-audience' };
  const claims = claimsOf(told);
  if (claims === undefined) return { ok: false, reason: 'unreadable' };
  // RFC 7519 section 4.1.4: on or after `exp` the token must not be accepted.
  if (claims.exp <= Math.floor(expected.nowMs / 1000)) return { ok: false, reason: 'expired' };
  return isIssuedAhead(claims, expected.nowMs) ? { ok: false, reason: 'issued-ahead' } : { ok: true, claims };
}

function toPart(value: object): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64url');
}

function fromPart(part: string): Record<string, unknown> | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(part)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
