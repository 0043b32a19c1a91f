import { partitionOf } from '../../protocol/partitions.ts';
import { parseTopic } from '../../protocol/topics.ts';
import { boxReadiness } from '../commands/readiness.ts';
import { limits } from '../limits.ts';
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

export type CommitBatchParts = Pick<
  IngestParts,
  'world' | 'store' | 'translate' | 'hasMessageBroker' | 'counters' | 'shared'
>;

/**
 * Stages 4 to 8. If another writer has changed a box meanwhile, the store refuses the commit, and the batch
 * is reduced again with the current data. Boxes of a partition that another backend has taken are left out: their
 * records are still in their journals, and go to that backend.
 */
export function makeCommitBatch(parts: CommitBatchParts): CommitBatch {
  const { world, store, translate, counters, shared } = parts;
  const cache = makeVehicleCache(store, limits.cachedVehicles);

  const isServed = (boxId: string): boolean =>
    shared === undefined || shared.keeper.leaseOf(partitionOf(boxId)) !== undefined;

  /** The leases under which these boxes are served; undefined: this backend serves all. */
  function leasesOf(boxIds: readonly string[]): readonly Lease[] | undefined {
    if (shared === undefined) return undefined;
    const partitions = new Set(boxIds.map(partitionOf));
    return [...partitions]
      .sort((one, other) => one - other)
      .flatMap((partition) => shared.keeper.leaseOf(partition) ?? []);
  }

  /** Payloads of boxes that are served here. */
  function served(payloads: readonly ReceivedPayload[]): readonly ReceivedPayload[] {
    if (shared === undefined) return payloads;
    const ours = payloads.filter(({ topic }) => {
      const boxId = parseTopic(topic)?.boxId;
      return boxId === undefined || isServed(boxId);
    });
    if (ours.length < payloads.length) counters.add('payloads.passed', payloads.length - ours.length);
    return ours;
  }

  /** Stages 5 to 8; undefined if the commit was refused. */
  async function attempt(
    inboundMessages: readonly InboundMessage[],
    boxIds: readonly string[],
    requestIds: readonly string[],
  ): Promise<CommittedBatch | undefined> {
    const known = await cache.read(boxIds);
    const commands = requestIds.length === 0 ? new Map() : await store.loadCommands(requestIds);
    const batchResult = reduceBatch(inboundMessages, { known, commands, translate });
    const stamp = parts.hasMessageBroker ? { ids: world.ids, nowMs: world.time.nowMs() } : undefined;
    const { records, messages } = writeRecordMessages(batchResult.records, stamp);
    let settled: readonly string[] = [];
    let ready: readonly string[] = [];
    let written: readonly OutboxRow[] | undefined;
    if (hasContent(batchResult)) {
      const { boxes, replies, quarantine, calibrations, flashWipes } = batchResult;
      const leases = leasesOf(boxIds);
      const commit = { boxes, records, replies, messages, quarantine, calibrations, flashWipes };
      const result = await store.commit(leases === undefined ? commit : { ...commit, leases });
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
      for (let count = 0; count < limits.staleAttempts; count += 1) {
        const inboundMessages = served(payloads).map(readInboundMessage);
        boxIds = senderBoxIds(inboundMessages);
        const requestIds = answeredRequestIds(inboundMessages);
        const result = await attempt(inboundMessages, boxIds, requestIds);
        if (result !== undefined) return result;
      }
      throw new StoreFailed('The boxes of a batch changed each time while it was being decided.');
    } catch (error) {
      // It is unknown here whether a store that failed has written.
      cache.forget(boxIds);
      throw error;
    }
  };
}

function hasContent(batchResult: BatchResult): boolean {
  return (
    batchResult.boxes.length > 0 ||
    batchResult.records.length > 0 ||
    batchResult.replies.length > 0 ||
    batchResult.quarantine.length > 0
  );
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
