import { describe, expect, test } from 'vitest';
import { partitionLimits } from '../../../../backend/base/limits.ts';
import { PARTITIONS } from '../../../../protocol/partitions.ts';
import { sleep } from '../../../../world/time/time.ts';
import { ONE_EACH, SharingBackends, TAKEN_MS } from '../../../support/backend/sharing-backends.ts';

describe('a backend that leaves its partitions', () => {
  test('one that reaches no broker leaves its partitions to others, and has its share again afterwards', async () => {
    const backends = new SharingBackends();
    for (const name of ['a', 'b']) backends.start(name);
    await backends.pass(10_000);
    backends.unreachable.add('a');
    await backends.pass(TAKEN_MS);
    expect(backends.counts()).toEqual({ a: 0, b: PARTITIONS });
    backends.unreachable.clear();
    await backends.pass(TAKEN_MS);
    expect(backends.counts()).toEqual({ a: 32, b: 32 });
    expect(backends.holders()).toEqual(ONE_EACH);
  });

  test('one that reaches no broker does not blame the store for it', async () => {
    const backends = new SharingBackends();
    backends.start('a');
    await backends.pass(10_000);
    backends.unreachable.add('a');
    await backends.pass(3 * TAKEN_MS);
    expect(backends.world.warnings.map(({ message }) => message)).toEqual([
      'without the MQTT broker the partitions are left to others',
    ]);
  });

  test('those that reach no broker leave once, and do not wake each other without end', async () => {
    const backends = new SharingBackends();
    backends.areWoken = true;
    for (const name of ['a', 'b', 'c']) backends.start(name);
    await backends.pass(TAKEN_MS);
    for (const name of ['a', 'b', 'c']) backends.unreachable.add(name);
    backends.calls.clear();
    await backends.pass(6 * TAKEN_MS);
    expect(backends.calls.get('leave')).toBe(3);
    backends.unreachable.clear();
    await backends.pass(TAKEN_MS);
    expect(backends.holders()).toEqual(ONE_EACH);
    backends.unreachable.add('b');
    await backends.pass(TAKEN_MS);
    expect(backends.calls.get('leave')).toBe(4);
    expect(backends.counts()).toEqual({ a: 32, b: 0, c: 32 });
  });

  test('what one passes on when it leaves the others have at once, where they hear of it', async () => {
    const backends = new SharingBackends();
    backends.areWoken = true;
    for (const name of ['a', 'b', 'c']) backends.start(name);
    await backends.pass(TAKEN_MS);
    await backends.world.run(() => backends.leave('b'));
    await backends.pass(10);
    expect(backends.counts()).toEqual({ a: 32, c: 32 });
  });

  test('however often it is woken, one look is under way, and one follows it', async () => {
    const backends = new SharingBackends();
    backends.start('a');
    await backends.pass(TAKEN_MS + 100);
    backends.slowMs = 300;
    backends.calls.clear();
    const keeper = backends.keepers.get('a');
    for (let count = 0; count < 100; count += 1) {
      keeper?.wake();
      await backends.pass(1);
    }
    await backends.pass(700);
    expect(backends.mostLooks).toBe(1);
    expect(backends.calls.get('look')).toBe(2);
  });

  test('whenever one stops: a look that is under way, or due, takes nothing beside it', async () => {
    const lookMs = 900;
    for (let afterMs = 0; afterMs < partitionLimits.beatMs + lookMs; afterMs += 50) {
      const backends = new SharingBackends();
      for (const name of ['a', 'b']) backends.start(name);
      await backends.pass(TAKEN_MS);
      backends.slowOf = { look: lookMs, release: 300 };
      await backends.pass(partitionLimits.beatMs + lookMs + afterMs);
      const { time } = backends.world;
      backends.drain = () => sleep(time, partitionLimits.drainMs - 300);
      await backends.world.run(() => backends.leave('a'));
      await backends.pass(partitionLimits.beatMs + 2 * lookMs + 100);
      expect(backends.counts(), `${afterMs} ms later`).toEqual({ b: PARTITIONS });
    }
  });
});
