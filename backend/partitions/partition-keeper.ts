import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import type { HeldLease, Lease, LeaseLook, LeaseStore } from '../store/port/lease-store.ts';
import { within } from '../within.ts';
import { partitionLimits } from './limits.ts';

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
  /** From now on these are served by somebody else, or it is not known by whom: nothing of them may go on. */
  lost(partitions: readonly number[]): void;
  /**
   * These are to be passed on: takes nothing more for them. Resolves once all that was taken is committed and published;
   * it may take too long, and is not waited for then.
   */
  drain(partitions: readonly number[]): Promise<void>;
}

/** Which partitions this backend serves. */
export interface PartitionKeeper {
  /** Resolves once the first look has ended, well or not. */
  readonly started: Promise<void>;
  /** The lease of a partition that is served here at this moment. */
  leaseOf(partition: number): Lease | undefined;
  /** The leases have not ended by the clock. A process that was paused may ask before it is told that they have. */
  areInForce(): boolean;
  /** `LeaseStore.beginSession` for a partition that is served here; `undefined`: it is not. */
  beginSession(partition: number): Promise<{ readonly wasSubscribed: boolean } | undefined>;
  sessionSubscribed(partition: number): Promise<void>;
  /** Another backend has freed partitions, or is there no longer: looks at once, or again after the look under way. */
  wake(): void;
  /** A commit was refused: others have these. */
  takenByOthers(partitions: readonly number[]): void;
  condition(): PartitionsCondition;
  /** Passes everything on in order, and leaves. */
  stop(): Promise<void>;
  sever(): void;
}

export interface PartitionsCondition {
  /** Partitions that are served here. */
  readonly held: readonly number[];
  /** Backends that share them, as far as is known. */
  readonly backends: number;
}

/**
 * Renews leases, takes what is free, passes on what is beyond this backend's share. A lease counts as held for as long as
 * the store has promised, by this backend's own clock from the moment when it asked: only lengths of time are compared, so
 * the clock may be wrong. Without an answer for that long nothing is served any more; what is still its own after that is
 * gained anew.
 */
export function startPartitionKeeper(parts: PartitionKeeperParts): PartitionKeeper {
  const { world, store, backend, counters } = parts;
  const { time } = world;
  const { leaseMs } = partitionLimits;
  const held = new Map<number, Lease>();
  const draining = new Set<number>();
  /** The numbers under which partitions were served here the last time. */
  const served = new Map<number, number>();
  let endMs = 0;
  let connectedMs = time.nowMs();
  let backends = 0;
  let isOver = false;
  /** It takes nothing more: what it has it passes on. */
  let isStopping = false;
  /** The store knows nothing of this backend: it has left, and has not looked since. */
  let hasLeft = false;
  let isLooking = false;
  /** Woken since the look under way began. */
  let isWoken = false;
  /** Passings-on that are under way. */
  let passingOn: Promise<void> = Promise.resolve();
  let cancelBeat = (): void => undefined;
  let cancelEnd = (): void => undefined;
  const started = Promise.withResolvers<void>();
  /** Looks and passings-on one after the other: the answer of a look must not bring back what was passed on meanwhile. */
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work, work);
    last = done;
    return done;
  }

  function beat(delayMs: number): void {
    cancelBeat();
    if (!isStopping) cancelBeat = time.alarm(time.nowMs() + delayMs, () => void look());
  }

  /** Never rejects. At most one is under way. */
  async function look(): Promise<void> {
    isLooking = true;
    isWoken = false;
    let delayMs: number = partitionLimits.beatMs;
    try {
      await inTurn(lookInTurn);
    } catch (error) {
      if (isOver) return;
      delayMs = partitionLimits.beatAfterFailureMs;
      // A store that fails is not asked again at once, whoever wakes.
      isWoken = false;
      counters.add('leases.failed');
      world.log.warn({ error: String(error) }, 'the leases of partitions cannot be renewed');
    }
    isLooking = false;
    if (isOver) return;
    started.resolve();
    beat(isWoken ? 0 : delayMs);
  }

  async function lookInTurn(): Promise<void> {
    if (isStopping) return;
    const askedMs = time.nowMs();
    if (parts.isConnected()) connectedMs = askedMs;
    if (askedMs - connectedMs >= partitionLimits.unreachableMs) return leaveUnreached();
    hasLeft = false;
    const answer = await store.look({ backend, leaseMs });
    if (!isOver) hold(answer, askedMs);
  }

  /** The leases have ended by the clock. */
  function lapse(): void {
    if (held.size === 0) return;
    counters.add('leases.lapsed', held.size);
    world.log.error(
      { partitions: held.size },
      'the leases of partitions have ended without an answer of the store',
    );
    lose([...held.keys()]);
  }

  function hold(answer: LeaseLook, askedMs: number): void {
    backends = answer.backends;
    // A process that was paused may hear the store before its own alarm: what came for them meanwhile was dropped.
    if (!areInForce()) lapse();
    cancelEnd();
    endMs = askedMs + leaseMs;
    cancelEnd = time.alarm(endMs, lapse);
    const there = new Map(answer.held.map(({ partition, fence }) => [partition, fence]));
    // Also what was taken away and taken back between two looks: what was taken under the earlier number is void.
    const gone = [...held.values()].filter(({ partition, fence }) => there.get(partition) !== fence);
    lose(gone.map(({ partition }) => partition));
    // What a look has taken that was under way when it began to stop is left to others with the rest.
    if (isStopping) return;
    const gained = answer.held.filter(({ partition }) => !held.has(partition));
    for (const { partition, fence } of gained) held.set(partition, { partition, fence });
    if (gained.length > 0) {
      counters.add('partitions.gained', gained.length);
      // What was under way when it was lost, and is its own again, was dropped here.
      parts.gained(gained.map((one) => ({ ...one, isSettled: one.isSettled && isNew(one) })));
      for (const { partition, fence } of gained) served.set(partition, fence);
    }
    const surplus = answer.surplus - draining.size;
    if (surplus > 0) passOn([...held.keys()].filter((one) => !draining.has(one)).slice(-surplus));
  }

  const isNew = ({ partition, fence }: Lease): boolean => served.get(partition) !== fence;
  const areInForce = (): boolean => time.nowMs() < endMs;

  /** Others may reach the boxes; where nobody does, the partitions wait for who does first. */
  async function leaveUnreached(): Promise<void> {
    if (held.size > 0) {
      counters.add('partitions.left', held.size);
      world.log.warn({ partitions: held.size }, 'without the MQTT broker the partitions are left to others');
    }
    // Nothing is left of which the store could keep an answer back.
    cancelEnd();
    lose([...held.keys()]);
    await leave();
  }

  /** Once: each time wakes the others, and where none of them reaches the broker they would wake each other without end. */
  async function leave(): Promise<void> {
    if (hasLeft) return;
    await store.leave(backend);
    hasLeft = true;
  }

  function lose(partitions: readonly number[]): void {
    if (partitions.length === 0) return;
    for (const partition of partitions) held.delete(partition);
    counters.add('partitions.lost', partitions.length);
    parts.lost(partitions);
  }

  function passOn(partitions: readonly number[]): void {
    const before = passingOn;
    passingOn = passOnInOrder(partitions).then(() => before);
  }

  /** Never rejects. */
  async function passOnInOrder(partitions: readonly number[]): Promise<void> {
    const leases = partitions.flatMap((partition) => held.get(partition) ?? []);
    for (const partition of partitions) draining.add(partition);
    let isSettled = false;
    const drained = parts.drain(partitions).then(() => {
      isSettled = true;
    });
    await within(time, partitionLimits.drainMs, drained);
    try {
      await inTurn(async () => {
        // What was lost meanwhile is not passed on, also where it was gained anew: it is served here again.
        const still = leases.filter((lease) => held.get(lease.partition) === lease);
        for (const { partition } of still) held.delete(partition);
        // Where something of them is still under way, nothing of them may go on once others have them.
        if (!isSettled && still.length > 0) parts.lost(still.map(({ partition }) => partition));
        if (still.length > 0) await store.release({ backend, leases: still, isSettled });
        counters.add('partitions.passed', still.length);
      });
    } catch (error) {
      world.log.warn(
        { error: String(error) },
        'partitions could not be passed on: their leases end by themselves',
      );
    } finally {
      for (const partition of partitions) draining.delete(partition);
    }
  }

  void look();
  return {
    started: started.promise,
    leaseOf: (partition) => (areInForce() ? held.get(partition) : undefined),
    areInForce,
    async beginSession(partition) {
      const lease = held.get(partition);
      return lease === undefined ? undefined : store.beginSession({ backend, leaseMs, lease });
    },
    async sessionSubscribed(partition) {
      const lease = held.get(partition);
      if (lease !== undefined) await store.sessionSubscribed(lease);
    },
    wake() {
      isWoken = true;
      if (!isLooking) beat(0);
    },
    takenByOthers: (partitions) => lose(partitions.filter((partition) => held.has(partition))),
    condition: () => ({ held: [...held.keys()], backends }),
    async stop() {
      isStopping = true;
      cancelBeat();
      passOn([...held.keys()].filter((partition) => !draining.has(partition)));
      await passingOn;
      // In its turn: a look under way would take partitions beside it, which nobody would serve until their leases end.
      await inTurn(leave).catch((error: unknown) => {
        world.log.warn({ error: String(error) }, 'this backend is still counted until its leases end');
      });
      isOver = true;
      cancelEnd();
    },
    sever() {
      isOver = true;
      isStopping = true;
      cancelBeat();
      cancelEnd();
    },
  };
}
