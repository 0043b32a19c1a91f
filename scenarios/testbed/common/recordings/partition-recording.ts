import type { IngestBatch, IngestResult } from '../../../../backend/store/port/ingest-store.ts';
import type { HeldLease, Lease, LeaseLook, LeaseStore } from '../../../../backend/store/port/lease-store.ts';
import type { StoreCall, StoreOutcome } from '../../../../backend/store/port/store-calls.ts';
import type {
  PartitionEvent,
  PartitionGap,
  PartitionHistory,
} from '../../../../judge/evidence/partition-history.ts';
import { PARTITIONS, partitionOf } from '../../../../protocol/partitions.ts';
import { testbedLimits } from '../../../limits.ts';
import { ShareRecording } from './share-recording.ts';

/** What is known of one partition. */
interface ServedPartition {
  /** The fencing number of its last holder, and those of the last batch and of the last message; 0: none yet. */
  fence: number;
  committedFence: number;
  publishedFence: number;
  /** The fencing number of the last subscribed session; 0: none yet. */
  subscribedFence: number;
  /** The last sign of a holder whose session is open and subscribed. */
  servedMs: number;
}

/** The backend that polls its leases. */
interface Looking {
  readonly backend: string;
}

/**
 * The holders of the partitions, from the calls that the store has executed. Keeps its own account of the fencing
 * numbers and does not query the store for them. The MQTT broker knows whether a session is open now: a call of a
 * session that its backend has closed may reach a slow store after those of the next one.
 */
export class PartitionRecording {
  readonly #backends: number;
  readonly #isOpen: (partition: number) => boolean;
  readonly #partitions: readonly ServedPartition[];
  readonly #shares = new ShareRecording();
  #events: PartitionEvent[] = [];
  #gaps: PartitionGap[] = [];
  #isWhole = true;
  /** The fencing number of each backend's last lease of each partition. */
  readonly #takenBy = new Map<string, Map<number, number>>();

  /** `isOpen`: whether the broker has a client with the session of that partition, and its subscription. */
  constructor(backends: number, startMs: number, isOpen: (partition: number) => boolean) {
    this.#backends = backends;
    this.#isOpen = isOpen;
    this.#partitions = Array.from({ length: PARTITIONS }, () => ({
      fence: 0,
      committedFence: 0,
      publishedFence: 0,
      subscribedFence: 0,
      servedMs: startMs,
    }));
  }

  /** These calls were executed, in this order. */
  record(calls: readonly StoreCall[], outcomes: readonly StoreOutcome[], atMs: number): void {
    for (const [index, { part, name, parameters }] of calls.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined || !('value' in outcome)) continue;
      const { value } = outcome;
      if (part === 'ingest' && name === 'commit')
        this.#committed(parameters[0] as IngestBatch, value as IngestResult, atMs);
      if (part !== 'leases') continue;
      if (name === 'look') {
        const looking = parameters[0] as Looking;
        const { held } = value as LeaseLook;
        this.#looked(looking, held, atMs);
        this.#shares.looked(looking.backend, held, atMs);
      } else if (name === 'release') {
        const { backend, leases } = parameters[0] as Parameters<LeaseStore['release']>[0];
        this.#shares.released(backend, leases, atMs);
      } else if (name === 'leave') this.#shares.left(parameters[0] as string, atMs);
      else if (name === 'sessionSubscribed') this.#subscribed(parameters[0] as Lease, atMs);
    }
  }

  /** That backend handed a message of the partition to the exchange: `backend` is its name in the calls of leases. */
  published(backend: string, partition: number, atMs: number): void {
    const told = this.#partitions[partition];
    if (told === undefined) return;
    const fence = this.#takenBy.get(backend)?.get(partition) ?? 0;
    // One message represents all with the active fencing number.
    if (fence === told.publishedFence && fence === told.fence) return;
    told.publishedFence = fence;
    this.#add({ what: 'published', atMs, partition, fence });
  }

  history(nowMs: number): PartitionHistory {
    const open = this.#partitions.flatMap((told, partition) => gapOf(told, partition, nowMs));
    return {
      backends: this.#backends,
      events: this.#events,
      gaps: [...this.#gaps, ...open],
      shares: this.#shares.events(nowMs),
      isWhole: this.#isWhole && this.#shares.isWhole,
    };
  }

  #looked({ backend }: Looking, held: readonly HeldLease[], atMs: number): void {
    const taken = this.#takenBy.get(backend) ?? new Map<number, number>();
    this.#takenBy.set(backend, taken);
    for (const { partition, fence } of held) taken.set(partition, fence);
    for (const { partition, fence } of held) {
      const told = this.#partitions[partition];
      if (told === undefined) continue;
      if (fence !== told.fence) {
        told.fence = fence;
        this.#add({ what: 'taken', atMs, partition, fence });
      } else if (told.subscribedFence === fence) this.#served(told, partition, atMs);
    }
  }

  #subscribed({ partition, fence }: Lease, atMs: number): void {
    const told = this.#partitions[partition];
    if (told?.fence !== fence) return;
    told.subscribedFence = fence;
    this.#served(told, partition, atMs);
  }

  /**
   * What former sessions of an unshared store have left is committed without leases (backend/ingest/ingest.ts). No
   * run has any: all of its backends share the store from the beginning.
   */
  #committed(batch: IngestBatch, { lostLeases = [] }: IngestResult, atMs: number): void {
    if (lostLeases.length > 0) return;
    const { leases = [] } = batch;
    const named = new Set(leases.map(({ partition }) => partition));
    for (const partition of partitionsOf(batch))
      if (!named.has(partition)) this.#add({ what: 'committed', atMs, partition, fence: 0 });
    for (const { partition, fence } of leases) {
      const told = this.#partitions[partition];
      if (told === undefined) continue;
      // One batch represents all with the active fencing number.
      if (fence === told.committedFence && fence === told.fence) continue;
      told.committedFence = fence;
      this.#add({ what: 'committed', atMs, partition, fence });
    }
  }

  #served(told: ServedPartition, partition: number, atMs: number): void {
    if (!this.#isOpen(partition)) return;
    this.#gaps.push(...gapOf(told, partition, atMs));
    told.servedMs = atMs;
    if (this.#gaps.length <= testbedLimits.partitionEntries) return;
    this.#gaps = this.#gaps.slice(testbedLimits.partitionEntries / 2);
    this.#isWhole = false;
  }

  #add(event: PartitionEvent): void {
    this.#events.push(event);
    if (this.#events.length <= testbedLimits.partitionEntries) return;
    this.#events = this.#events.slice(testbedLimits.partitionEntries / 2);
    this.#isWhole = false;
  }
}

function gapOf({ servedMs }: ServedPartition, partition: number, atMs: number): readonly PartitionGap[] {
  return atMs - servedMs > testbedLimits.partitionGapMs ? [{ partition, fromMs: servedMs, toMs: atMs }] : [];
}

/** The partitions of the boxes in a batch, ascending. */
function partitionsOf(batch: IngestBatch): readonly number[] {
  const { boxes, records, replies, quarantine, calibrations = [], flashWipes = [] } = batch;
  const written = [boxes, records, replies, quarantine, calibrations, flashWipes].flat();
  // Bytes on a topic of no box have no partition.
  const boxIds = written.map(({ boxId }) => boxId).filter((boxId) => boxId !== '');
  return [...new Set(boxIds.map(partitionOf))].sort((one, other) => one - other);
}
