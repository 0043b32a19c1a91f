import { partitionOf } from '../../protocol/partitions.ts';
import { parseTopic } from '../../protocol/topics.ts';
import type { Counters } from '../base/counters.ts';
import { limits } from '../base/limits.ts';
import { boxReadiness } from '../commands/readiness.ts';
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
  readonly shared?: { readonly keeper: Pick<PartitionKeeper, 'leaseOf' | 'leasesLost'> } | undefined;
}

/** The part of a batch that is served here. */
interface ServedPayloads {
  readonly payloads: readonly ReceivedPayload[];
  /** Those of all boxes among them, by partition; undefined: this backend serves all. */
  readonly leases: ReadonlyMap<number, Lease> | undefined;
}

/**
 * Stages 4 to 8. If another writer has changed a box meanwhile, the store refuses the commit, and the batch is reduced
 * again with the current data. Boxes of a partition that another backend has taken are left out: their records are
 * still in their journals, and go to that backend. So are those whose lease has ended or was replaced before the batch
 * is decided: a commit names the lease of each of its boxes, and it must be the one under which the batch began.
 */
export function makeCommitBatch(parts: CommitBatchParts): CommitBatch {
  const { world, store, translate, counters, shared } = parts;
  const cache = makeVehicleCache(store, limits.cachedVehicles);
  const { served, withoutExpired, isInForce } = leaseFilter(shared?.keeper, counters);

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
      if (result.lostLeases !== undefined && result.lostLeases.length > 0) {
        counters.add('commits.fenced');
        shared?.keeper.leasesLost(result.lostLeases);
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
        const left = withoutExpired(ours);
        // Each partition can cause at most one round that serves fewer partitions.
        if (left.payloads.length === ours.payloads.length) count += 1;
        ours = left;
      }
      throw new StoreFailed('The boxes of a batch changed each time while it was being decided.');
    } catch (error) {
      // After a failure of the store it is unknown whether it has written.
      cache.forget(boxIds);
      throw error;
    }
  };
}

/** Which payloads are served here, by the leases of `keeper`; undefined: all are. */
function leaseFilter(keeper: Pick<PartitionKeeper, 'leaseOf'> | undefined, counters: Counters) {
  /** The payloads whose boxes have a lease by `leaseOf`, with these leases. Any backend serves a topic of no box. */
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

  const isInForce = ({ partition, fence }: Lease): boolean => keeper?.leaseOf(partition)?.fence === fence;

  return {
    isInForce,
    served(payloads: readonly ReceivedPayload[]): ServedPayloads {
      if (keeper === undefined) return { payloads, leases: undefined };
      return servedUnder(payloads, (partition) => keeper.leaseOf(partition));
    },
    /**
     * Without those whose lease has expired. The next lease does not count: payloads received under the old one are
     * void.
     */
    withoutExpired({ payloads, leases }: ServedPayloads): ServedPayloads {
      if (leases === undefined) return { payloads, leases };
      return servedUnder(payloads, (partition) => {
        const lease = leases.get(partition);
        return lease !== undefined && isInForce(lease) ? lease : undefined;
      });
    },
  };
}

/** Any other effect of a box's frames also changes the box: its journal. */
function hasContent({ boxes, quarantine }: BatchResult): boolean {
  return boxes.length > 0 || quarantine.length > 0;
}

/** The boxes that can take a command after this commit and were not known to be able to before. */
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
