import { describe, expect, test } from 'vitest';
import { realIds } from '../../../../world/ids/real-ids.ts';

const at = (nowMs: number) => realIds({ nowMs: () => nowMs, alarm: () => () => undefined });
const many = (make: () => string) => Array.from({ length: 500 }, make);

describe('real ids', () => {
  test('ULIDs have the current time, ascend within a millisecond, and when the clock is set back', () => {
    let nowMs = 1_469_918_176_385;
    const ids = realIds({ nowMs: () => nowMs, alarm: () => () => undefined });
    const ulids = many(() => ids.ulid());
    nowMs -= 60_000;
    ulids.push(ids.ulid());
    expect(ulids.every((ulid) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(ulid))).toBe(true);
    const pairs = ulids.slice(1).map((ulid, index) => (ulids[index] ?? '') < ulid);
    expect(pairs).toEqual(pairs.map(() => true));
    // The example of the ULID specification.
    expect(ulids[0]?.slice(0, 10)).toBe('01ARYZ6S41');
  });

  test('UUIDs are of version 4, codes of A-Z0-9, secrets base64url of that many bytes, and none is repeated', () => {
    const ids = at(1);
    const kinds = [
      [() => ids.uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
      [() => ids.code(12), /^[A-Z0-9]{12}$/],
      [() => ids.secret(32), /^[A-Za-z0-9_-]{43}$/],
    ] as const;
    for (const [make, form] of kinds) {
      const made = many(make);
      expect(made.filter((each) => !form.test(each))).toEqual([]);
      expect(new Set(made).size).toBe(made.length);
    }
  });

  test('a code uses every letter and digit', () => {
    expect(new Set(at(1).code(5_000)).size).toBe(36);
  });
});
