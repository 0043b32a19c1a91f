import type { World } from '../../world/world.ts';
import { boxReadiness } from '../commands/readiness.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import type { IngestStore, KnownVehicle } from '../store/port/ingest-store.ts';
import type { OutboxRow } from '../store/port/outbox-store.ts';
import { StoreFailed } from '../store/port/store.ts';
import type { Vehicle } from '../store/port/stored-vehicle.ts';
import { within } from '../within.ts';
import type { BatchResult, Translate } from './batch-result.ts';
import { type CommitBatch, type CommittedBatch, makeBatchWorker } from './batch-worker.ts';
import { afterConnectionsForgotten } from './forget-connections.ts';
import { makeFrameSender } from './frame-sender.ts';
import {
  answeredRequestIds,
  type InboundMessage,
  readInboundMessage,
  senderBoxIds,
} from './inbound-message.ts';
import { InboundQueue } from './inbound-queue.ts';
import { startMqttConnection } from './mqtt-connection.ts';
import { writeRecordMessages } from './record-messages.ts';
import { reduceBatch } from './reduce-batch.ts';
import { makeTroubleLog } from './troubles.ts';
import { makeVehicleCache } from './vehicle-cache.ts';

export interface IngestParts {
  readonly world: Pick<World, 'time' | 'random' | 'ids' | 'mqtt' | 'trace' | 'log'>;
  readonly store: IngestStore;
  readonly account: { readonly clientId: string; readonly username: string; readonly password: string };
  readonly translate: Translate;
  /** Whether there is a message broker: without one no message is written. */
  readonly hasMessageBroker: boolean;
  readonly counters: Counters;
  /** The broker has started without sessions, so all connections that the store has as open have ended. */
  readonly brokerIsNew?: boolean;
  /** The store has the outcomes of these requests. */
  requestsSettled(requestIds: readonly string[]): void;
  /** These boxes are ready for commands now and were not known to be before; the store has it already. */
  boxesReady?(boxIds: readonly string[]): void;
  /** Messages are in the outbox: these, or those that are found there. */
  messagesWritten(rows: readonly OutboxRow[] | undefined): void;
}

/** Takes payloads from the broker to the commit, and sends receipts. */
export interface Ingest {
  readonly started: Promise<void>;
  send(topic: string, bytes: Uint8Array): Promise<void>;
  condition(): IngestCondition;
  stop(): Promise<void>;
  sever(): void;
}

/** The condition of ingest at this moment. */
export interface IngestCondition {
  /** There is a session with the MQTT broker. */
  readonly isConnected: boolean;
  /** The last commit failed because of the store. */
  readonly isStoreFailing: boolean;
  /** How full the inbound queue is: 0 to 1, and slightly above. */
  readonly fill: number;
  /** Acknowledgements to the MQTT broker are held back. */
  readonly isHoldingBack: boolean;
}

/**
 * Starts ingest at once. The stages that a payload passes, in order:
 *
 * 1. connection: a payload comes from the MQTT broker (mqtt-connection.ts)
 * 2. queue: it waits, within bounds; it is acknowledged now, or once there is room (inbound-queue.ts)
 * 3. batch: waiting payloads are processed together, and again while the store fails (batch-worker.ts)
 * 4. decode: topic and bytes become a sender and its frames (inbound-message.ts)
 * 5. known senders: their vehicles are loaded, and the commands that they answer (vehicle-cache.ts)
 * 6. reduce: frames are deduplicated and translated, and become states, records and outcomes
 *    (reduce-batch.ts)
 * 7. stamp: the messages are written, with ids and the time (record-messages.ts)
 * 8. commit: everything in one transaction (backend/store/port/ingest-store.ts)
 * 9. receipts: the boxes learn what is stored (frame-sender.ts)
 * 10. publish: outcomes go to waiting callers, messages to the outbox publisher (`IngestParts`)
 */
export function startIngest(parts: IngestParts): Ingest {
  const { world, counters } = parts;
  const logTroubles = makeTroubleLog(world.log);
  let isStopping = false;

  const inboundQueue = new InboundQueue({
    payloads: limits.queuedPayloads,
    bytes: limits.queuedBytes,
    resumeFraction: limits.queueResumeFraction,
  });
  const commitBatch = makeCommitBatch(parts);
  const batchWorker = makeBatchWorker({
    world,
    queue: inboundQueue,
    counters,
    commit: parts.brokerIsNew === true ? afterConnectionsForgotten(parts, commitBatch) : commitBatch,
    committed,
  });
  const mqttConnection = startMqttConnection({
    world,
    counters,
    account: parts.account,
    message: received,
    lost: () => inboundQueue.forgetHeldAcknowledgements(),
  });
  const frameSender = makeFrameSender({ world, counters, send: mqttConnection.send });

  /**
   * Stages 1 to 3: a payload has arrived; until it is acknowledged the broker keeps it for the next session.
   */
  function received(topic: string, bytes: Uint8Array, retained: boolean, acknowledge: () => void): void {
    if (isStopping) return;
    inboundQueue.add({ topic, bytes, retained, receivedMs: world.time.nowMs() }, acknowledge);
    if (inboundQueue.isHoldingBack) counters.add('intake.braked');
    batchWorker.wake();
  }

  /** Stages 9 and 10: a batch is durable. */
  function committed(result: CommittedBatch): void {
    frameSender.send(result.framesDown);
    logTroubles(result.troubles);
    if (result.settledRequestIds.length > 0) parts.requestsSettled(result.settledRequestIds);
    if (result.readyBoxIds.length > 0) parts.boxesReady?.(result.readyBoxIds);
    if (result.messageCount > 0) parts.messagesWritten(result.writtenRows);
  }

  return {
    started: mqttConnection.started,
    send: mqttConnection.send,
    condition: () => ({
      isConnected: mqttConnection.isOpen(),
      isStoreFailing: batchWorker.isFailing(),
      fill: inboundQueue.fill,
      isHoldingBack: inboundQueue.isHoldingBack,
    }),
    async stop() {
      isStopping = true;
      await batchWorker.drain();
      batchWorker.sever();
      await within(world.time, limits.stopMs, frameSender.settled());
      await mqttConnection.stop();
    },
    sever() {
      isStopping = true;
      batchWorker.sever();
      mqttConnection.sever();
    },
  };
}

/**
 * Stages 4 to 8. If another writer has changed a box meanwhile, the store refuses the commit, and the batch
 * is reduced again with the current data.
 */
function makeCommitBatch(parts: IngestParts): CommitBatch {
  const { world, store, translate, counters } = parts;
  const cache = makeVehicleCache(store, limits.cachedVehicles);

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
      const commit = { boxes, records, replies, messages, quarantine, calibrations, flashWipes };
      const result = await store.commit(commit);
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
    const inboundMessages = payloads.map(readInboundMessage);
    const boxIds = senderBoxIds(inboundMessages);
    const requestIds = answeredRequestIds(inboundMessages);
    try {
      for (let count = 0; count < limits.staleAttempts; count += 1) {
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
