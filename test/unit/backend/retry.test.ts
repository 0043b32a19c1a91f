import { expect, test } from 'vitest';
import { makeCounters } from '../../../backend/counters.ts';
import { limits } from '../../../backend/limits.ts';
import { makeRetry } from '../../../backend/retry.ts';
import { openVirtualWorld } from '../../../world/virtual-world.ts';

const HOUR_MS = 3_600_000;

/** A broker that refuses with what `reason` says; the reasons that were logged as warnings. */
function outage(reason: () => string) {
  const world = openVirtualWorld({ seed: 1 });
  const parts = world.incarnation('backend');
  const counters = makeCounters();
  const retry = makeRetry({
    world: parts,
    chance: parts.random.stream('retry'),
    counters,
    counter: 'lost',
    complaint: 'no broker',
    open: () => retry.later(reason()),
  });
  const warned = () =>
    world.complaints.filter(({ message }) => message === 'no broker').map(({ fields }) => fields['reason']);
  return { world, retry, warned, lost: () => counters.read()['lost'] ?? 0 };
}

test('a broker that cannot be reached is said once, and then at long intervals, however often it is tried', async () => {
  const { world, retry, warned, lost } = outage(() => 'ECONNREFUSED');
  retry.later('ECONNREFUSED');
  await world.pass(45_000);
  expect(lost()).toBeGreaterThan(6);
  expect(warned()).toEqual(['ECONNREFUSED']);
  await world.pass(HOUR_MS);
  expect(warned().length).toBeGreaterThan(3);
  expect(warned().length).toBeLessThanOrEqual(1 + HOUR_MS / limits.outageToldEveryMs);
  retry.cancel();
});

test('what changes is said at once: another reason, and a loss after a connection stood', async () => {
  let reason = 'ECONNREFUSED';
  const { world, retry, warned } = outage(() => reason);
  retry.later(reason);
  await world.pass(45_000);
  reason = 'ACCESS_REFUSED';
  await world.pass(45_000);
  expect(warned()).toEqual(['ECONNREFUSED', 'ACCESS_REFUSED']);
  retry.cancel();
  retry.reset();
  retry.later('ECONNREFUSED');
  expect(warned()).toEqual(['ECONNREFUSED', 'ACCESS_REFUSED', 'ECONNREFUSED']);
  retry.cancel();
});
