import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Stream } from '../random/random.ts';
import { ACCESS_TOKEN_TYPE, claimsOf, isAccessTokenType, isIssuedAhead } from './access-token.ts';
import { keyedCipher } from './cipher.ts';
import type { Crypto, TokenVerification } from './crypto.ts';
import { keyedMac } from './mac.ts';

const SECRET_FORM = /^virtual\$([0-9a-f]{32})\$([0-9a-f]{64})$/;

/**
 * Signs and hashes immediately, without the thread pool: promises settle before the next event of the
 * loop. Tokens have the form of real ones, signed with HMAC (HS256, RFC 7518 section 3.2) under a key from
 * `stream`. Hashes of secrets are fast ones, marked by their prefix.
 */
export function virtualCrypto(stream: Stream): Crypto {
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
    verifyToken: (token, expected) => Promise.resolve(verifyAccessToken(token, sign, expected)),
    // An HMAC key has no public half; only its id is published.
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
    ...keyedMac,
    ...keyedCipher(key),
    digest: (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
  };
}

/**
 * The order of the checks is that of the real one: form, algorithm, signature, type, issuer, audience,
 * claims, times.
 */
function verifyAccessToken(
  token: string,
  sign: (signed: string) => Buffer,
  expected: { issuer: string; nowMs: number },
): TokenVerification {
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
  const payloadClaims = fromPart(payload);
  if (payloadClaims === undefined) return { ok: false, reason: 'unreadable' };
  if (payloadClaims['iss'] !== expected.issuer) return { ok: false, reason: 'wrong-issuer' };
  if (payloadClaims['aud'] !== expected.issuer) return { ok: false, reason: 'wrong-audience' };
  const claims = claimsOf(payloadClaims);
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
