import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { limits } from '../base/limits.ts';
import { within } from '../base/within.ts';
import type { PartitionKeeper } from '../partitions/partition-keeper.ts';
import type { IngestStore } from '../store/port/ingest-store.ts';
import type { HeldLease } from '../store/port/lease-store.ts';
import type { OutboxRow } from '../store/port/outbox-store.ts';
import type { Translate } from './batch-result.ts';
import { type BatchWorker, type CommitBatch, type CommittedBatch, makeBatchWorker } from './batch-worker.ts';
import { makeCommitBatch } from './commit-batch.ts';
import { endFormerSessions, type FormerSessions } from './former-sessions.ts';
import { type FrameSender, makeFrameSender } from './frame-sender.ts';
import { InboundQueue } from './inbound-queue.ts';
import { EVERY_BOX, type MqttConnection, startMqttConnection } from './mqtt-connection.ts';
import { type PartitionSessions, partitionClientIds, startPartitionSessions } from './partition-sessions.ts';
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
  /** The broker has started without sessions, so all connections that are open in the store have ended. */
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
  /** From now on these are not served here, payloads in progress included. */
  lost(partitions: readonly number[]): void;
  /** Accepts nothing more of these; resolves once accepted payloads are committed. */
  drain(partitions: readonly number[]): Promise<void>;
  stop(): Promise<void>;
  sever(): void;
}

/** The condition of ingest at this moment. */
export interface IngestCondition {
  /** There is a session with the MQTT broker. */
  readonly isConnected: boolean;
  /** Why there is none, if the broker belongs to another installation: both installations and the remedy. */
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
  return new RunningIngest(parts);
}

class RunningIngest implements Ingest {
  readonly started: Promise<void>;
  readonly #parts: IngestParts;
  readonly #world: IngestParts['world'];
  readonly #counters: IngestParts['counters'];
  readonly #logTroubles: ReturnType<typeof makeTroubleLog>;
  #isStopping = false;
  readonly #inboundQueue = new InboundQueue(QUEUE_BOUNDS);
  readonly #commitBatch: CommitBatch;
  readonly #batchWorker: BatchWorker;
  readonly #formerSessions: FormerSessions | undefined;
  readonly #sessions: PartitionSessions | undefined;
  readonly #mqttConnection: MqttConnection;
  readonly #frameSender: FrameSender;
  readonly #requestResend: ReturnType<typeof makeResendRequest>;

  constructor(parts: IngestParts) {
    this.#parts = parts;
    this.#world = parts.world;
    this.#counters = parts.counters;
    this.#logTroubles = makeTroubleLog(this.#world.log);
    this.#commitBatch = makeCommitBatch(parts);
    this.#batchWorker = makeBatchWorker({
      world: this.#world,
      queue: this.#inboundQueue,
      counters: this.#counters,
      ...(parts.shared && { reportWindowMs: limits.sharedReportWindowMs }),
      commit:
        parts.brokerIsNew === true ? afterConnectionsForgotten(parts, this.#commitBatch) : this.#commitBatch,
      committed: (result) => this.#committed(result),
    });
    this.#formerSessions =
      parts.installationId === undefined ? undefined : this.#startFormer(parts.installationId);
    this.#sessions =
      parts.shared === undefined
        ? undefined
        : startPartitionSessions({
            world: this.#world,
            counters: this.#counters,
            account: parts.account,
            ...parts.shared,
            installationId: parts.installationId,
            formerEnded: this.#formerSessions?.ended,
            message: (topic, bytes, retained, acknowledge, session) =>
              this.#received(topic, bytes, retained, acknowledge, session),
            lost: (session) => this.#inboundQueue.forgetHeldAcknowledgements(session),
          });
    this.#mqttConnection = this.#sessions ?? this.#startOnlySession();
    this.#frameSender = makeFrameSender({
      world: this.#world,
      counters: this.#counters,
      send: (topic, bytes) => this.#mqttConnection.send(topic, bytes),
    });
    this.#requestResend = makeResendRequest({ ...parts, send: this.#frameSender.send });
    this.started = this.#mqttConnection.started;
  }

  send(topic: string, bytes: Uint8Array): Promise<void> {
    return this.#mqttConnection.send(topic, bytes);
  }

  condition(): IngestCondition {
    return {
      isConnected: this.#mqttConnection.isOpen(),
      mqttRefusal: this.#mqttConnection.isOpen()
        ? undefined
        : (this.#mqttConnection.refusal?.() ?? this.#formerSessions?.refusal()),
      isStoreFailing: this.#batchWorker.isFailing(),
      fill: this.#inboundQueue.fill,
      isHoldingBack: this.#inboundQueue.isHoldingBack,
      oldestMs: this.#inboundQueue.peek(1)[0]?.receivedMs,
    };
  }

  gained(leases: readonly HeldLease[]): void {
    this.#sessions?.open(leases);
    const unsettled = leases.filter(({ isSettled }) => !isSettled).map(({ partition }) => partition);
    if (unsettled.length > 0)
      void Promise.all([this.#mqttConnection.started, this.#formerSessions?.ended]).then(() =>
        this.#requestResend(unsettled),
      );
  }

  lost(partitions: readonly number[]): void {
    this.#sessions?.abandon(partitions);
  }

  async drain(partitions: readonly number[]): Promise<void> {
    await this.#sessions?.close(partitions);
    await this.#inboundQueue.passed();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#formerSessions?.sever();
    await this.#batchWorker.drain();
    this.#batchWorker.sever();
    await within(this.#world.time, limits.stopMs, this.#frameSender.settled());
    await this.#mqttConnection.stop();
  }

  sever(): void {
    this.#formerSessions?.sever();
    this.#batchWorker.sever();
    this.#mqttConnection.sever();
  }

  /**
   * Stages 1 to 3: a payload has arrived; until it is acknowledged the broker keeps it for the next session.
   */
  #received(
    topic: string,
    bytes: Uint8Array,
    retained: boolean,
    acknowledge: () => void,
    session: object,
  ): void {
    if (this.#isStopping) return;
    const payload = { topic, bytes, retained, receivedMs: this.#world.time.nowMs() };
    this.#inboundQueue.add(payload, acknowledge, session);
    if (this.#inboundQueue.isHoldingBack) this.#counters.add('intake.braked');
    this.#batchWorker.wake(payload);
  }

  /** One session for all boxes. */
  #startOnlySession(): MqttConnection {
    const session = {};
    const former = this.#formerSessions;
    return startMqttConnection({
      world: this.#world,
      counters: this.#counters,
      account: this.#parts.account,
      filters: EVERY_BOX,
      installationId: this.#parts.installationId,
      ...(former && { begin: () => former.ended.then(() => ({ wasSubscribed: false })) }),
      message: (topic, bytes, retained, acknowledge) =>
        this.#received(topic, bytes, retained, acknowledge, session),
      lost: () => this.#inboundQueue.forgetHeldAcknowledgements(session),
    });
  }

  /** What the broker kept for former sessions of this installation, of all boxes. */
  #startFormer(installationId: string): FormerSessions {
    const { shared, account } = this.#parts;
    const queue = new InboundQueue(QUEUE_BOUNDS);
    const commit = makeCommitBatch({ ...this.#parts, shared: undefined });
    const worker = makeBatchWorker({
      world: this.#world,
      queue,
      counters: this.#counters,
      commit,
      committed: (result) => this.#committed(result),
    });
    return endFormerSessions({
      world: this.#world,
      counters: this.#counters,
      account,
      installationId,
      kind: shared === undefined ? 'one' : 'partitions',
      clientIds: shared === undefined ? partitionClientIds(account.clientId) : [account.clientId],
      lookingClientId: `${shared?.backend ?? account.clientId}-sessions`,
      isOursToDo: () => shared === undefined || shared.keeper.leaseOf(0) !== undefined,
      message: (topic, bytes, retained, acknowledge, session) => {
        const payload = { topic, bytes, retained, receivedMs: this.#world.time.nowMs() };
        queue.add(payload, acknowledge, session);
        worker.wake(payload);
      },
      lost: (session) => queue.forgetHeldAcknowledgements(session),
      isIdle: () => queue.length === 0,
      severed: () => worker.sever(),
    });
  }

  /** Stages 9 and 10: a batch is durable. */
  #committed(result: CommittedBatch): void {
    this.#frameSender.send(result.framesDown);
    this.#logTroubles(result.troubles);
    if (result.settledRequestIds.length > 0) this.#parts.requestsSettled(result.settledRequestIds);
    if (result.readyBoxIds.length > 0) this.#parts.boxesReady?.(result.readyBoxIds);
    if (result.messageCount > 0) this.#parts.messagesWritten(result.writtenRows);
  }
}

interface ForgetConnectionsParts {
  readonly world: Pick<World, 'log' | 'time'>;
  readonly store: Pick<IngestStore, 'forgetConnections'>;
}

/**
 * Lets the store forget its open connections at once, and calls `commit` only after that: an earlier hello
 * would be forgotten too. If the store fails, the next commit retries that first, and fails with it.
 */
export function afterConnectionsForgotten(parts: ForgetConnectionsParts, commit: CommitBatch): CommitBatch {
  const { world, store } = parts;
  let forgotten = store.forgetConnections(world.time.nowMs());
  let hasFailed = false;
  forgotten.catch((error: unknown) => {
    hasFailed = true;
    world.log.error(
      { error: String(error) },
      'connections that ended with the broker are still recorded as open',
    );
  });
  return async (payloads) => {
    if (hasFailed) {
      hasFailed = false;
      forgotten = store.forgetConnections(world.time.nowMs());
    }
    try {
      await forgotten;
    } catch (error) {
      hasFailed = true;
      throw error;
    }
    return commit(payloads);
  };
}
