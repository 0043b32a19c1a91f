import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import type { PartitionKeeper } from '../partitions/partition-keeper.ts';
import { partitionClientIds, startPartitionSessions } from '../partitions/partition-sessions.ts';
import type { IngestStore } from '../store/port/ingest-store.ts';
import type { HeldLease } from '../store/port/lease-store.ts';
import type { OutboxRow } from '../store/port/outbox-store.ts';
import { within } from '../within.ts';
import type { Translate } from './batch-result.ts';
import { type CommittedBatch, makeBatchWorker } from './batch-worker.ts';
import { makeCommitBatch } from './commit-batch.ts';
import { afterConnectionsForgotten } from './forget-connections.ts';
import { endFormerSessions, type FormerSessions } from './former-sessions.ts';
import { makeFrameSender } from './frame-sender.ts';
import { InboundQueue } from './inbound-queue.ts';
import { EVERY_BOX, type MqttConnection, startMqttConnection } from './mqtt-connection.ts';
import { makeResendRequest } from './resend-request.ts';
import { makeTroubleLog } from './troubles.ts';

export interface IngestParts {
  readonly world: Pick<World, 'time' | 'random' | 'ids' | 'mqtt' | 'trace' | 'log'>;
  readonly store: IngestStore;
  readonly account: { readonly clientId: string; readonly username: string; readonly password: string };
  readonly translate: Translate;
  /** Whether there is a message broker: without one no message is written. */
  readonly hasMessageBroker: boolean;
  readonly counters: Counters;
  /** Other backends serve boxes too, each its partitions; absent: this one serves all. */
  readonly shared?: { readonly backend: string; readonly keeper: PartitionKeeper } | undefined;
  /** `ServiceSettings.installationId` */
  readonly installationId?: string | undefined;
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
  /** From now on these partitions are served here. */
  gained(leases: readonly HeldLease[]): void;
  /** From now on these are not, whatever is under way. */
  lost(partitions: readonly number[]): void;
  /** Takes nothing more of these; resolves once what was taken is committed. */
  drain(partitions: readonly number[]): Promise<void>;
  stop(): Promise<void>;
  sever(): void;
}

/** The condition of ingest at this moment. */
export interface IngestCondition {
  /** There is a session with the MQTT broker. */
  readonly isConnected: boolean;
  /** Why there is none, where the broker is another installation's: whose, which one this is, and what to do. */
  readonly mqttRefusal: string | undefined;
  /** The last commit failed because of the store. */
  readonly isStoreFailing: boolean;
  /** How full the inbound queue is: 0 to 1, and slightly above. */
  readonly fill: number;
  /** Acknowledgements to the MQTT broker are held back. */
  readonly isHoldingBack: boolean;
  /** When the oldest payload that waits came; undefined: none waits. */
  readonly oldestMs: number | undefined;
}

const QUEUE_BOUNDS = {
  payloads: limits.queuedPayloads,
  bytes: limits.queuedBytes,
  resumeFraction: limits.queueResumeFraction,
} as const;

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

  const inboundQueue = new InboundQueue(QUEUE_BOUNDS);
  const commitBatch = makeCommitBatch(parts);
  const batchWorker = makeBatchWorker({
    world,
    queue: inboundQueue,
    counters,
    ...(parts.shared && { reportWindowMs: limits.sharedReportWindowMs }),
    commit: parts.brokerIsNew === true ? afterConnectionsForgotten(parts, commitBatch) : commitBatch,
    committed,
  });
  const formerSessions = parts.installationId === undefined ? undefined : startFormer(parts.installationId);
  const sessions =
    parts.shared === undefined
      ? undefined
      : startPartitionSessions({
          ...{ world, counters, account: parts.account, ...parts.shared },
          ...{ installationId: parts.installationId, formerEnded: formerSessions?.ended },
          message: received,
          lost: (session) => inboundQueue.forgetHeldAcknowledgements(session),
        });
  const mqttConnection = sessions ?? startOnlySession();
  const frameSender = makeFrameSender({ world, counters, send: mqttConnection.send });
  const requestResend = makeResendRequest({ ...parts, send: frameSender.send });

  /**
   * Stages 1 to 3: a payload has arrived; until it is acknowledged the broker keeps it for the next session.
   */
  function received(
    topic: string,
    bytes: Uint8Array,
    retained: boolean,
    acknowledge: () => void,
    session: object,
  ): void {
    if (isStopping) return;
    const payload = { topic, bytes, retained, receivedMs: world.time.nowMs() };
    inboundQueue.add(payload, acknowledge, session);
    if (inboundQueue.isHoldingBack) counters.add('intake.braked');
    batchWorker.wake(payload);
  }

  /** One session for all boxes. */
  function startOnlySession(): MqttConnection {
    const session = {};
    return startMqttConnection({
      ...{ world, counters, account: parts.account, filters: EVERY_BOX },
      installationId: parts.installationId,
      ...(formerSessions && { begin: () => formerSessions.ended.then(() => ({ wasSubscribed: false })) }),
      message: (topic, bytes, retained, acknowledge) =>
        received(topic, bytes, retained, acknowledge, session),
      lost: () => inboundQueue.forgetHeldAcknowledgements(session),
    });
  }

  /** What the broker kept for sessions that this installation had before: of all boxes, whoever serves them now. */
  function startFormer(installationId: string): FormerSessions {
    const { shared, account } = parts;
    const queue = new InboundQueue(QUEUE_BOUNDS);
    const commit = makeCommitBatch({ ...parts, shared: undefined });
    const worker = makeBatchWorker({ world, queue, counters, commit, committed });
    return endFormerSessions({
      ...{ world, counters, account, installationId },
      kind: shared === undefined ? 'one' : 'partitions',
      clientIds: shared === undefined ? partitionClientIds(account.clientId) : [account.clientId],
      lookingClientId: `${shared?.backend ?? account.clientId}-sessions`,
      isOursToDo: () => shared === undefined || shared.keeper.leaseOf(0) !== undefined,
      message(topic, bytes, retained, acknowledge, session) {
        const payload = { topic, bytes, retained, receivedMs: world.time.nowMs() };
        queue.add(payload, acknowledge, session);
        worker.wake(payload);
      },
      lost: (session) => queue.forgetHeldAcknowledgements(session),
      isIdle: () => queue.length === 0,
      severed: () => worker.sever(),
    });
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
      mqttRefusal: mqttConnection.isOpen()
        ? undefined
        : (mqttConnection.refusal?.() ?? formerSessions?.refusal()),
      isStoreFailing: batchWorker.isFailing(),
      fill: inboundQueue.fill,
      isHoldingBack: inboundQueue.isHoldingBack,
      oldestMs: inboundQueue.peek(1)[0]?.receivedMs,
    }),
    gained(leases) {
      sessions?.open(leases);
      const unsettled = leases.filter(({ isSettled }) => !isSettled).map(({ partition }) => partition);
      if (unsettled.length > 0)
        void Promise.all([mqttConnection.started, formerSessions?.ended]).then(() =>
          requestResend(unsettled),
        );
    },
    lost: (partitions) => sessions?.abandon(partitions),
    async drain(partitions) {
      await sessions?.close(partitions);
      await inboundQueue.passed();
    },
    async stop() {
      isStopping = true;
      formerSessions?.sever();
      await batchWorker.drain();
      batchWorker.sever();
      await within(world.time, limits.stopMs, frameSender.settled());
      await mqttConnection.stop();
    },
    sever() {
      formerSessions?.sever();
      batchWorker.sever();
      mqttConnection.sever();
    },
  };
}
