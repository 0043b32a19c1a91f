import { createHash } from 'node:crypto';
import type { CryptoKey, JWK } from 'jose';
import * as errors from 'jose/errors';
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { importJWK } from 'jose/key/import';
import { ACCESS_TOKEN_TYPE, claimsOf, isIssuedAhead } from './access-token.ts';
import { keyedCipher } from './cipher.ts';
import type { Crypto, TokenRejection, TokenVerification } from './crypto.ts';
import { keyedMac } from './mac.ts';
import { hashSecret, verifySecret } from './real-secret-hash.ts';

/**
 * RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 section 3.3): the algorithm that every OAuth client library
 * supports.
 */
const ALGORITHM = 'RS256';

/**
 * A private RSA key as a JWK (RFC 7517). The caller stores it: tokens outlive a restart only with the same
 * key.
 */
export type SigningKey = JWK;

/** Makes a new RSA key of 2048 bits. */
export async function makeSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { modulusLength: 2048, extractable: true });
  return exportJWK(privateKey);
}

/** The id of a key: its thumbprint (RFC 7638), a hash of its public part. Rejects with a TypeError where it is no RSA key. */
export async function keyIdOf({ kty, n, e }: SigningKey): Promise<string> {
  if (kty !== 'RSA' || n === undefined || e === undefined)
    throw new TypeError('This is no RSA key as a JWK.');
  return calculateJwkThumbprint({ kty, n, e });
}

/** A `Crypto` with `key` from `makeSigningKey`. Rejects with a TypeError if that is not a private RSA key. */
export async function realCrypto(key: SigningKey): Promise<Crypto> {
  const { kty, n, e, d } = key;
  if (kty !== 'RSA' || n === undefined || e === undefined || d === undefined) {
    throw new TypeError('Signing needs a private RSA key as a JWK.');
  }
  const kid = await keyIdOf(key);
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
    verifyToken: (token, expected) => verifyAccessToken(token, publicKey, expected),
    publicKeys: () => ({ keys: [publicJwk] }),
    hashSecret,
    verifySecret,
    ...keyedMac,
    ...keyedCipher(Buffer.from(d, 'base64url')),
    digest: (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
  };
}

async function importedKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, ALGORITHM);
  if (key instanceof Uint8Array) throw new TypeError('Signing needs an RSA key.');
  return key;
}

async function verifyAccessToken(
  token: string,
  publicKey: CryptoKey,
  expected: { issuer: string; nowMs: number },
): Promise<TokenVerification> {
  try {
    const { payload } = await jwtVerify(token, publicKey, {
      // Fixed: a token may choose neither `none` nor an HMAC with the public key (RFC 8725 section 3.1).
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

function reasonOf(error: unknown): TokenRejection {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'wrong-signature';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'wrong-signature';
  if (!(error instanceof errors.JWTClaimValidationFailed)) return 'unreadable';
  if (error.claim === 'typ') return 'wrong-type';
  if (error.claim === 'iss') return 'wrong-issuer';
  return error.claim === 'aud' ? 'wrong-audience' : 'unreadable';
}
