import { createHash } from 'node:crypto';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';
import { hashSecret, verifySecret } from './real-secret-hash.ts';
import type { Seal, TokenClaims, TokenVerdict } from './seal.ts';
import { sealMac } from './seal-mac.ts';

/** RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 section 3.3): the one algorithm that every OAuth client library reads. */
const ALGORITHM = 'RS256';

/** A private RSA key as a JWK (RFC 7517), to be kept by the caller: tokens outlive a restart only with the same key. */
export type SealKey = JWK;

/** Makes a new RSA key of 2048 bits. */
export async function makeSealKey(): Promise<SealKey> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { modulusLength: 2048, extractable: true });
  return exportJWK(privateKey);
}

/** A seal with `key` from `makeSealKey`. Rejects with a TypeError where that is no private RSA key. */
export async function realSeal(key: SealKey): Promise<Seal> {
  const { kty, n, e, d } = key;
  if (kty !== 'RSA' || n === undefined || e === undefined || d === undefined) {
    throw new TypeError('The seal needs a private RSA key as a JWK.');
  }
  const kid = await calculateJwkThumbprint({ kty, n, e });
  const publicJwk = { kty, n, e, kid, alg: ALGORITHM, use: 'sig' };
  const privateKey = await importedKey(key);
  const publicKey = await importedKey({ kty, n, e });
  return {
    signToken: (claims) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid }).sign(privateKey),
    verifyToken: (token, expected) => verdict(token, publicKey, expected),
    publicKeys: () => ({ keys: [publicJwk] }),
    hashSecret,
    verifySecret,
    ...sealMac,
    digest: (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
  };
}

async function importedKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, ALGORITHM);
  if (key instanceof Uint8Array) throw new TypeError('The seal needs an RSA key.');
  return key;
}

async function verdict(
  token: string,
  publicKey: CryptoKey,
  expected: { issuer: string; nowMs: number },
): Promise<TokenVerdict> {
  try {
    const { payload } = await jwtVerify(token, publicKey, {
      // Pinned: a token may choose neither `none` nor an HMAC over the public key (RFC 8725 section 3.1).
      algorithms: [ALGORITHM],
      issuer: expected.issuer,
      currentDate: new Date(expected.nowMs),
    });
    const claims = claimsOf(payload);
    return claims === undefined ? { ok: false, reason: 'unreadable' } : { ok: true, claims };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

type Refusal = Extract<TokenVerdict, { ok: false }>['reason'];

function reasonOf(error: unknown): Refusal {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'wrong-signature';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'wrong-signature';
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'iss') return 'wrong-issuer';
  return 'unreadable';
}

/** The claims, where all that our own tokens carry is there with the right type. */
function claimsOf(payload: JWTPayload): TokenClaims | undefined {
  const { iss, sub, iat, exp, jti } = payload;
  const clientId = payload['client_id'];
  const fleetId = payload['fleet_id'];
  const scope = payload['scope'];
  // The library's types are promises of whoever made the token, not checks.
  if (typeof iss !== 'string' || typeof sub !== 'string' || typeof jti !== 'string') return undefined;
  if (typeof iat !== 'number' || typeof exp !== 'number') return undefined;
  if (typeof clientId !== 'string' || typeof fleetId !== 'string' || typeof scope !== 'string')
    return undefined;
  const claims = { iss, sub, iat, exp, jti, client_id: clientId, fleet_id: fleetId, scope };
  const grantId = payload['grant_id'];
  if (grantId === undefined) return claims;
  return typeof grantId === 'string' ? { ...claims, grant_id: grantId } : undefined;
}
