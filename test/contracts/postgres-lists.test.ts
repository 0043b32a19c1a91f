import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arrayParameter } from '../../backend/store/postgres/array-bytes.ts';
import { parsers } from '../../backend/store/postgres/values.ts';
import type { SqlList } from '../../backend/store/statements/statement.ts';
import { postgres, withService } from '../support/run/external-services.ts';

await withService(postgres, ({ url }) => {
  describe('a list as a parameter of PostgreSQL', () => {
    let client: Client;
    beforeAll(async () => {
      client = new Client({ connectionString: url, types: parsers });
      await client.connect();
    });
    afterAll(() => client.end());

    /** What the server takes the list for, element by element. */
    async function taken(list: SqlList, type: string): Promise<readonly unknown[]> {
      const text = `select value from unnest($1::${type}[]) with ordinality as given (value, place) order by place`;
      const { rows } = await client.query<{ value: unknown }>(text, [arrayParameter(list)]);
      return rows.map(({ value }) => value);
    }
    const listsOf = <T>(element: fc.Arbitrary<T>) => fc.array(fc.option(element), { maxLength: 20 });

    test('whatever texts are in it, the server has the same', async () => {
      const text = fc.string({ unit: 'binary' }).map((one) => one.replaceAll('\0', ''));
      await fc.assert(
        fc.asyncProperty(listsOf(text), async (list) => {
          expect(await taken(list, 'text')).toEqual(list);
        }),
      );
    });

    test('whatever whole numbers are in it, the server has the same', async () => {
      const number = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -5, max: 5 }), fc.constant(-(2 ** 32)));
      await fc.assert(
        fc.asyncProperty(listsOf(number), async (list) => {
          expect(await taken(list, 'bigint')).toEqual(list);
        }),
      );
    });

    test('whatever bytes are in it, the server has the same', async () => {
      await fc.assert(
        fc.asyncProperty(listsOf(fc.uint8Array()), async (list) => {
          const found = await taken(list, 'bytea');
          expect(found.map((one) => (one instanceof Buffer ? Uint8Array.from(one) : one))).toEqual(list);
        }),
      );
    });

    test('a list without an element, or with nulls alone, is one of any type', async () => {
      for (const type of ['text', 'bigint', 'bytea']) {
        expect(await taken([], type)).toEqual([]);
        expect(await taken([null, null], type)).toEqual([null, null]);
      }
    });

    test('NUL, which the server has not in texts, becomes the replacement character', async () => {
      expect(await taken(['a\0b', '\0'], 'text')).toEqual(['a\ufffdb', '\ufffd']);
    });

    test('a number that is not whole is refused, with the number', () => {
      expect(() => arrayParameter([1, 0.5])).toThrow('0.5');
      expect(() => arrayParameter([2 ** 53])).toThrow('9007199254740992');
    });
  });
});
