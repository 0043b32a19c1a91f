import type { Lease } from '../../../../backend/store/port/lease-store.ts';
import { BACKENDS, CLIENTS, callOf, type Draw, type Drawer } from './draw.ts';

const LEASE_MS = 15_000;

/** A lease that somebody holds, and who: now and then it is said of another. */
function holding(draw: Draw): { readonly backend: string; readonly lease: Lease } | undefined {
  const row = draw.row('partition_leases', ({ holder }) => holder !== '');
  if (row === undefined) return undefined;
  return {
    backend: draw.once(6) ? draw.pick(BACKENDS) : String(row['holder']),
    lease: { partition: Number(row['partition']), fence: draw.number(row, 'fence') },
  };
}

/** It leaves out what others have locked. */
export const look: Drawer = (draw) =>
  callOf('leases', 'look', { backend: draw.pick(BACKENDS), leaseMs: LEASE_MS });

const takeQuota: Drawer = (draw) => {
  const clientId = draw.pick(CLIENTS);
  const row = draw.rows('quotas').find((quota) => quota['client_id'] === clientId);
  const spent =
    row === undefined || draw.once(3)
      ? undefined
      : { endsMs: Number(row['ends_ms']), calls: draw.whole(0, 3) };
  return callOf('quotas', 'take', clientId, { limit: 20, windowMs: 60_000, wanted: draw.whole(1, 6), spent });
};

/** Calls that write what backends share. */
export const BACKEND_WRITES: readonly Drawer[] = [
  (draw) => {
    const held = holding(draw);
    return held && callOf('leases', 'beginSession', { ...held, leaseMs: LEASE_MS });
  },
  (draw) => {
    const held = holding(draw);
    return held && callOf('leases', 'sessionSubscribed', held.lease);
  },
  (draw) => {
    const held = holding(draw);
    if (held === undefined) return undefined;
    const leases = [held.lease, holding(draw)?.lease ?? held.lease];
    return callOf('leases', 'release', { backend: held.backend, leases, isSettled: draw.once(2) });
  },
  (draw) => (draw.once(4) ? callOf('leases', 'leave', draw.pick(BACKENDS)) : undefined),
  takeQuota,
  takeQuota,
  takeQuota,
  (draw) =>
    callOf('installation', 'claim', {
      id: draw.id('installation'),
      keyId: draw.id('key'),
      createdMs: draw.nowMs,
    }),
  (draw) => callOf('installation', 'setKey', draw.id('key'), draw.value('installation', 'key_id')),
  (draw) => callOf('census', 'probe', draw.nowMs),
];

/** Calls that read it. */
export const BACKEND_READS: readonly Drawer[] = [
  () => callOf('installation', 'find'),
  () => callOf('census', 'count'),
  () => callOf('clock', 'nowMs'),
];
