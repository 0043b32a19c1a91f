import { expect, test } from 'vitest';
import { StoreFailed, StoreTooNew } from '../../../../../backend/store/port/store.ts';
import { POSTGRES_MIGRATIONS } from '../../../../../backend/store/postgres/migrations/list.ts';
import { type DatabaseFacts, refusalOf } from '../../../../../backend/store/postgres/schema.ts';

const ours: DatabaseFacts = { server: 150_020, schema: 'public', table: 'boxes', version: 3 };

test('an empty database, and one with an older schema of ours, are used', () => {
  expect(refusalOf({ ...ours, table: null, version: undefined }, 3)).toBeUndefined();
  expect(refusalOf(ours, 3)).toBeUndefined();
  expect(refusalOf({ ...ours, version: 1 }, 3)).toBeUndefined();
  expect(refusalOf({ ...ours, server: 130_000 }, 3)).toBeUndefined();
});

test('a server that is older than supported is refused by both versions', () => {
  const refusal = refusalOf({ ...ours, server: 120_022 }, 3);
  expect(refusal).toBeInstanceOf(StoreFailed);
  expect(refusal?.message).toContain('PostgreSQL 12');
  expect(refusal?.message).toContain('13 is the oldest');
  expect(refusalOf({ ...ours, server: 90_624 }, 3)?.message).toContain('PostgreSQL 9');
});

test('tables of somebody else are refused by the name of one', () => {
  const refusal = refusalOf({ ...ours, table: 'invoices', version: undefined }, 3);
  expect(refusal).toBeInstanceOf(StoreFailed);
  expect(refusal?.message).toContain('a table invoices');
});

test('a newer schema is refused by both versions, with what to do', () => {
  const refusal = refusalOf({ ...ours, version: 4 }, 3);
  expect(refusal).toBeInstanceOf(StoreTooNew);
  expect(refusal?.message).toContain('schema version 4');
  expect(refusal?.message).toContain('up to 3');
  expect(refusal?.message).toContain('Use that version, or another database.');
});

test('a user without a schema is told so', () => {
  expect(refusalOf({ ...ours, schema: null, table: null, version: undefined }, 3)?.message).toContain(
    'no schema',
  );
});

test('migrations have the numbers 1, 2, 3 ... and a name each', () => {
  expect(POSTGRES_MIGRATIONS.map(({ version }) => version)).toEqual(
    POSTGRES_MIGRATIONS.map((_, index) => index + 1),
  );
  expect(new Set(POSTGRES_MIGRATIONS.map(({ name }) => name)).size).toBe(POSTGRES_MIGRATIONS.length);
});
