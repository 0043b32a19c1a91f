import { beforeAll, describe, expect, test } from 'vitest';
import type { Seal, TokenClaims } from '../../world/seal.ts';

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

/** The behaviour that every fulfilment of `Seal` has in common. `make` gives two seals with different keys. */
export function sealContract(name: string, make: () => Promise<{ seal: Seal; stranger: Seal }>): void {
  describe(`seal: ${name}`, () => {
    let seal: Seal;
    let stranger: Seal;
    beforeAll(async () => {
      ({ seal, stranger } = await make());
    });

    describe('tokens', () => {
      test('a token gives back its claims, and is three parts with a key id that the public keys name', async () => {
        const token = await seal.signToken(claims);
        expect(await seal.verifyToken(token, expected)).toEqual({ ok: true, claims });
        const parts = token.split('.');
        expect(parts).toHaveLength(3);
        const keyIds = seal.publicKeys().keys.map((key) => key['kid']);
        expect(keyIds).toContain(Object(read(parts[0])).kid);
        expect(read(parts[1])).toEqual(claims);
      });

      test('public keys hold nothing private', () => {
        const names = seal.publicKeys().keys.flatMap((key) => Object.keys(key));
        for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(names).not.toContain(secret);
      });

      test('it is expired at exp and later, right until a millisecond before', async () => {
        const token = await seal.signToken(claims);
        const at = (nowMs: number) => seal.verifyToken(token, { issuer: ISSUER, nowMs });
        expect((await at(claims.exp * 1_000 - 1)).ok).toBe(true);
        expect(await at(claims.exp * 1_000)).toEqual({ ok: false, reason: 'expired' });
        expect(await at(claims.exp * 1_000 + 86_400_000)).toEqual({ ok: false, reason: 'expired' });
      });

      test('another issuer is told', async () => {
        const token = await seal.signToken({ ...claims, iss: 'http://elsewhere' });
        expect(await seal.verifyToken(token, expected)).toEqual({ ok: false, reason: 'wrong-issuer' });
      });

      test('only an access token for this service opens it: type, audience and time of issue are looked at', async () => {
        // An id token that claims all that an access token does: the type alone tells them apart.
        const idToken = await seal.signIdToken({ ...claims, auth_time: NOW_S });
        expect(await seal.verifyToken(idToken, expected)).toEqual({ ok: false, reason: 'wrong-type' });
        for (const aud of ['client-1', `${ISSUER}/`, '']) {
          const token = await seal.signToken({ ...claims, aud });
          expect(await seal.verifyToken(token, expected)).toEqual({ ok: false, reason: 'wrong-audience' });
        }
        const issued = async (iat: number) =>
          seal.verifyToken(await seal.signToken({ ...claims, iat }), expected);
        expect((await issued(NOW_S + 60)).ok).toBe(true);
        expect(await issued(NOW_S + 61)).toEqual({ ok: false, reason: 'issued-ahead' });
      });

      test("another seal's token, changed claims and a cut signature are a wrong signature", async () => {
        const wrong = { ok: false, reason: 'wrong-signature' };
        expect(await seal.verifyToken(await stranger.signToken(claims), expected)).toEqual(wrong);
        const [header, , signature] = (await seal.signToken(claims)).split('.');
        const forged = `${header}.${part({ ...claims, fleet_id: 'FLEET2' })}.${signature}`;
        expect(await seal.verifyToken(forged, expected)).toEqual(wrong);
        const cut = (await seal.signToken(claims)).slice(0, -8);
        expect(await seal.verifyToken(cut, expected)).toEqual(wrong);
      });

      test('a token that names no algorithm or an algorithm of its own choice is not accepted', async () => {
        for (const alg of ['none', 'HS512', 'ES256']) {
          const token = `${part({ alg, typ: 'at+jwt' })}.${part(claims)}.`;
          const verdict = await seal.verifyToken(token, expected);
          expect(verdict.ok).toBe(false);
        }
      });

      test('what is no token is unreadable, and nothing rejects', async () => {
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
          expect(await seal.verifyToken(text, expected)).toEqual({ ok: false, reason: 'unreadable' });
        }
      });

      test('every single changed character of a token is noticed', async () => {
        const token = await seal.signToken(claims);
        // The last character of a signature carries bits that base64url drops, so it may change without meaning.
        for (let at = 0; at < token.length - 1; at += 7) {
          const other = token[at] === 'A' ? 'B' : 'A';
          const changed = `${token.slice(0, at)}${other}${token.slice(at + 1)}`;
          expect((await seal.verifyToken(changed, expected)).ok).toBe(false);
        }
      });
    });

    describe('secrets', () => {
      test('the right secret is recognised, another is not', async () => {
        const hash = await seal.hashSecret('s3cret ü');
        expect(await seal.verifySecret('s3cret ü', hash)).toBe(true);
        expect(await seal.verifySecret('s3cret u', hash)).toBe(false);
        expect(await seal.verifySecret('', hash)).toBe(false);
      });

      test('one secret hashes to another text each time, none of which shows it', async () => {
        const [one, other] = [await seal.hashSecret('s3cret'), await seal.hashSecret('s3cret')];
        expect(one).not.toBe(other);
        expect(one).not.toContain('s3cret');
        expect(await seal.verifySecret('s3cret', other)).toBe(true);
      });

      test('a hash of unknown form is false', async () => {
        for (const hash of ['', 'x', '$', 'virtual$$', '$scrypt$ln=14,r=8,p=1$$', 's3cret']) {
          expect(await seal.verifySecret('s3cret', hash)).toBe(false);
        }
      });
    });

    describe('encryption', () => {
      test('gives the text back for the same key at the same seal, and for nothing else', async () => {
        const encrypted = seal.encrypt('key', 'text ü');
        expect(seal.decrypt('key', encrypted)).toBe('text ü');
        expect(encrypted).not.toContain('text');
        expect(seal.decrypt('other', encrypted)).toBeUndefined();
        expect(stranger.decrypt('key', encrypted)).toBeUndefined();
        expect(seal.encrypt('key', 'text u').slice(0, 16)).not.toBe(encrypted.slice(0, 16));
        expect(seal.decrypt('', seal.encrypt('', ''))).toBe('');
      });

      test('notices every changed character, and whatever text is asked about', () => {
        const encrypted = seal.encrypt('key', 'a text of some length');
        for (let at = 0; at < encrypted.length - 1; at += 1) {
          const other = encrypted[at] === 'A' ? 'B' : 'A';
          const changed = `${encrypted.slice(0, at)}${other}${encrypted.slice(at + 1)}`;
          expect(seal.decrypt('key', changed)).toBeUndefined();
          expect(seal.decrypt('key', encrypted.slice(0, at))).toBeUndefined();
        }
        for (const text of ['', '=', 'ü', 'A'.repeat(37), 'A'.repeat(38), '\n'])
          expect(seal.decrypt('key', text)).toBeUndefined();
      });
    });

    test('digest is SHA-256 in hex', () => {
      // FIPS 180-4, the example 'abc'.
      expect(seal.digest('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
      expect(seal.digest('ü')).toBe('607474ca475a9724d7360aba71a56d5df77e61350e3f724cfa1f46e857e2d85f');
    });
  });
}
