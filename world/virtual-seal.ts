import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Stream } from './random.ts';
import type { Seal, TokenClaims, TokenVerdict } from './seal.ts';
import { sealMac } from './seal-mac.ts';

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
  const header = toPart({ alg: 'HS256', typ: 'JWT', kid });
  const sign = (signed: string): Buffer => createHmac('sha256', key).update(signed).digest();
  const hash = (salt: string, secret: string): string =>
    createHash('sha256').update(`${salt}$${secret}`, 'utf8').digest('hex');
  return {
    signToken: (claims) => {
      const signed = `${header}.${toPart(claims)}`;
      return Promise.resolve(`${signed}.${sign(signed).toString('base64url')}`);
    },
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
    digest: (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
  };
}

/** The order of the checks is that of the real seal: form, algorithm, signature, claims, issuer, times. */
function verdict(
  token: string,
  sign: (signed: string) => Buffer,
  expected: { issuer: string; nowMs: number },
): TokenVerdict {
  const parts = token.split('.');
  const [header, payload, signature] = parts;
  if (header === undefined || payload === undefined || signature === undefined || parts.length !== 3)
    return { ok: false, reason: 'unreadable' };
  const alg = fromPart(header)?.['alg'];
  if (typeof alg !== 'string') return { ok: false, reason: 'unreadable' };
  if (alg !== 'HS256') return { ok: false, reason: 'wrong-signature' };
  const right = sign(`${header}.${payload}`);
  const given = Buffer.from(signature, 'base64url');
  if (given.byteLength !== right.byteLength || !timingSafeEqual(given, right))
    return { ok: false, reason: 'wrong-signature' };
  const claims = claimsOf(fromPart(payload));
  if (claims === undefined) return { ok: false, reason: 'unreadable' };
  if (claims.iss !== expected.issuer) return { ok: false, reason: 'wrong-issuer' };
  // RFC 7519 section 4.1.4: on or after `exp` the token must not be accepted.
  if (claims.exp <= Math.floor(expected.nowMs / 1000)) return { ok: false, reason: 'expired' };
  return { ok: true, claims };
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

function claimsOf(payload: Record<string, unknown> | undefined): TokenClaims | undefined {
  if (payload === undefined) return undefined;
  const text = (name: keyof TokenClaims): string | undefined => {
    const value = payload[name];
    return typeof value === 'string' ? value : undefined;
  };
  const { iat, exp } = payload;
  const [iss, sub, jti, scope] = [text('iss'), text('sub'), text('jti'), text('scope')];
  const [clientId, fleetId] = [text('client_id'), text('fleet_id')];
  if (typeof iat !== 'number' || typeof exp !== 'number') return undefined;
  if (iss === undefined || sub === undefined || jti === undefined || scope === undefined) return undefined;
  if (clientId === undefined || fleetId === undefined) return undefined;
  const claims = { iss, sub, iat, exp, jti, client_id: clientId, fleet_id: fleetId, scope };
  const grantId = payload['grant_id'];
  if (grantId === undefined) return claims;
  return typeof grantId === 'string' ? { ...claims, grant_id: grantId } : undefined;
}
