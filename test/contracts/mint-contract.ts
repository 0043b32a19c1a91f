import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Mint } from '../../world/mint.ts';
import { sleep, type Time } from '../../world/time.ts';

export interface MintStage {
  readonly mint: Mint;
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

/** The behaviour that every fulfilment of `Mint` has in common. */
export function mintContract(name: string, setUp: () => Promise<MintStage>): void {
  describe(`mint: ${name}`, () => {
    let stage: MintStage;
    beforeEach(async () => {
      stage = await setUp();
    });
    afterEach(() => stage.close());

    test('ulids have their form, are all different and rise, also within a millisecond', () => {
      const ulids = many(() => stage.mint.ulid());
      for (const ulid of ulids) expect(ulid).toMatch(ULID);
      expect(new Set(ulids).size).toBe(ulids.length);
      for (const [at, ulid] of ulids.slice(1).entries()) expect(ulid > (ulids[at] ?? '')).toBe(true);
    });

    test('a ulid carries the time of its making', async () => {
      await sleep(stage.time, 3);
      const before = stage.time.nowMs();
      const ulid = stage.mint.ulid();
      expect(timeOf(ulid)).toBeGreaterThanOrEqual(before);
      expect(timeOf(ulid)).toBeLessThanOrEqual(stage.time.nowMs());
    });

    test('uuids are version 4, lower case and all different', () => {
      const uuids = many(() => stage.mint.uuid());
      for (const uuid of uuids)
        expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(new Set(uuids).size).toBe(uuids.length);
    });

    test('codes have the length that was asked for, of capital letters and digits, all of which occur', () => {
      const codes = many(() => stage.mint.code(8));
      for (const code of codes) expect(code).toMatch(/^[A-Z0-9]{8}$/);
      expect(new Set(codes.join('')).size).toBe(36);
    });

    test('secrets are base64url of so many bytes, all different', () => {
      const secrets = many(() => stage.mint.secret(24));
      for (const secret of secrets) {
        expect(secret).toMatch(/^[A-Za-z0-9_-]{32}$/);
        expect(Buffer.from(secret, 'base64url')).toHaveLength(24);
      }
      expect(new Set(secrets).size).toBe(secrets.length);
    });
  });
}
