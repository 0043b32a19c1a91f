import type { HeldLease, Lease, LeaseLook } from '../../../backend/store/port/lease-store.ts';

/** A partition as the store has it. */
export interface LeaseRow {
  holder: string;
  fence: number;
  expiresMs: number;
  isSettled: boolean;
}

/**
 * What a store of leases decides, for any number of partitions, as `backend/store/calls/leases.ts` does in SQL for all
 * of them: each call is one step. `test/properties/lease-model.test.ts` compares them.
 */
export class LeaseModel {
  readonly rows: readonly LeaseRow[];
  /** Until when each backend is registered. */
  readonly backends = new Map<string, number>();

  constructor(partitions: number) {
    this.rows = Array.from({ length: partitions }, () => ({
      holder: '',
      fence: 0,
      expiresMs: 0,
      isSettled: true,
    }));
  }

  look({ backend, leaseMs }: { backend: string; leaseMs: number }, nowMs: number): LeaseLook {
    this.backends.set(backend, Math.max(this.backends.get(backend) ?? 0, nowMs + leaseMs));
    for (const [name, expiresMs] of this.backends)
      if (name !== backend && expiresMs <= nowMs) this.backends.delete(name);
    const names = [...this.backends.keys()].sort();
    const share = this.shareOf(names, backend);
    for (const row of this.rows) if (row.holder === backend) row.expiresMs = nowMs + leaseMs;
    for (const row of this.rows) {
      if (this.#heldBy(backend).length >= share) break;
      if (row.holder === backend || (row.holder !== '' && row.expiresMs > nowMs)) continue;
      row.isSettled = row.holder === '' && row.isSettled;
      row.holder = backend;
      row.fence += 1;
      row.expiresMs = nowMs + leaseMs;
    }
    const held = this.#heldBy(backend);
    return { held, surplus: Math.max(0, held.length - share), backends: names.length };
  }

  release({
    backend,
    leases,
    isSettled,
  }: {
    backend: string;
    leases: readonly Lease[];
    isSettled: boolean;
  }): void {
    for (const { partition, fence } of leases) {
      const row = this.rows[partition];
      if (row?.holder !== backend || row.fence !== fence) continue;
      row.holder = '';
      row.isSettled = isSettled;
    }
  }

  leave(backend: string): void {
    for (const row of this.rows) {
      if (row.holder !== backend) continue;
      row.holder = '';
      row.isSettled = false;
    }
    this.backends.delete(backend);
  }

  shareOf(names: readonly string[], backend: string): number {
    const partitions = this.rows.length;
    return (
      Math.floor(partitions / names.length) + (names.indexOf(backend) < partitions % names.length ? 1 : 0)
    );
  }

  #heldBy(backend: string): readonly HeldLease[] {
    return this.rows.flatMap(({ holder, fence, isSettled }, partition) =>
      holder === backend ? [{ partition, fence, isSettled }] : [],
    );
  }
}
