import { expect, test } from 'vitest';
import { inOrder, NOT_COPIED, writtenRow } from '../../../../../backend/store/postgres/copy/copy-rules.ts';
import { POSTGRES_MIGRATIONS } from '../../../../../backend/store/postgres/migrations/list.ts';
import { openCopySource } from '../../../../../backend/store/sqlite/copy-source.ts';
import { partitionOf } from '../../../../../protocol/partitions.ts';

test('each table of a file has a table of the same columns in PostgreSQL, or a reason not to be copied', () => {
  const source = openCopySource(':memory:');
  const schema = POSTGRES_MIGRATIONS.map(({ sql }) => sql).join('\n');
  for (const table of source.tables) {
    if (NOT_COPIED[table] !== undefined) continue;
    const definition = new RegExp(`create table ${table} \\((.*?)\\n    \\)`, 's').exec(schema)?.[1] ?? '';
    for (const column of source.columnsOf(table))
      expect(definition, `${table}.${column}`).toMatch(new RegExp(`^\\s+${column} `, 'm'));
  }
  source.close();
});

test('messages get positions of their partition, in the order that they had', () => {
  const source = openCopySource(':memory:');
  const written = [3, 7, 9].map((position) => writtenRow('outbox', { position, partition: 63 }, source));
  const positions = written.map((row) => Number(row['position']));
  expect(positions).toEqual([3, 7, 9].map((position) => 63 * 2 ** 46 + position));
  expect(positions.every(Number.isSafeInteger)).toBe(true);
  // Of a vehicle that is no more, by its own id.
  const dropped = writtenRow('outbox_dropped', { position: 5, vehicle_id: 'CAR01' }, source);
  expect(dropped['position']).toBe(partitionOf('CAR01') * 2 ** 46 + 5);
  source.close();
});

test('a table comes behind those that it refers to', () => {
  const references = [
    { from: 'grants', to: 'users' },
    { from: 'grant_secrets', to: 'grants' },
    { from: 'grants', to: 'grants' },
  ];
  expect(inOrder(['grant_secrets', 'grants', 'users'], references)).toEqual([
    'users',
    'grants',
    'grant_secrets',
  ]);
});
