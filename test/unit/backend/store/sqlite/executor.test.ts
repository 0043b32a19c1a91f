import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { atOnce, stepper } from '../../../../../backend/store/sqlite/executor.ts';
import { openDatabase } from '../../../../../backend/store/sqlite/open.ts';
import { statement, type ValueOf } from '../../../../../backend/store/statements/statement.ts';
import { all, first, run } from '../../../../../backend/store/statements/transaction.ts';

const save = statement(({ query }, value: ValueOf<{ id: string; name: string }>) =>
  query.insertInto('fleets').values({ id: value('id'), name: value('name') }),
);
const find = statement(({ query, texts }, _value: ValueOf<{ ids: readonly string[] }>, list) =>
  query
    .selectFrom('fleets')
    .select('name')
    .where('id', 'in', texts(list('ids')))
    .orderBy('id'),
);

describe('carrying out statements in SQLite', () => {
  let database: Database.Database;
  let prepared: string[];
  let take: ReturnType<typeof stepper>;
  beforeEach(() => {
    database = openDatabase(':memory:');
    take = stepper(database);
    prepared = [];
    const prepare = database.prepare.bind(database);
    database.prepare = ((sql: string) => {
      prepared.push(sql);
      return prepare(sql);
    }) as typeof database.prepare;
  });
  afterEach(() => {
    database.close();
  });

  const saveAs = (id: string, name: string) => atOnce(take, run(save, { id, name }));
  const namesOf = (ids: readonly string[]) => atOnce(take, all(find, { ids })).map(({ name }) => name);

  test('a statement is prepared once, whatever its values and however long its lists are', () => {
    expect([saveAs('F1', 'One'), saveAs('F2', 'Two')]).toEqual([1, 1]);
    expect([namesOf([]), namesOf(['F2']), namesOf(['F2', 'F1', 'F3'])]).toEqual([
      [],
      ['Two'],
      ['One', 'Two'],
    ]);
    expect(prepared).toHaveLength(2);
  });

  test('the first row is found, or none', () => {
    expect(atOnce(take, first(find, { ids: ['F1'] }))).toBeUndefined();
    saveAs('F1', 'One');
    saveAs('F2', 'Two');
    expect(atOnce(take, first(find, { ids: ['F2', 'F1'] }))).toEqual({ name: 'One' });
  });

  test('what the database refuses is thrown where it was asked for', () => {
    saveAs('F1', 'One');
    expect(() => saveAs('F1', 'Two')).toThrow(Database.SqliteError);
    expect(namesOf(['F1'])).toEqual(['One']);
  });

  test('a statement that lacks a value is not carried out', () => {
    const values: unknown = { id: 'F1' };
    expect(() => atOnce(take, run(save, values as { id: string; name: string }))).toThrow(TypeError);
    expect(namesOf(['F1'])).toEqual([]);
  });
});
