import { describe, expect, test } from 'vitest';
import type { DatabaseName } from '../../../../../backend/store/statements/dialect.ts';
import { statement, type ValueOf } from '../../../../../backend/store/statements/statement.ts';

const DATABASES: readonly DatabaseName[] = ['sqlite', 'postgres'];

describe('a statement', () => {
  test.each([
    [
      'a text',
      () => statement(({ query }) => query.selectFrom('fleets').select('name').where('id', '=', 'F1')),
      '"F1"',
    ],
    ['a number', () => statement(({ query }) => query.selectFrom('fleets').select('name').limit(7)), '7'],
    [
      'a list',
      () => statement(({ query }) => query.deleteFrom('fleets').where('id', 'in', ['F1', 'F2'])),
      '"F1"',
    ],
  ])(
    'that holds %s without a name is refused, with the value, the way out and its text',
    (_kind, make, shown) => {
      const made = make();
      for (const database of DATABASES) {
        const compile = () => made.compiledFor(database);
        expect(compile).toThrow(`A statement holds the value ${shown}: name it, or write it with sql.lit.`);
        expect(compile).toThrow(/(select|delete) .*from "fleets"/);
      }
    },
  );

  test('has the names of its values in the order of their places, each as often as it stands there', () => {
    const rename = statement(({ query }, value: ValueOf<{ id: string; name: string }>) =>
      query
        .updateTable('fleets')
        .set({ name: value('name') })
        .where('id', '=', value('id'))
        .where('name', '<>', value('name')),
    );
    const places = ['name', 'id', 'name'].map((name) => ({ name, kind: 'value' }));
    expect(rename.compiledFor('sqlite')).toEqual({
      sql: 'update "fleets" set "name" = ? where "id" = ? and "name" <> ?',
      places,
    });
    expect(rename.compiledFor('postgres')).toEqual({
      sql: 'update "fleets" set "name" = $1 where "id" = $2 and "name" <> $3',
      places,
    });
  });

  test('takes a list as one parameter, however many values it has', () => {
    const remove = statement(({ query, texts }, _value: ValueOf<{ ids: readonly string[] }>, list) =>
      query.deleteFrom('fleets').where('id', 'in', texts(list('ids'))),
    );
    const places = [{ name: 'ids', kind: 'list' }];
    expect(remove.compiledFor('sqlite')).toEqual({
      sql: 'delete from "fleets" where "id" in (select value from json_each(?))',
      places,
    });
    expect(remove.compiledFor('postgres')).toEqual({
      sql: 'delete from "fleets" where "id" in (select unnest($1::text[]))',
      places,
    });
  });

  test('is built once for each database, and only where it is used', () => {
    const built: DatabaseName[] = [];
    const find = statement(({ query, database }, value: ValueOf<{ id: string }>) => {
      built.push(database);
      return query.selectFrom('fleets').select('name').where('id', '=', value('id'));
    });
    expect(built).toEqual([]);
    const first = find.compiledFor('sqlite');
    expect(find.compiledFor('sqlite')).toBe(first);
    expect(built).toEqual(['sqlite']);
    find.compiledFor('postgres');
    find.compiledFor('postgres');
    expect(built).toEqual(['sqlite', 'postgres']);
  });
});
