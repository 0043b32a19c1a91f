import { expect, test } from 'vitest';
import { partitionLimits } from '../../../../../backend/base/limits.ts';
import { postgresLimits } from '../../../../../backend/store/postgres/limits.ts';

test('who stands still within a transaction has lost its locks before leases end, its own and those of who waits', () => {
  expect(postgresLimits.idleTransactionMs + partitionLimits.beatMs).toBeLessThan(partitionLimits.leaseMs);
});

test('who waits for one that stands still gets the lock before it gives up', () => {
  expect(postgresLimits.idleTransactionMs).toBeLessThan(postgresLimits.lockMs);
});
