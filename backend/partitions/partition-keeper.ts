import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { partitionLimits } from '../base/limits.ts';
import { within } from '../base/within.ts';
import { makeWorkLoop, type WorkLoop } from '../base/work-loop.ts';
import type { HeldLease, Lease, LeaseLook, LeaseStore } from '../store/port/lease-store.ts';

export interface PartitionKeeperParts {
  readonly world: Pick<World, 'time' | 'log'>;
  readonly store: LeaseStore;
  /** The name of this backend: no two that run at the same time have the same. */
  readonly backend: string;
  readonly counters: Counters;
  /** Whether boxes can be reached: there is a session with the MQTT broker. */
  isConnected(): boolean;
  /** From now on these are served here. */
  gained(leases: readonly HeldLease[]): void;
  /** These partitions are no longer served here: stop all work for them. */
  lost(partitions: readonly number[]): void;
  /**
   * These are to be handed over: accepts nothing more for them. Resolves once all accepted payloads are committed and
   * published; beyond a time-out the handover does not wait for it.
   */
  drain(partitions: readonly number[]): Promise<void>;
}

/** Which partitions this backend serves. */
export interface PartitionKeeper {
  /** Resolves once the first renewal has ended, successful or not. */
  readonly started: Promise<void>;
  /** The lease of a partition that is served here at this moment. */
  leaseOf(partition: number): Lease | undefined;
  /** Whether the leases are valid by the clock. A process that was paused may ask before its timer fires. */
  areInForce(): boolean;
  /** `LeaseStore.beginSession` for a partition that is served here; `undefined`: it is not. */
  beginSession(partition: number): Promise<{ readonly wasSubscribed: boolean } | undefined>;
  sessionSubscribed(partition: number): Promise<void>;
  /** Another backend has freed partitions or left: renews at once, or again after the renewal in progress. */
  wake(): void;
  /** A commit was refused: other backends hold these. */
  leasesLost(partitions: readonly number[]): void;
  condition(): PartitionsCondition;
  /** Hands everything over in order, and leaves. */
  stop(): Promise<void>;
  sever(): void;
}

export interface PartitionsCondition {
  /** Partitions that are served here. */
  readonly held: readonly number[];
  /** Backends that share them, as far as known. */
  readonly backends: number;
}

/**
 * Renews leases, takes free partitions, hands over those beyond this backend's share. A lease is held for the duration
 * that the store granted, by this backend's own clock from the time of the request: only durations are compared, so the
 * clock may be wrong. Without an answer for that long nothing is served any more; leases that it still holds after that
 * are gained again.
 */
export function startPartitionKeeper(parts: PartitionKeeperParts): PartitionKeeper {
  return new LeaseKeeper(parts);
}

class LeaseKeeper implements PartitionKeeper {
  readonly started: Promise<void>;
  readonly #parts: PartitionKeeperParts;
  readonly #world: PartitionKeeperParts['world'];
  readonly #store: PartitionKeeperParts['store'];
  readonly #backend: PartitionKeeperParts['backend'];
  readonly #counters: PartitionKeeperParts['counters'];
  readonly #time: PartitionKeeperParts['world']['time'];
  readonly #held = new Map<number, Lease>();
  readonly #draining = new Set<number>();
  /** The fencing numbers under which partitions were last served here. */
  readonly #served = new Map<number, number>();
  #endMs = 0;
  #connectedMs: number;
  #backends = 0;
  #isOver = false;
  /** It accepts nothing more, and hands over what it holds. */
  #isStopping = false;
  /** The store does not list this backend: it has left, and has not renewed since. */
  #hasLeft = false;
  /** Handovers that are in progress. */
  #handingOver: Promise<void> = Promise.resolve();
  #cancelBeat = (): void => undefined;
  #cancelEnd = (): void => undefined;
  readonly #started = Promise.withResolvers<void>();
  /**
   * Renewals and handovers run one after the other: the answer of a renewal must not restore partitions that were
   * handed over meanwhile.
   */
  #last: Promise<unknown> = Promise.resolve();
  readonly #loop: WorkLoop;

  constructor(parts: PartitionKeeperParts) {
    this.#parts = parts;
    this.#world = parts.world;
    this.#store = parts.store;
    this.#backend = parts.backend;
    this.#counters = parts.counters;
    this.#time = this.#world.time;
    this.#connectedMs = this.#time.nowMs();
    this.#loop = makeWorkLoop({
      time: this.#time,
      round: async () => {
        this.#cancelBeat();
        await this.#inTurn(() => this.#lookInTurn());
        if (this.#isOver) return;
        this.#started.resolve();
        if (!this.#isStopping)
          this.#cancelBeat = this.#time.alarm(this.#time.nowMs() + partitionLimits.beatMs, this.#loop.wake);
      },
      failed: (error) => {
        if (!this.#isOver) {
          this.#counters.add('leases.failed');
          this.#world.log.warn({ error: String(error) }, 'the leases of partitions cannot be renewed');
          this.#started.resolve();
        }
        return partitionLimits.beatAfterFailureMs;
      },
    });
    this.#loop.wake();
    this.started = this.#started.promise;
  }

  leaseOf(partition: number): Lease | undefined {
    return this.areInForce() ? this.#held.get(partition) : undefined;
  }

  async beginSession(partition: number): Promise<{ readonly wasSubscribed: boolean } | undefined> {
    const lease = this.#held.get(partition);
    return lease === undefined
      ? undefined
      : this.#store.beginSession({ backend: this.#backend, leaseMs: partitionLimits.leaseMs, lease });
  }

  async sessionSubscribed(partition: number): Promise<void> {
    const lease = this.#held.get(partition);
    if (lease !== undefined) await this.#store.sessionSubscribed(lease);
  }

  wake(): void {
    this.#loop.wake();
  }

  leasesLost(partitions: readonly number[]): void {
    this.#lose(partitions.filter((partition) => this.#held.has(partition)));
  }

  condition(): PartitionsCondition {
    return { held: [...this.#held.keys()], backends: this.#backends };
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#loop.stop();
    this.#cancelBeat();
    this.#handOver([...this.#held.keys()].filter((partition) => !this.#draining.has(partition)));
    await this.#handingOver;
    // Serialised: a concurrent renewal would take partitions that nobody serves until their leases end.
    await this.#inTurn(() => this.#leave()).catch((error: unknown) => {
      this.#world.log.warn({ error: String(error) }, 'this backend is still counted until its leases end');
    });
    this.#isOver = true;
    this.#cancelEnd();
  }

  sever(): void {
    this.#isOver = true;
    this.#isStopping = true;
    this.#loop.stop();
    this.#cancelBeat();
    this.#cancelEnd();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work);
    this.#last = done;
    return done;
  }

  async #lookInTurn(): Promise<void> {
    if (this.#isStopping) return;
    const askedMs = this.#time.nowMs();
    if (this.#parts.isConnected()) this.#connectedMs = askedMs;
    if (askedMs - this.#connectedMs >= partitionLimits.unreachableMs) return this.#leaveUnreached();
    this.#hasLeft = false;
    const answer = await this.#store.look({ backend: this.#backend, leaseMs: partitionLimits.leaseMs });
    if (!this.#isOver) this.#hold(answer, askedMs);
  }

  /** The leases have ended by the clock. */
  #lapse(): void {
    if (this.#held.size === 0) return;
    this.#counters.add('leases.lapsed', this.#held.size);
    this.#world.log.error(
      { partitions: this.#held.size },
      'the leases of partitions have ended without an answer of the store',
    );
    this.#lose([...this.#held.keys()]);
  }

  #hold(answer: LeaseLook, askedMs: number): void {
    // An answer that took as long as the leases last tells what was: others may have these partitions, and work for them.
    if (this.#time.nowMs() >= askedMs + partitionLimits.leaseMs) {
      this.#lapse();
      return;
    }
    this.#backends = answer.backends;
    // A process that was paused may get the store's answer before its timer fires: payloads for them were dropped
    // meanwhile.
    if (!this.areInForce()) this.#lapse();
    this.#cancelEnd();
    this.#endMs = askedMs + partitionLimits.leaseMs;
    this.#cancelEnd = this.#time.alarm(this.#endMs, () => this.#lapse());
    const there = new Map(answer.held.map(({ partition, fence }) => [partition, fence]));
    // Also partitions that were lost and regained between two renewals: payloads under the earlier number are void.
    const gone = [...this.#held.values()].filter(({ partition, fence }) => there.get(partition) !== fence);
    this.#lose(gone.map(({ partition }) => partition));
    // Partitions taken by a renewal that was in progress when the stop began are released with the rest.
    if (this.#isStopping) return;
    const gained = answer.held.filter(({ partition }) => !this.#held.has(partition));
    for (const { partition, fence } of gained) this.#held.set(partition, { partition, fence });
    if (gained.length > 0) {
      this.#counters.add('partitions.gained', gained.length);
      // Work in progress of a partition that was lost and regained was dropped here.
      this.#parts.gained(gained.map((one) => ({ ...one, isSettled: one.isSettled && this.#isNew(one) })));
      for (const { partition, fence } of gained) this.#served.set(partition, fence);
    }
    const surplus = answer.surplus - this.#draining.size;
    if (surplus > 0)
      this.#handOver([...this.#held.keys()].filter((one) => !this.#draining.has(one)).slice(-surplus));
  }

  #isNew({ partition, fence }: Lease): boolean {
    return this.#served.get(partition) !== fence;
  }

  areInForce(): boolean {
    return this.#time.nowMs() < this.#endMs;
  }

  /** Other backends may reach the boxes; if none does, the partitions wait for the first that does. */
  async #leaveUnreached(): Promise<void> {
    if (this.#held.size > 0) {
      this.#counters.add('partitions.left', this.#held.size);
      this.#world.log.warn(
        { partitions: this.#held.size },
        'without the MQTT broker the partitions are left to others',
      );
    }
    // No call remains whose answer the store could delay.
    this.#cancelEnd();
    this.#lose([...this.#held.keys()]);
    await this.#leave();
  }

  /** Once: each time wakes the others, and if none of them reaches the broker they would wake each other endlessly. */
  async #leave(): Promise<void> {
    if (this.#hasLeft) return;
    await this.#store.leave(this.#backend);
    this.#hasLeft = true;
  }

  #lose(partitions: readonly number[]): void {
    if (partitions.length === 0) return;
    for (const partition of partitions) this.#held.delete(partition);
    this.#counters.add('partitions.lost', partitions.length);
    this.#parts.lost(partitions);
  }

  #handOver(partitions: readonly number[]): void {
    const before = this.#handingOver;
    this.#handingOver = this.#handOverInOrder(partitions).then(() => before);
  }

  /** Never rejects. */
  async #handOverInOrder(partitions: readonly number[]): Promise<void> {
    const leases = partitions.flatMap((partition) => this.#held.get(partition) ?? []);
    for (const partition of partitions) this.#draining.add(partition);
    let isSettled = false;
    const drained = this.#parts.drain(partitions).then(() => {
      isSettled = true;
    });
    await within(this.#time, partitionLimits.drainMs, drained);
    try {
      await this.#inTurn(async () => {
        // Partitions lost meanwhile are not handed over, even if they were regained: they are served here again.
        const still = leases.filter((lease) => this.#held.get(lease.partition) === lease);
        for (const { partition } of still) this.#held.delete(partition);
        // Work in progress for them must stop before others hold them.
        if (!isSettled && still.length > 0) this.#parts.lost(still.map(({ partition }) => partition));
        if (still.length > 0) await this.#store.release({ backend: this.#backend, leases: still, isSettled });
        this.#counters.add('partitions.passed', still.length);
      });
    } catch (error) {
      this.#world.log.warn(
        { error: String(error) },
        'partitions could not be handed over: their leases end by themselves',
      );
    } finally {
      for (const partition of partitions) this.#draining.delete(partition);
    }
  }
}
