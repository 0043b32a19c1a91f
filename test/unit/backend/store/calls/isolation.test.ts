import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isolationOf, ONE_STATEMENT, READ_COMMITTED } from '../../../../../backend/store/calls/isolation.ts';
import { READS } from '../../../../../backend/store/port/store.ts';
import type { StoreCall } from '../../../../../backend/store/port/store-calls.ts';

const PAGE = readFileSync(new URL('../../../../../docs/store.md', import.meta.url), 'utf8');

function namesOf(calls: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(calls).flatMap(([part, names]) => names.map((name) => `${part}.${name}`));
}

function isolation(part: StoreCall['part'], name: string, ...parameters: readonly unknown[]): unknown {
  return isolationOf({ part, name, parameters }).isolation;
}

test('a read of several statements has a snapshot, and a write of several is serializable', () => {
  expect(isolation('subscriptions', 'look')).toBe('snapshot');
  expect(isolation('vehicles', 'create')).toBe('serializable');
  expect(isolation('access', 'findFleet')).toBe('one statement');
});

test('only a change of the VIN, which looks at other vehicles, is serializable', () => {
  expect(isolation('vehicles', 'change', 'VEH01', { tags: [] })).toBe('read committed');
  expect(isolation('vehicles', 'change', 'VEH01', { masterData: { model_name: 'x' } })).toBe(
    'read committed',
  );
  expect(isolation('vehicles', 'change', 'VEH01', { masterData: { vin: 'x' } })).toBe('serializable');
});

test('only the loss of what was given out of a quota does no harm: a lost mark would bring its message back behind its reader', () => {
  const lost = READ_COMMITTED.filter(({ mayBeLost }) => mayBeLost === true).map(({ call }) => call);
  expect(lost).toEqual(['quotas.take']);
  expect(isolationOf({ part: 'outbox', name: 'sent', parameters: [] })).toEqual({
    isolation: 'statement by statement',
    mayBeLost: false,
  });
});

test('no call has two rows', () => {
  const others = [...namesOf(ONE_STATEMENT), ...namesOf(READS)];
  expect(READ_COMMITTED.filter(({ call }) => others.includes(call))).toEqual([]);
});

test('docs/store.md has each call with less isolation, and its reason', () => {
  const table = PAGE.split('<!-- isolation -->')[1]?.split('<!-- end -->')[0] ?? '';
  const rows = table
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(rows).toEqual(READ_COMMITTED.map(({ call, reason }) => `| \`${call}\` | ${reason} |`));
});
