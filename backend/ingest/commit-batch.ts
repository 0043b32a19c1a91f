import { partitionOf } from '../../protocol/partitions.ts';
import { parseTopic } from '../../protocol/topics.ts';
import { boxReadiness } from '../commands/readiness.ts';
import { limits } from '../limits.ts';
import type { PartitionKeeper } from '../partitions/partition-keeper.ts';
import type { KnownVehicle } from '../store/port/ingest-store.ts';
import type { Lease } from '../store/port/lease-store.ts';
import type { OutboxRow } from '../store/port/outbox-store.ts';
import { StoreFailed } from '../store/port/store.ts';
import type { Vehicle } from '../store/port/stored-vehicle.ts';
import type { BatchResult } from './batch-result.ts';
import type { CommitBatch, CommittedBatch } from './batch-worker.ts';
import {
  answeredRequestIds,
  type InboundMessage,
  type ReceivedPayload,
  readInboundMessage,
  senderBoxIds,
} from './inbound-message.ts';
import type { IngestParts } from './ingest.ts';
import { writeRecordMessages } from './record-messages.ts';
import { reduceBatch } from './reduce-batch.ts';
import { makeVehicleCache } from './vehicle-cache.ts';

export interface CommitBatchParts
  extends Pick<IngestParts, 'world' | 'store' | 'translate' | 'hasMessageBroker' | 'counters'> {
  /** Absent: this backend serves all boxes. */
  readonly shared?: { readonly keeper: Pick<PartitionKeeper, 'leaseOf' | 'takenByOthers'> } | undefined;
}

/** What of a batch is served here. */
interface ServedPayloads {
  readonly payloads: readonly ReceivedPayload[];
  /** Those of all boxes among them, by partition; undefined: this backend serves all. */
  readonly leases: ReadonlyMap<number, Lease> | undefined;
}

/**
 * Stages 4 to 8. If another writer has changed a box meanwhile, the store refuses the commit, and the batch
 * is reduced again with the current data. Boxes of a partition that another backend has taken are left out: their
 * records are still in their journals, and go to that backend. So are those whose lease has ended, or is another one, by
 * when the batch is decided: a commit names the lease of each of its boxes, and it is the one under which the batch began.
 */
export function makeCommitBatch(parts: CommitBatchParts): CommitBatch {
  const { world, store, translate, counters, shared } = parts;
  const cache = makeVehicleCache(store, limits.cachedVehicles);

  /** The payloads whose boxes have a lease by `leaseOf`, with these leases. What is on a topic of no box is served by anybody. */
  function servedUnder(
    payloads: readonly ReceivedPayload[],
    leaseOf: (partition: number) => Lease | undefined,
  ): ServedPayloads {
    const leases = new Map<number, Lease>();
    const ours = payloads.filter(({ topic }) => {
      const boxId = parseTopic(topic)?.boxId;
      if (boxId === undefined) return true;
      const partition = partitionOf(boxId);
      const lease = leases.get(partition) ?? leaseOf(partition);
      if (lease !== undefined) leases.set(partition, lease);
      return lease !== undefined;
    });
    if (ours.length < payloads.length) counters.add('payloads.passed', payloads.length - ours.length);
    return { payloads: ours, leases };
  }

  function served(payloads: readonly ReceivedPayload[]): ServedPayloads {
    if (shared === undefined) return { payloads, leases: undefined };
    return servedUnder(payloads, shared.keeper.leaseOf);
  }

  const isInForce = ({ partition, fence }: Lease): boolean =>
    shared?.keeper.leaseOf(partition)?.fence === fence;

  /** What is left of it. A lease that has ended is not followed by the next one: what was taken under it is void. */
  function stillServed({ payloads, leases }: ServedPayloads): ServedPayloads {
    if (leases === undefined) return { payloads, leases };
    return servedUnder(payloads, (partition) => {
      const lease = leases.get(partition);
      return lease !== undefined && isInForce(lease) ? lease : undefined;
    });
  }

  /** Stages 5 to 8; undefined if the commit was refused, or a lease has ended meanwhile. */
  async function attempt(
    inboundMessages: readonly InboundMessage[],
    boxIds: readonly string[],
    leases: ServedPayloads['leases'],
  ): Promise<CommittedBatch | undefined> {
    const requestIds = answeredRequestIds(inboundMessages);
    const known = await cache.read(boxIds);
    const commands = requestIds.length === 0 ? new Map() : await store.loadCommands(requestIds);
    const named = leases && [...leases.values()].sort((one, other) => one.partition - other.partition);
    // Time has passed while these were read. What follows up to the commit is one turn.
    if (named?.every(isInForce) === false) {
      counters.add('batches.outlived');
      return undefined;
    }
    const batchResult = reduceBatch(inboundMessages, { known, commands, translate });
    const stamp = parts.hasMessageBroker ? { ids: world.ids, nowMs: world.time.nowMs() } : undefined;
    const { records, messages } = writeRecordMessages(batchResult.records, stamp);
    let settled: readonly string[] = [];
    let ready: readonly string[] = [];
    let written: readonly OutboxRow[] | undefined;
    if (hasContent(batchResult)) {
      const { boxes, replies, quarantine, calibrations, flashWipes } = batchResult;
      const commit = { boxes, records, replies, messages, quarantine, calibrations, flashWipes };
      const result = await store.commit(named === undefined ? commit : { ...commit, leases: named });
      if (result.lost !== undefined && result.lost.length > 0) {
        counters.add('commits.fenced');
        shared?.keeper.takenByOthers(result.lost);
        cache.forget(boxIds);
        return undefined;
      }
      if (result.stale.length > 0) {
        counters.add('commits.stale');
        cache.forget(result.stale);
        return undefined;
      }
      cache.wrote(known, batchResult.vehicles);
      written = result.written;
      settled = result.settled;
      ready = newlyReady(known, batchResult.vehicles, world.time.nowMs());
      counters.add('commits.done');
      world.trace.note({
        who: 'backend',
        what: 'commit',
        detail: `${inboundMessages.length} payloads, ${records.length} records, ${messages.length} messages`,
      });
    }
    for (const [name, amount] of batchResult.counts) counters.add(name, amount);
    counters.add('messages.written', messages.length);
    return {
      framesDown: batchResult.framesDown,
      settledRequestIds: settled,
      readyBoxIds: ready,
      messageCount: messages.length,
      writtenRows: written,
      troubles: batchResult.troubles,
    };
  }

  return async (payloads) => {
    let boxIds: readonly string[] = [];
    try {
      let ours = served(payloads);
      for (let count = 0; count < limits.staleAttempts; ) {
        const inboundMessages = ours.payloads.map(readInboundMessage);
        boxIds = senderBoxIds(inboundMessages);
        const result = await attempt(inboundMessages, boxIds, ours.leases);
        if (result !== undefined) return result;
        const left = stillServed(ours);
        // A round that serves fewer partitions than the one before comes at most once for each.
        if (left.payloads.length === ours.payloads.length) count += 1;
        ours = left;
      }
      throw new StoreFailed('The boxes of a batch changed each time while it was being decided.');
    } catch (error) {
      // It is unknown here whether a store that failed has written.
      cache.forget(boxIds);
      throw error;
    }
  };
}

/** Whatever else follows from the frames of a box changes the box too: its journal. */
function hasContent({ boxes, quarantine }: BatchResult): boolean {
  return boxes.length > 0 || quarantine.length > 0;
}

/** The boxes that can take a command after this commit, and could not as far as was known before. */
function newlyReady(
  known: ReadonlyMap<string, KnownVehicle>,
  changed: BatchResult['vehicles'],
  nowMs: number,
): readonly string[] {
  const ready: string[] = [];
  for (const [boxId, vehicle] of changed) {
    if (isReady(vehicle, nowMs) && !isReady(known.get(boxId)?.vehicle, nowMs)) ready.push(boxId);
  }
  return ready;
}

function isReady(vehicle: Pick<Vehicle, 'box'> | undefined, nowMs: number): boolean {
  return vehicle !== undefined && boxReadiness(vehicle.box, nowMs) === 'connected';
}
