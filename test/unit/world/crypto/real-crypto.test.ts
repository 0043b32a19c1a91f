import { createHmac, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { exportSPKI, importJWK, jwtVerify, SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Crypto, TokenClaims } from '../../../../world/crypto/crypto.ts';
import { makeSigningKey, realCrypto, type SigningKey } from '../../../../world/crypto/real-crypto.ts';

const NOW_MS = 1_760_000_000_000;
const ISSUER = 'http://127.0.0.1:8080';
const claims: TokenClaims = {
  iss: ISSUER,
  sub: 'client-1',
  aud: ISSUER,
  iat: NOW_MS / 1_000,
  exp: NOW_MS / 1_000 + 3_600,
  jti: '01K73J2A00',
  client_id: 'client-1',
  fleet_id: 'FLEET1',
  scope: 'VEHICLES_RO VEHICLE_COMMANDS',
};
const expected = { issuer: ISSUER, nowMs: NOW_MS };
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

let key: SigningKey;
let crypto: Crypto;
beforeAll(async () => {
  key = await makeSigningKey();
  crypto = await realCrypto(key);
});

describe('tokens', () => {
  test('a signed token is verified, with all claims, until the second it expires', async () => {
    const token = await crypto.signToken(claims);
    expect(await crypto.verifyToken(token, expected)).toEqual({ ok: true, claims });
    const last = { issuer: ISSUER, nowMs: claims.exp * 1_000 - 1 };
    expect(await crypto.verifyToken(token, last)).toEqual({ ok: true, claims });
    const over = { issuer: ISSUER, nowMs: claims.exp * 1_000 };
    expect(await crypto.verifyToken(token, over)).toEqual({ ok: false, reason: 'expired' });
  });

  test('survive a restart with the same key, but not with another one', async () => {
    const token = await crypto.signToken(claims);
    const again = await realCrypto(JSON.parse(JSON.stringify(key)));
    expect(await again.verifyToken(token, expected)).toEqual({ ok: true, claims });
    const other = await realCrypto(await makeSigningKey());
    expect(await other.verifyToken(token, expected)).toEqual({ ok: false, reason: 'wrong-signature' });
  });

  test('can be checked by others with the published keys, which contain nothing private', async () => {
    const token = await crypto.signToken(claims);
    const [published] = crypto.publicKeys().keys;
    expect(new Set(Object.keys(published ?? {}))).toEqual(new Set(['alg', 'e', 'kid', 'kty', 'n', 'use']));
    const { payload, protectedHeader } = await jwtVerify(token, await importJWK(published ?? {}, 'RS256'), {
      currentDate: new Date(NOW_MS),
    });
    expect(payload).toEqual(claims);
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: published?.['kid'] });
  });

  test('of another issuer are refused', async () => {
    const token = await crypto.signToken({ ...claims, iss: 'http://elsewhere' });
    expect(await crypto.verifyToken(token, expected)).toEqual({ ok: false, reason: 'wrong-issuer' });
  });

  test('without signature, or signed with the public key as a password, are refused', async () => {
    const none = `${base64url({ alg: 'none' })}.${base64url(claims)}.`;
    const publicJwk = crypto.publicKeys().keys[0] ?? {};
    const imported = await importJWK({ ...publicJwk }, 'RS256', { extractable: true });
    const pem = imported instanceof Uint8Array ? '' : await exportSPKI(imported);
    const body = `${base64url({ alg: 'HS256' })}.${base64url(claims)}`;
    const confused = `${body}.${createHmac('sha256', pem).update(body).digest('base64url')}`;
    for (const token of [none, confused]) {
      expect(await crypto.verifyToken(token, expected)).toMatchObject({ ok: false });
    }
    expect(await crypto.verifyToken(confused, expected)).toEqual({ ok: false, reason: 'wrong-signature' });
  });

  test('with any one character changed are refused', async () => {
    const token = await crypto.signToken(claims);
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom(...letters), async (at, letter) => {
        const forged = `${token.slice(0, at)}${letter}${token.slice(at + 1)}`;
        // The last character of a part has bits that base64url ignores: then it is the same token.
        const bytes = (text: string) =>
          text.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'));
        if (bytes(forged).join() === bytes(token).join()) return;
        expect(await crypto.verifyToken(forged, expected)).toMatchObject({ ok: false });
      }),
      { numRuns: 200 },
    );
  });

  test('verification never throws, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `${text}.${text}.${text}`),
        ),
        async (text) => {
          expect(await crypto.verifyToken(text, expected)).toMatchObject({ ok: false });
        },
      ),
    );
  });

  test('that lack a claim, or have one of another type, are unreadable', async () => {
    const privateKey = await importJWK(key, 'RS256');
    const sign = (payload: Record<string, unknown>) =>
      new SignJWT(payload).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt' }).sign(privateKey);
    for (const name of ['sub', 'iat', 'exp', 'jti', 'client_id', 'fleet_id', 'scope'] as const) {
      const { [name]: _left, ...rest } = claims;
      expect(await crypto.verifyToken(await sign(rest), expected)).toEqual({
        ok: false,
        reason: 'unreadable',
      });
    }
    const { aud: _audience, ...forNobody } = claims;
    for (const token of [await sign(forNobody), await sign({ ...claims, aud: ['http://elsewhere'] })])
      expect(await crypto.verifyToken(token, expected)).toEqual({ ok: false, reason: 'wrong-audience' });
    const wrong = await sign({ ...claims, scope: ['VEHICLES'] });
    expect(await crypto.verifyToken(wrong, expected)).toEqual({ ok: false, reason: 'unreadable' });
  });

  test('a key that is not a private RSA key is refused', async () => {
    const { d: _private, ...publicOnly } = key;
    const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
    for (const wrong of [publicOnly, elliptic, {}]) {
      await expect(realCrypto(wrong as SigningKey)).rejects.toBeInstanceOf(TypeError);
    }
  });
});

describe('secrets', () => {
  test('the right one matches its hash, another does not, and one secret gives two hashes', async () => {
    const [hash, again] = await Promise.all([crypto.hashSecret('geheim ü'), crypto.hashSecret('geheim ü')]);
    expect(hash).toMatch(/^\$scrypt\$ln=14,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(hash).not.toBe(again);
    expect(hash).not.toContain('geheim');
    expect(await crypto.verifySecret('geheim ü', hash)).toBe(true);
    expect(await crypto.verifySecret('geheim ü', again)).toBe(true);
    expect(await crypto.verifySecret('geheim u', hash)).toBe(false);
    expect(await crypto.verifySecret('', hash)).toBe(false);
  });

  test('a hash of RFC 7914 section 12 is accepted, and so are other parameters than the current ones', async () => {
    // scrypt("pleaseletmein", "SodiumChloride", N=16384, r=8, p=1, 64 bytes)
    const hex =
      '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2' +
      'd5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887';
    const form = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
    const stored = (parameters: string, hash: string) =>
      `$scrypt$${parameters}$${form(Buffer.from('SodiumChloride'))}$${form(Buffer.from(hash, 'hex'))}`;
    expect(await crypto.verifySecret('pleaseletmein', stored('ln=14,r=8,p=1', hex))).toBe(true);
    expect(await crypto.verifySecret('pleaseletmein', stored('ln=13,r=8,p=1', hex))).toBe(false);
    // scrypt("password", "NaCl", N=1024, r=8, p=16) has a parallelism over our limit.
    expect(await crypto.verifySecret('pleaseletmein', stored('ln=10,r=8,p=16', hex))).toBe(false);
  });

  test('a hash of unknown form, or one that would use up the memory, does not match', async () => {
    const some = await crypto.hashSecret('x');
    const [, , , salt] = some.split('$');
    for (const stored of [
      '',
      'x',
      '$2b$10$abcdefghijklmnopqrstuv',
      `$scrypt$ln=30,r=8,p=1$${salt}$${'A'.repeat(43)}`,
      `$scrypt$ln=14,r=99,p=1$${salt}$${'A'.repeat(43)}`,
      `$scrypt$ln=0,r=8,p=1$${salt}$${'A'.repeat(43)}`,
      `$scrypt$ln=14,r=8,p=1$${salt}$A`,
      `${some}x\n`,
    ]) {
      expect(await crypto.verifySecret('x', stored)).toBe(false);
    }
  });

  test('the digest is SHA-256 in hex (FIPS 180-4, "abc")', () => {
    expect(crypto.digest('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
