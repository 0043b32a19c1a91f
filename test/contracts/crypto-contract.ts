import { beforeAll, describe, expect, test } from 'vitest';
import type { Crypto, TokenClaims } from '../../world/crypto/crypto.ts';

const ISSUER = 'http://127.0.0.1:8080';
const NOW_S = 1_767_592_800;
const expected = { issuer: ISSUER, nowMs: NOW_S * 1_000 };
const claims: TokenClaims = {
  iss: ISSUER,
  sub: 'client-1',
  aud: ISSUER,
  iat: NOW_S,
  exp: NOW_S + 3_600,
  jti: '01KE6GQ2ZV0000000000000000',
  client_id: 'client-1',
  fleet_id: 'FLEET1',
  scope: 'VEHICLES_RO VEHICLE_COMMANDS',
};

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const read = (text: string | undefined): unknown =>
  JSON.parse(Buffer.from(text ?? '', 'base64url').toString());

/** The common behaviour of all implementations of `Crypto`. `make` returns two with different keys. */
export function cryptoContract(
  name: string,
  make: () => Promise<{ crypto: Crypto; stranger: Crypto }>,
): void {
  describe(`crypto: ${name}`, () => {
    let crypto: Crypto;
    let stranger: Crypto;
    beforeAll(async () => {
      ({ crypto, stranger } = await make());
    });

    describe('tokens', () => {
      test('a token gives its claims, and has three parts with a key id that is among the public keys', async () => {
        const token = await crypto.signToken(claims);
        expect(await crypto.verifyToken(token, expected)).toEqual({ ok: true, claims });
        const parts = token.split('.');
        expect(parts).toHaveLength(3);
        const keyIds = crypto.publicKeys().keys.map((key) => key['kid']);
        expect(keyIds).toContain(Object(read(parts[0])).kid);
        expect(read(parts[1])).toEqual(claims);
      });

      test('public keys contain nothing private', () => {
        const names = crypto.publicKeys().keys.flatMap((key) => Object.keys(key));
        for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(names).not.toContain(secret);
      });

      test('it is expired at exp and later, but not a millisecond before', async () => {
        const token = await crypto.signToken(claims);
        const at = (nowMs: number) => crypto.verifyToken(token, { issuer: ISSUER, nowMs });
        expect((await at(claims.exp * 1_000 - 1)).ok).toBe(true);
        expect(await at(claims.exp * 1_000)).toEqual({ ok: false, reason: 'expired' });
        expect(await at(claims.exp * 1_000 + 86_400_000)).toEqual({ ok: false, reason: 'expired' });
      });

      test('another issuer is refused', async () => {
        const token = await crypto.signToken({ ...claims, iss: 'http://elsewhere' });
        expect(await crypto.verifyToken(token, expected)).toEqual({ ok: false, reason: 'wrong-issuer' });
      });

      test('only an access token for this service is accepted: type, audience and time of issue are checked', async () => {
        // An id token with all claims of an access token: only the type differs.
        const idToken = await crypto.signIdToken({ ...claims, auth_time: NOW_S });
        expect(await crypto.verifyToken(idToken, expected)).toEqual({ ok: false, reason: 'wrong-type' });
        for (const aud of ['client-1', `${ISSUER}/`, '']) {
          const token = await crypto.signToken({ ...claims, aud });
          expect(await crypto.verifyToken(token, expected)).toEqual({ ok: false, reason: 'wrong-audience' });
        }
        const issued = async (iat: number) =>
          crypto.verifyToken(await crypto.signToken({ ...claims, iat }), expected);
        expect((await issued(NOW_S + 60)).ok).toBe(true);
        expect(await issued(NOW_S + 61)).toEqual({ ok: false, reason: 'issued-ahead' });
      });

      test('a token signed with another key, changed claims and a cut signature are a wrong signature', async () => {
        const wrong = { ok: false, reason: 'wrong-signature' };
        expect(await crypto.verifyToken(await stranger.signToken(claims), expected)).toEqual(wrong);
        const [header, , signature] = (await crypto.signToken(claims)).split('.');
        const forged = `${header}.${part({ ...claims, fleet_id: 'FLEET2' })}.${signature}`;
        expect(await crypto.verifyToken(forged, expected)).toEqual(wrong);
        const cut = (await crypto.signToken(claims)).slice(0, -8);
        expect(await crypto.verifyToken(cut, expected)).toEqual(wrong);
      });

      test('a token with no algorithm, or with another one, is not accepted', async () => {
        for (const alg of ['none', 'HS512', 'ES256']) {
          const token = `${part({ alg, typ: 'at+jwt' })}.${part(claims)}.`;
          const verdict = await crypto.verifyToken(token, expected);
          expect(verdict.ok).toBe(false);
        }
      });

      test('a text that is not a token is unreadable, and nothing rejects', async () => {
        for (const text of [
          '',
          '.',
          '..',
          'a.b',
          'a.b.c.d',
          '%%%.%%%.%%%',
          'ü',
          `${part([])}.${part(1)}.x`,
        ]) {
          expect(await crypto.verifyToken(text, expected)).toEqual({ ok: false, reason: 'unreadable' });
        }
      });

      test('every single changed character of a token is noticed', async () => {
        const token = await crypto.signToken(claims);
        // The last character of a signature has bits that base64url ignores, so changing it may have no
        // effect.
        for (let at = 0; at < token.length - 1; at += 7) {
          const other = token[at] === 'A' ? 'B' : 'A';
          const changed = `${token.slice(0, at)}${other}${token.slice(at + 1)}`;
          expect((await crypto.verifyToken(changed, expected)).ok).toBe(false);
        }
      });
    });

    describe('secrets', () => {
      test('the right secret matches its hash, another does not', async () => {
        const hash = await crypto.hashSecret('s3cret ü');
        expect(await crypto.verifySecret('s3cret ü', hash)).toBe(true);
        expect(await crypto.verifySecret('s3cret u', hash)).toBe(false);
        expect(await crypto.verifySecret('', hash)).toBe(false);
      });

      test('one secret has a different hash each time, and none contains it', async () => {
        const [one, other] = [await crypto.hashSecret('s3cret'), await crypto.hashSecret('s3cret')];
        expect(one).not.toBe(other);
        expect(one).not.toContain('s3cret');
        expect(await crypto.verifySecret('s3cret', other)).toBe(true);
      });

      test('a hash of unknown form never matches', async () => {
        for (const hash of ['', 'x', '$', 'virtual$$', '$scrypt$ln=14,r=8,p=1$$', 's3cret']) {
          expect(await crypto.verifySecret('s3cret', hash)).toBe(false);
        }
      });
    });

    describe('encryption', () => {
      test('returns the text for the same keys only', async () => {
        const encrypted = crypto.encrypt('key', 'text ü');
        expect(crypto.decrypt('key', encrypted)).toBe('text ü');
        expect(encrypted).not.toContain('text');
        expect(crypto.decrypt('other', encrypted)).toBeUndefined();
        expect(stranger.decrypt('key', encrypted)).toBeUndefined();
        expect(crypto.encrypt('key', 'text u').slice(0, 16)).not.toBe(encrypted.slice(0, 16));
        expect(crypto.decrypt('', crypto.encrypt('', ''))).toBe('');
      });

      test('notices every changed character, and accepts any text', () => {
        const encrypted = crypto.encrypt('key', 'a text of some length');
        for (let at = 0; at < encrypted.length - 1; at += 1) {
          const other = encrypted[at] === 'A' ? 'B' : 'A';
          const changed = `${encrypted.slice(0, at)}${other}${encrypted.slice(at + 1)}`;
          expect(crypto.decrypt('key', changed)).toBeUndefined();
          expect(crypto.decrypt('key', encrypted.slice(0, at))).toBeUndefined();
        }
        for (const text of ['', '=', 'ü', 'A'.repeat(37), 'A'.repeat(38), '\n'])
          expect(crypto.decrypt('key', text)).toBeUndefined();
      });
    });

    describe('derived secrets', () => {
      test('are those of HKDF-SHA-256', () => {
        // RFC 5869, A.3: the first 32 bytes.
        expect(crypto.deriveSecret('\x0b'.repeat(22), '')).toBe(
          '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d',
        );
      });

      test('are another one for each root and each purpose, and the same at each call', () => {
        const derived = ['root', 'another'].flatMap((root) =>
          ['amqp', 'user', 'ü'].map((purpose) => crypto.deriveSecret(root, purpose)),
        );
        expect(new Set(derived).size).toBe(6);
        for (const each of derived) expect(each).toMatch(/^[0-9a-f]{64}$/);
        expect(crypto.deriveSecret('root', 'amqp')).toBe(derived[0]);
      });
    });

    test('digest is SHA-256 in hex', () => {
      // FIPS 180-4, the example 'abc'.
      expect(crypto.digest('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
      expect(crypto.digest('ü')).toBe('607474ca475a9724d7360aba71a56d5df77e61350e3f724cfa1f46e857e2d85f');
    });
  });
}
