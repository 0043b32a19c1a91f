import { makeCounters } from '../../../backend/base/counters.ts';
import { partitionLimits } from '../../../backend/base/limits.ts';
import { type PartitionKeeper, startPartitionKeeper } from '../../../backend/partitions/partition-keeper.ts';
import type { HeldLease, Lease, LeaseLook } from '../../../backend/store/port/lease-store.ts';
import { StoreFailed } from '../../../backend/store/port/store.ts';
import { type HeldCall, heldCall } from './held-call.ts';
import type { LeaseModel } from './lease-model.ts';

export interface Alarm {
  readonly dueMs: number;
  readonly name: string;
  readonly wake: () => void;
  /** What is given up then, if it has not settled. */
  readonly draining: Draining | undefined;
  isLate: boolean;
}

/** A time in which a backend serves a partition. */
export interface Episode {
  readonly fence: number;
  /** The leases were over in it: work was refused. */
  isBroken: boolean;
}

export interface Draining {
  readonly episodes: ReadonlyMap<number, Episode | undefined>;
  readonly settle: () => void;
  /** It has settled, or was not waited for any longer. */
  isOver: boolean;
  isSettled: boolean;
  isLate: boolean;
}

const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A partition keeper whose store, clock and drains the explorer decides on, and what it has told its service. */
export class KeeperBackend {
  readonly name: string;
  readonly keeper: PartitionKeeper;
  phase: 'running' | 'stopping' | 'stopped' | 'killed' = 'running';
  isConnected = true;
  /** A call of it gets no answer, ever: it waits for it. */
  isStuck = false;
  /** Its calls of the store come one at a time. */
  call: (HeldCall & { readonly askedMs: number; isLate: boolean }) | undefined;
  alarms: Alarm[] = [];
  draining: Draining[] = [];
  /** What has settled, or did not in time, and waits until the call of the store is over. */
  handingOver: Draining[] = [];
  /** What it releases with the call in progress. */
  released: { readonly leases: readonly Lease[]; readonly isSettled: boolean } | undefined;
  /** What it serves, as it was told. */
  readonly serving = new Map<number, Episode>();
  /** The fencing numbers of what it was told last. */
  readonly told = new Map<number, number>();
  /** When it last looked with a connection. */
  connectedMs: number;
  /** Its last call of the store that succeeded was to leave. */
  hasLeft = false;
  /** It leaves, or left last, as it has no connection, and not as it stops. */
  leavesUnreached = false;
  /** A round of its work loop is in progress; and it was woken after that began. */
  isInRound = true;
  isWoken = false;
  /** A look was answered: the next alarm is that of the end of the leases. */
  expectsEnd = false;
  /** What it may keep, by the last answer. */
  share = 0;
  /** Its last call of the store failed. */
  hasFailed = false;
  /** The first thing that it did wrong. */
  wrong: string | undefined;
  /** Whether all that was served of a partition is committed, by partition. */
  readonly #clean: boolean[];
  /** In the round that looks, before it has called the store. */
  #isLooking = false;
  readonly #nowMs: () => number;
  readonly #store: LeaseModel;

  constructor(name: string, offsetMs: number, nowMs: () => number, store: LeaseModel, clean: boolean[]) {
    this.name = name;
    this.#clean = clean;
    this.#nowMs = nowMs;
    this.#store = store;
    this.connectedMs = nowMs();
    this.keeper = startPartitionKeeper({
      world: {
        log: SILENT,
        time: {
          nowMs: () => nowMs() + offsetMs,
          alarm: (dueMs, wake) => this.#alarm(dueMs - offsetMs, wake),
        },
      },
      store: {
        look: (query) => {
          this.#isLooking = false;
          this.hasLeft = false;
          return this.#held('look', () => store.look(query, nowMs()));
        },
        release: async (query) => {
          this.#releases(query);
          await this.#held('release', () => store.release(query));
        },
        leave: async (backend) => {
          this.leavesUnreached = this.#isLooking;
          this.#isLooking = false;
          await this.#held('leave', () => store.leave(backend));
          this.hasLeft = true;
        },
        beginSession: () => Promise.reject(new Error('not part of this')),
        sessionSubscribed: () => Promise.reject(new Error('not part of this')),
      },
      backend: name,
      counters: makeCounters(),
      isConnected: () => {
        this.#isLooking = true;
        if (this.isConnected) this.connectedMs = nowMs();
        return this.isConnected;
      },
      gained: (leases) => this.#gained(leases),
      lost: (partitions) => {
        for (const partition of partitions) this.serving.delete(partition);
      },
      drain: (partitions) => this.#drain(partitions),
    });
  }

  /** Its clock has moved on. */
  timePasses(): void {
    if (this.keeper.areInForce()) return;
    for (const episode of this.serving.values()) episode.isBroken = true;
  }

  wake(): void {
    this.#wakes();
    this.keeper.wake();
  }

  #handsOver(draining: Draining): void {
    if (!draining.isOver) this.handingOver.push(draining);
    draining.isOver = true;
  }

  #wakes(): void {
    this.isWoken = this.isInRound;
    this.isInRound = true;
  }

  /** Its call of the store ends. */
  end(how: 'answered' | 'failed'): void {
    const { call } = this;
    if (call === undefined) return;
    this.call = undefined;
    const isInTime = this.#nowMs() < call.askedMs + partitionLimits.leaseMs;
    this.expectsEnd = call.name === 'look' && how === 'answered' && isInTime;
    this.hasFailed = how === 'failed';
    const answer = call.name === 'look' ? (call.done?.answer as LeaseLook | undefined) : undefined;
    if (answer !== undefined && this.expectsEnd) this.share = answer.held.length - answer.surplus;
    if (how === 'answered') call.answer(call.done?.answer);
    else call.fail(new StoreFailed('The explorer wants it so.'));
  }

  /** Ends as a process that is killed. */
  kill(): void {
    this.handingOver = [];
    this.keeper.sever();
    this.phase = 'killed';
    this.call = undefined;
    this.alarms = [];
    this.draining = [];
    this.serving.clear();
    this.told.clear();
  }

  stop(): void {
    this.phase = 'stopping';
    void this.keeper.stop().then(() => {
      if (this.phase !== 'stopping') return;
      this.phase = 'stopped';
      if (!this.hasLeft && !this.hasFailed) this.wrong ??= 'has stopped, and is counted still';
    });
  }

  settle(draining: Draining): void {
    this.draining = this.draining.filter((one) => one !== draining);
    draining.isSettled = true;
    this.#handsOver(draining);
    for (const [partition, episode] of draining.episodes)
      if (episode !== undefined && this.serving.get(partition) === episode) this.#clean[partition] = true;
    draining.settle();
  }

  fire(alarm: Alarm): void {
    this.alarms = this.alarms.filter((one) => one !== alarm);
    if (alarm.draining !== undefined) this.#handsOver(alarm.draining);
    if (alarm.name === 'beat' || alarm.name === 'attempt') this.#wakes();
    alarm.wake();
  }

  #alarm(dueMs: number, wake: () => void): () => void {
    const name = this.expectsEnd ? 'end' : alarmName(dueMs - this.#nowMs());
    this.expectsEnd = false;
    // A round ends with one of these.
    if (name === 'beat' && !this.isConnected && this.#isLooking && this.#store.backends.has(this.name))
      this.wrong ??= 'has no connection for long, and has not left';
    this.#isLooking = false;
    if (name === 'beat') this.isInRound = this.isWoken;
    if (name === 'attempt') this.isInRound = false;
    if (name === 'beat') this.isWoken = false;
    const draining = name === 'drain-timeout' ? this.draining.at(-1) : undefined;
    const alarm: Alarm = { name, dueMs, wake, draining, isLate: false };
    this.alarms.push(alarm);
    return () => {
      this.alarms = this.alarms.filter((one) => one !== alarm);
    };
  }

  #held<T>(name: string, carryOut: () => T): Promise<T> {
    if (this.call !== undefined) this.wrong ??= `calls ${name} while ${this.call.name} is in progress`;
    const { call, promise } = heldCall(name, carryOut);
    this.call = Object.assign(call, { askedMs: this.#nowMs(), isLate: false });
    return promise;
  }

  #gained(leases: readonly HeldLease[]): void {
    for (const { partition, fence, isSettled } of leases) {
      if (this.phase !== 'running') this.wrong ??= `gains ${partition} although it is ${this.phase}`;
      if (!this.keeper.areInForce()) this.wrong ??= `gains ${partition} although the lease is over`;
      if (this.serving.has(partition)) this.wrong ??= `gains ${partition} although it serves it`;
      if (isSettled && this.#clean[partition] !== true)
        this.wrong ??= `gains ${partition} as settled although work for it was dropped`;
      this.#clean[partition] = false;
      this.serving.set(partition, { fence, isBroken: false });
      this.told.set(partition, fence);
    }
  }

  #releases(query: { readonly leases: readonly Lease[]; readonly isSettled: boolean }): void {
    const { leases, isSettled } = query;
    this.released = query;
    // They are released in order; of some there was nothing left to release.
    const last = this.handingOver.findIndex(({ episodes }) =>
      leases.every(({ partition }) => episodes.has(partition)),
    );
    this.handingOver.splice(0, last + 1);
    for (const { partition } of leases) {
      if (!isSettled && this.serving.has(partition))
        this.wrong ??= `releases ${partition} unsettled, and its service was not told`;
      if (isSettled && this.#clean[partition] !== true)
        this.wrong ??= `releases ${partition} as settled although work for it is in progress`;
      this.serving.delete(partition);
    }
  }

  #drain(partitions: readonly number[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const draining = new Set(this.draining.flatMap(({ episodes }) => [...episodes.values()]));
    const rest = [...this.serving].filter(
      ([partition, episode]) => !partitions.includes(partition) && !draining.has(episode),
    );
    if (this.phase === 'running' && rest.length < this.share)
      this.wrong ??= `hands over so much that ${rest.length} are left of its share of ${this.share}`;
    this.draining.push({
      episodes: new Map(partitions.map((partition) => [partition, this.serving.get(partition)])),
      settle: resolve,
      isOver: false,
      isSettled: false,
      isLate: false,
    });
    return promise;
  }
}

/** The other alarms of the keeper, by how long they wait. */
function alarmName(waitMs: number): string {
  if (waitMs === partitionLimits.beatMs) return 'beat';
  return waitMs === partitionLimits.drainMs ? 'drain-timeout' : 'attempt';
}
