import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isolationOf, ONE_STATEMENT, READ_COMMITTED } from '../../../../../backend/store/calls/isolation.ts';
import { READS } from '../../../../../backend/store/port/store-reads.ts';

const PAGE = readFileSync(new URL('../../../../../docs/store.md', import.meta.url), 'utf8');

function namesOf(calls: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(calls).flatMap(([part, names]) => names.map((name) => `${part}.${name}`));
}

test('a read of several statements has a snapshot, and a write of several is serializable', () => {
  expect(isolationOf({ part: 'subscriptions', name: 'look' }).isolation).toBe('snapshot');
  expect(isolationOf({ part: 'vehicles', name: 'create' }).isolation).toBe('serializable');
  expect(isolationOf({ part: 'access', name: 'findFleet' }).isolation).toBe('one statement');
});

test('only the loss of marks of sent messages, and of what was given out of a quota, does no harm', () => {
  const lost = READ_COMMITTED.filter(({ mayBeLost }) => mayBeLost === true).map(({ call }) => call);
  expect(lost).toEqual(['outbox.sent', 'quotas.take']);
  expect(isolationOf({ part: 'outbox', name: 'sent' })).toEqual({
    isolation: 'read committed',
    mayBeLost: true,
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
