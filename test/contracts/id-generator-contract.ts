import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { IdGenerator } from '../../world/ids/ids.ts';
import { sleep, type Time } from '../../world/time/time.ts';

export interface IdGeneratorFixture {
  readonly ids: IdGenerator;
  readonly time: Time;
  close(): Promise<void>;
}

const many = <T>(make: () => T) => Array.from({ length: 1_000 }, make);

/** Crockford's base 32, ten characters of time and sixteen of chance. */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function timeOf(ulid: string): number {
  return [...ulid.slice(0, 10)].reduce((sum, letter) => sum * 32 + BASE32.indexOf(letter), 0);
}

/** The common behaviour of all implementations of `IdGenerator`. */
export function idGeneratorContract(name: string, setUp: () => Promise<IdGeneratorFixture>): void {
  describe(`ids: ${name}`, () => {
    let fixture: IdGeneratorFixture;
    beforeEach(async () => {
      fixture = await setUp();
    });
    afterEach(() => fixture.close());

    test('ulids have their form, are all different and ascend, also within a millisecond', () => {
      const ulids = many(() => fixture.ids.ulid());
      for (const ulid of ulids) expect(ulid).toMatch(ULID);
      expect(new Set(ulids).size).toBe(ulids.length);
      for (const [at, ulid] of ulids.slice(1).entries()) expect(ulid > (ulids[at] ?? '')).toBe(true);
    });

    test('a ulid contains the time when it was made', async () => {
      await sleep(fixture.time, 3);
      const before = fixture.time.nowMs();
      const ulid = fixture.ids.ulid();
      expect(timeOf(ulid)).toBeGreaterThanOrEqual(before);
      expect(timeOf(ulid)).toBeLessThanOrEqual(fixture.time.nowMs());
    });

    test('uuids are version 4, lower case and all different', () => {
      const uuids = many(() => fixture.ids.uuid());
      for (const uuid of uuids)
        expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(new Set(uuids).size).toBe(uuids.length);
    });

    test('codes have the requested length, of capital letters and digits, all of which occur', () => {
      const codes = many(() => fixture.ids.code(8));
      for (const code of codes) expect(code).toMatch(/^[A-Z0-9]{8}$/);
      expect(new Set(codes.join('')).size).toBe(36);
    });

    test('secrets are base64url of that many bytes, all different', () => {
      const secrets = many(() => fixture.ids.secret(24));
      for (const secret of secrets) {
        expect(secret).toMatch(/^[A-Za-z0-9_-]{32}$/);
        expect(Buffer.from(secret, 'base64url')).toHaveLength(24);
      }
      expect(new Set(secrets).size).toBe(secrets.length);
    });
  });
}
