import { createHash } from 'node:crypto';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import { hashSecret, verifySecret } from './real-secret-hash.ts';
import type { Seal, TokenFault, TokenVerdict } from './seal.ts';
import { sealCipher } from './seal-cipher.ts';
import { sealMac } from './seal-mac.ts';
import { ACCESS_TOKEN_TYPE, claimsOf, isIssuedAhead } from './seal-token.ts';

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
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid })
        .sign(privateKey),
    signIdToken: (claims) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid }).sign(privateKey),
    verifyToken: (token, expected) => verdict(token, publicKey, expected),
    publicKeys: () => ({ keys: [publicJwk] }),
    hashSecret,
    verifySecret,
    ...sealMac,
    ...sealCipher(Buffer.from(d, 'base64url')),
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
      typ: ACCESS_TOKEN_TYPE,
      issuer: expected.issuer,
      audience: expected.issuer,
      currentDate: new Date(expected.nowMs),
    });
    const claims = claimsOf(payload);
    if (claims === undefined) return { ok: false, reason: 'unreadable' };
    return isIssuedAhead(claims, expected.nowMs)
      ? { ok: false, reason: 'issued-ahead' }
      : { ok: true, claims };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): TokenFault {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'wrong-signature';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'wrong-signature';
  if (!(error instanceof errors.JWTClaimValidationFailed)) return 'unreadable';
  if (error.claim === 'typ') return 'wrong-type';
  if (error.claim === 'iss') return 'wrong-issuer';
  return error.claim === 'aud' ? 'wrong-audience' : 'unreadable';
}
