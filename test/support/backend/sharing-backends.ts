import { makeCounters } from '../../../backend/base/counters.ts';
import { type PartitionKeeper, startPartitionKeeper } from '../../../backend/partitions/partition-keeper.ts';
import { faultyStore } from '../../../backend/store/intercepted-store.ts';
import { openSqliteStore, type SqliteStore } from '../../../backend/store/sqlite/store.ts';
import { PARTITIONS } from '../../../protocol/partitions.ts';
import { sleep } from '../../../world/time/time.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../world/virtual-world.ts';

/** Within this time all partitions of a backend that died have another holder. */
export const TAKEN_MS = 10_000;

/** Each partition has one holder. */
export const ONE_EACH = Array.from({ length: PARTITIONS }, () => 1);

/** Some backends that share the partitions of one store, as far as their keepers go. */
export class SharingBackends {
  readonly world: VirtualWorld = openVirtualWorld({ seed: 1 });
  readonly store: SqliteStore = openSqliteStore(':memory:', { nowMs: () => this.world.time.nowMs() });
  readonly keepers = new Map<string, PartitionKeeper>();
  /** What each of them serves, as it was told. */
  readonly served = new Map<string, Map<number, number>>();
  readonly moves: { readonly partition: number; readonly to: string; readonly isSettled: boolean }[] = [];
  /** Whether they hear of what is passed on. */
  areWoken = false;
  /** How long the alarms of a backend come late. */
  lateMs = 0;
  /** Calls of the store that were made, by name; and the most looks of one backend that were under way together. */
  readonly calls = new Map<string, number>();
  mostLooks = 0;
  /** How much longer these calls take than others; ms. */
  slowOf: { readonly look?: number; readonly release?: number } = {};
  isStoreFailing = false;
  slowMs = 0;
  /** What each of them was told to have lost. */
  readonly lost = new Map<string, readonly number[]>();
  readonly unreachable = new Set<string>();
  drain: () => Promise<void> = () => Promise.resolve();

  start(backend: string): void {
    const serving = new Map<number, number>();
    this.served.set(backend, serving);
    const { log, time } = this.world.instance(backend);
    let looks = 0;
    const { leases } = faultyStore(this.store, time, () => ({
      failing: this.isStoreFailing ? 'everything' : 'nothing',
      slowMs: this.slowMs,
    }));
    const counted = (name: string) => this.calls.set(name, (this.calls.get(name) ?? 0) + 1);
    if (this.areWoken)
      this.store.listen(({ kind }) => {
        if (kind === 'leases') this.keepers.get(backend)?.wake();
      });
    this.keepers.set(
      backend,
      startPartitionKeeper({
        world: {
          log,
          time: {
            nowMs: () => time.nowMs(),
            alarm: (dueMs, wake) => time.alarm(dueMs + this.lateMs, wake),
          },
        },
        store: {
          beginSession: (query) => leases.beginSession(query),
          sessionSubscribed: (lease) => leases.sessionSubscribed(lease),
          release: async (query) => {
            await sleep(time, this.slowOf.release ?? 0);
            return leases.release(query);
          },
          leave: (name) => {
            counted('leave');
            return leases.leave(name);
          },
          look: async (query) => {
            counted('look');
            looks += 1;
            this.mostLooks = Math.max(this.mostLooks, looks);
            await sleep(time, this.slowOf.look ?? 0);
            return leases.look(query).finally(() => {
              looks -= 1;
            });
          },
        },
        backend,
        isConnected: () => !this.unreachable.has(backend),
        counters: makeCounters(),
        gained: (leases) => {
          for (const { partition, fence, isSettled } of leases) {
            serving.set(partition, fence);
            this.moves.push({ partition, to: backend, isSettled });
          }
        },
        lost: (partitions) => {
          this.lost.set(backend, [...(this.lost.get(backend) ?? []), ...partitions]);
          for (const partition of partitions) serving.delete(partition);
        },
        drain: async (partitions) => {
          for (const partition of partitions) serving.delete(partition);
          await this.drain();
        },
      }),
    );
  }

  kill(backend: string): void {
    this.keepers.get(backend)?.sever();
    this.keepers.delete(backend);
    this.served.delete(backend);
  }

  async leave(backend: string): Promise<void> {
    await this.keepers.get(backend)?.stop();
    this.keepers.delete(backend);
    this.served.delete(backend);
  }

  pass(durationMs: number): Promise<void> {
    return this.world.runFor(durationMs);
  }

  /** How many each of them serves, by name. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.served].map(([backend, serving]) => [backend, serving.size]));
  }

  /** How many backends serve each partition. */
  holders(): readonly number[] {
    return Array.from(
      { length: PARTITIONS },
      (_, partition) => [...this.served.values()].filter((serving) => serving.has(partition)).length,
    );
  }
}
