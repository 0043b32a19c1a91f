import { expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { limits } from '../../../../backend/base/limits.ts';
import { makeRetry } from '../../../../backend/base/retry.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';

const HOUR_MS = 3_600_000;

/** A broker that refuses with what `reason` says; the reasons that were logged as warnings. */
function outage(reason: () => string) {
  const world = openVirtualWorld({ seed: 1 });
  const parts = world.instance('backend');
  const counters = makeCounters();
  const retry = makeRetry({
    world: parts,
    chance: parts.random.stream('retry'),
    counters,
    counter: 'lost',
    warning: 'no broker',
    open: () => retry.schedule(reason()),
  });
  const warned = () =>
    world.warnings.filter(({ message }) => message === 'no broker').map(({ fields }) => fields['reason']);
  return { world, retry, warned, lost: () => counters.read()['lost'] ?? 0 };
}

test('an unreachable broker is logged once, and then at long intervals, however often it is tried', async () => {
  const { world, retry, warned, lost } = outage(() => 'ECONNREFUSED');
  retry.schedule('ECONNREFUSED');
  await world.runFor(45_000);
  expect(lost()).toBeGreaterThan(6);
  expect(warned()).toEqual(['ECONNREFUSED']);
  await world.runFor(HOUR_MS);
  expect(warned().length).toBeGreaterThan(3);
  expect(warned().length).toBeLessThanOrEqual(1 + HOUR_MS / limits.outageLogIntervalMs);
  retry.cancel();
});

test('a change is logged at once: another reason, or a loss of an open connection', async () => {
  let reason = 'ECONNREFUSED';
  const { world, retry, warned } = outage(() => reason);
  retry.schedule(reason);
  await world.runFor(45_000);
  reason = 'ACCESS_REFUSED';
  await world.runFor(45_000);
  expect(warned()).toEqual(['ECONNREFUSED', 'ACCESS_REFUSED']);
  retry.cancel();
  retry.reset();
  retry.schedule('ECONNREFUSED');
  expect(warned()).toEqual(['ECONNREFUSED', 'ACCESS_REFUSED', 'ECONNREFUSED']);
  retry.cancel();
});
