import { describe, expect, test } from 'vitest';
import type { HeldLease, Lease } from '../../backend/store/port/lease-store.ts';
import { PARTITIONS } from '../../protocol/partitions.ts';
import { BOX_ID, ingestBatch, newVehicle, type TestStore } from '../support/store/store-rows.ts';

/** Long enough for a test. */
const LEASE_MS = 600_000;
/** A lease that has ended by the time that it is given. */
const OVER_MS = 0;

/** Leases of partitions, in every store. */
export function leasesContract(stage: TestStore): void {
  const look = (backend: string, leaseMs = LEASE_MS) => stage.store.leases.look({ backend, leaseMs });
  const partitionsOf = (held: readonly Lease[]) => held.map(({ partition }) => partition);
  const leaseAt = (held: readonly HeldLease[], index: number): Lease => {
    const { partition, fence } = held[index] ?? { partition: -1, fence: -1 };
    return { partition, fence };
  };

  describe('leases of partitions', () => {
    test('a backend that is alone takes all of them, and none needs to be sent again', async () => {
      const { held, surplus, backends } = await look('a');
      expect(partitionsOf(held)).toEqual(Array.from({ length: PARTITIONS }, (_, index) => index));
      expect(held.every(({ isSettled }) => isSettled)).toBe(true);
      expect({ surplus, backends }).toEqual({ surplus: 0, backends: 1 });
    });

    test('a look renews what is held, under the same fencing number', async () => {
      const first = await look('a');
      expect(await look('a')).toEqual(first);
    });

    test('a second backend takes nothing that is held, and the first one hears how much to pass on', async () => {
      await look('a');
      expect((await look('b')).held).toEqual([]);
      expect(await look('a')).toMatchObject({ surplus: PARTITIONS / 2, backends: 2 });
    });

    test('what was passed on is taken by the other, under a higher fencing number', async () => {
      const { held } = await look('a');
      await look('b');
      const passed = held.slice(0, 2);
      await stage.store.leases.release({ backend: 'a', leases: passed, isSettled: true });
      const taken = (await look('b')).held;
      expect(partitionsOf(taken)).toEqual(partitionsOf(passed));
      expect(taken.map(({ fence }) => fence)).toEqual(passed.map(({ fence }) => fence + 1));
      expect(taken.every(({ isSettled }) => isSettled)).toBe(true);
    });

    test('what was passed on unsettled is told to be so', async () => {
      const { held } = await look('a');
      await look('b');
      await stage.store.leases.release({ backend: 'a', leases: held.slice(0, 1), isSettled: false });
      expect((await look('b')).held).toMatchObject([{ partition: 0, isSettled: false }]);
    });

    test('the share of three backends differs by one at most', async () => {
      await look('a');
      await look('b');
      await look('c');
      const surplus = (await look('a')).surplus;
      const { held } = await look('a');
      await stage.store.leases.release({ backend: 'a', leases: held.slice(0, surplus), isSettled: true });
      const counts = [];
      for (const backend of ['a', 'b', 'c']) counts.push((await look(backend)).held.length);
      expect(counts).toEqual([22, 21, 21]);
    });

    test('the leases of a backend that no longer renews them are taken, and count as unsettled', async () => {
      const before = (await look('a', OVER_MS)).held;
      const { held, backends } = await look('b');
      expect(held).toHaveLength(PARTITIONS);
      expect(backends).toBe(1);
      expect(held.every(({ isSettled }) => !isSettled)).toBe(true);
      expect(held[0]?.fence).toBe((before[0]?.fence ?? 0) + 1);
    });

    test('a backend that leaves is no longer counted, and what it held is free', async () => {
      await look('a');
      await stage.store.leases.leave('a');
      expect(await look('b')).toMatchObject({ backends: 1, surplus: 0 });
      expect((await look('b')).held).toHaveLength(PARTITIONS);
    });

    test('a backend does not pass on what another one has taken meanwhile', async () => {
      const { held } = await look('a', OVER_MS);
      const taken = (await look('b')).held;
      await stage.store.leases.release({ backend: 'a', leases: held, isSettled: true });
      expect((await look('b')).held).toEqual(taken);
    });

    test('a session is subscribed once, until it is begun again', async () => {
      const lease = leaseAt((await look('a')).held, 5);
      const begin = () => stage.store.leases.beginSession({ backend: 'a', leaseMs: LEASE_MS, lease });
      expect(await begin()).toEqual({ wasSubscribed: false });
      await stage.store.leases.sessionSubscribed(lease);
      expect(await begin()).toEqual({ wasSubscribed: true });
      expect(await begin()).toEqual({ wasSubscribed: false });
    });

    test('no session is begun for a partition that another backend has', async () => {
      const lease = leaseAt((await look('a', OVER_MS)).held, 5);
      await look('b');
      const query = { backend: 'a', leaseMs: LEASE_MS, lease };
      expect(await stage.store.leases.beginSession(query)).toBeUndefined();
    });

    test('a batch under a stale fencing number writes nothing, and names the partition', async () => {
      await stage.store.vehicles.save(newVehicle());
      const stale = leaseAt((await look('a', OVER_MS)).held, 3);
      const good = leaseAt((await look('b')).held, 4);
      const box = await stage.change({ lastContactMs: 5 });
      const batch = ingestBatch({ boxes: [box] });
      const refused = await stage.store.ingest.commit({ ...batch, leases: [stale, good] });
      expect(refused).toMatchObject({ lostLeases: [3], settled: [] });
      expect((await stage.known(BOX_ID)).version).toBe(box.version);
      const written = await stage.store.ingest.commit({ ...batch, leases: [good] });
      expect(written).toMatchObject({ stale: [] });
      expect((await stage.known(BOX_ID)).vehicle.box.lastContactMs).toBe(5);
    });
  });
}
