import Database from 'better-sqlite3';
import { type Expression, type RawBuilder, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  type DatabaseName,
  type Dialect,
  dialects,
} from '../../../../../backend/store/statements/dialect.ts';
import { statement, type ValueOf } from '../../../../../backend/store/statements/statement.ts';

type Values = Readonly<Record<'one' | 'other', string | number | null>>;
type Place = (name: keyof Values) => RawBuilder<never>;

/** A member: what it is written as in each database, and what SQLite makes of it. */
interface Row {
  readonly write: (dialect: Dialect, one: Expression<never>, other: Expression<never>) => RawBuilder<unknown>;
  readonly sqlite: string;
  readonly postgres: string;
  /** Values of `one` and `other`, and the value that comes of them. */
  readonly examples?: readonly (readonly [
    one: string | number | null,
    other: string | number | null,
    unknown,
  ])[];
}

const LIST = '["b","a"]';

const MEMBERS: Readonly<Record<Exclude<keyof Dialect, 'database' | 'query'>, Row>> = {
  texts: {
    write: ({ texts }, one) => texts(one),
    sqlite: '(select value from json_each(?))',
    postgres: '(select unnest($1::text[]))',
    examples: [[LIST, null, 'b']],
  },
  numbers: {
    write: ({ numbers }, one) => numbers(one),
    sqlite: '(select value from json_each(?))',
    postgres: '(select unnest($1::bigint[]))',
    examples: [['[9007199254740991]', null, 9007199254740991]],
  },
  textRows: {
    write: ({ textRows }, one) => sql`(select position from ${textRows(one)} as rows where value = 'a')`,
    sqlite: `(select position from (select value, key as position from json_each(?)) as rows where value = 'a')`,
    postgres:
      `(select position from (select value, position - 1 as position ` +
      `from unnest($1::text[]) with ordinality as listed (value, position)) as rows where value = 'a')`,
    examples: [[LIST, null, 1]],
  },
  fixed: {
    write: ({ fixed }, one) => fixed(one),
    sqlite: '(select ?)',
    postgres: '$1',
    examples: [['a', null, 'a']],
  },
  most: {
    write: ({ most }, one) =>
      sql`(select count(*) from (select 1 union select 2 limit ${most(one)}) as rows)`,
    sqlite: '(select count(*) from (select 1 union select 2 limit ? + 0) as rows)',
    postgres: '(select count(*) from (select 1 union select 2 limit $1) as rows)',
    examples: [[1, null, 1]],
  },
  leadingJoin: {
    write: ({ leadingJoin }) => sql`(select name from fleets ${leadingJoin} clients on true)`,
    sqlite: '(select name from fleets cross join clients on true)',
    postgres: '(select name from fleets join clients on true)',
  },
  member: {
    write: ({ member }, one) => member(one, 'vin'),
    sqlite: `json_extract(?, '$.vin')`,
    postgres: `($1::json ->> 'vin')`,
    examples: [
      ['{"vin":"W1"}', null, 'W1'],
      ['{"vin":null}', null, null],
      ['{"other":"W1"}', null, null],
    ],
  },
  without: {
    write: ({ without }, one) => without(one, 'vin'),
    sqlite: `json_remove(?, '$.vin')`,
    postgres: `($1::jsonb - 'vin')::text`,
    examples: [
      ['{"vin":"W1","a":1}', null, '{"a":1}'],
      ['{"a":1}', null, '{"a":1}'],
    ],
  },
  hasText: {
    write: ({ hasText }, one, other) => hasText(one, other),
    sqlite: 'exists (select 1 from json_each(?) where value = ?)',
    postgres: '($1::jsonb ? $2)',
    examples: [
      [LIST, 'a', 1],
      [LIST, 'c', 0],
      ['[]', 'a', 0],
    ],
  },
  holds: {
    write: ({ holds }, one, other) => holds(one, other),
    sqlite: 'instr(?, ?) > 0',
    postgres: 'strpos($1, $2) > 0',
    examples: [
      ['box', 'ox', 1],
      ['box', 'Ox', 0],
      ['50 %', '%', 1],
      ['box', '', 1],
    ],
  },
  smaller: {
    write: ({ smaller }, one, other) => smaller(one, other),
    sqlite: 'min(?, ?)',
    postgres: 'least($1, $2)',
    examples: [[2, 1, 1]],
  },
  larger: {
    write: ({ larger }, one, other) => larger(one, other),
    sqlite: 'max(?, ?)',
    postgres: 'greatest($1, $2)',
    examples: [[2, 1, 2]],
  },
  lowerAscii: {
    write: ({ lowerAscii }, one) => lowerAscii(one),
    sqlite: 'lower(?)',
    postgres: 'lower(($1) collate "C")',
    examples: [['ÄB', null, 'Äb']],
  },
  nowMs: {
    write: ({ nowMs }) => nowMs,
    sqlite: `(select coalesce(given_clock(), cast(unixepoch('subsec') * 1000 as integer)))`,
    postgres: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
  },
  inOrder: {
    write: ({ inOrder }) => sql`(select name from fleets order by ${inOrder('name')} limit 1)`,
    sqlite: '(select name from fleets order by "name" limit 1)',
    postgres: '(select name from fleets order by "name" collate "C" limit 1)',
  },
  shared: {
    write: ({ shared }) => sql`(select name from fleets ${shared})`,
    sqlite: '(select name from fleets )',
    postgres: '(select name from fleets for key share)',
  },
  lockedBesideShared: {
    write: ({ lockedBesideShared }) => sql`(select name from fleets ${lockedBesideShared})`,
    sqlite: '(select name from fleets )',
    postgres: '(select name from fleets for no key update)',
  },
  lockedByKey: {
    write: ({ lockedByKey }) =>
      sql`(select 1 from fleets where ${lockedByKey('fleets', 'id', sql`name = 'a'`)})`,
    sqlite: "(select 1 from fleets where name = 'a')",
    postgres: `(select 1 from fleets where "id" in (select "id" from "fleets" where name = 'a' order by "id" for no key update))`,
  },
  locked: {
    write: ({ locked }) => sql`(select name from fleets ${locked})`,
    sqlite: '(select name from fleets )',
    postgres: '(select name from fleets for update)',
  },
  unlockedOnly: {
    write: ({ unlockedOnly }) => sql`(select name from fleets ${unlockedOnly})`,
    sqlite: '(select name from fleets )',
    postgres: '(select name from fleets for update skip locked)',
  },
  unlockedOnlyOf: {
    write: ({ unlockedOnlyOf }) => sql`(select name from fleets as f ${unlockedOnlyOf('f')})`,
    sqlite: '(select name from fleets as f )',
    postgres: '(select name from fleets as f for update of "f" skip locked)',
  },
};

function compiled(member: Row, database: DatabaseName) {
  const made = statement((dialect, value: ValueOf<Values>) => {
    const place = value as Place;
    return dialect.query.selectNoFrom(member.write(dialect, place('one'), place('other')).as('made'));
  });
  return made.compiledFor(database);
}

describe('what the two databases write differently', () => {
  test('is all looked at here', () => {
    for (const dialect of Object.values(dialects))
      expect(new Set(Object.keys(dialect))).toEqual(new Set(['database', 'query', ...Object.keys(MEMBERS)]));
  });

  test.each(Object.entries(MEMBERS))('%s is written in the words of each', (_name, member) => {
    for (const database of ['sqlite', 'postgres'] as const)
      expect(compiled(member, database).sql).toBe(`select ${member[database]} as "made"`);
  });

  test.each(
    Object.entries(MEMBERS).flatMap(([name, member]) =>
      (member.examples ?? []).map(([one, other, result]) => ({ name, one, other, result, member })),
    ),
  )('in SQLite $name of $one and $other is $result', ({ member, one, other, result }) => {
    const database = new Database(':memory:');
    const { sql: text, places } = compiled(member, 'sqlite');
    const values = places.map(({ name }) => (name === 'one' ? one : other));
    expect(
      database
        .prepare(text)
        .pluck()
        .get(...values),
    ).toBe(result);
    database.close();
  });
});
