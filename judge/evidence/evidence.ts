import type { Message } from '../../protocol/message.ts';
import type { MessageKindName } from '../../protocol/message-kinds.ts';
import type { Signals } from '../../protocol/signals.ts';
import type { JournalFacts, MessageFates } from '../ledger/facts.ts';
import type { BoxHistory } from './box-history.ts';
import type { EffectHistory } from './effect-history.ts';
import type { OutcomeHistory } from './outcome-history.ts';
import type { PartitionHistory } from './partition-history.ts';
import type { SimulatedVehicle } from './simulated-vehicle.ts';

/** The key of one journal record: `box id/epoch/sequence`. */
export type RecordKey = `${string}/${number}/${number}`;

/**
 * Items that are read in pages, since a promise for each of a million records would cost more than reading
 * them. Each page has at least one item.
 */
export type Pages<T> = AsyncIterable<readonly T[]>;

/** What each side has recorded. Checkers compare the sides, and trust none of them alone. */
export interface Evidence {
  /**
   * Every frame of these kinds that crossed the wire, oldest first; other kinds may be among them. Rejects if
   * they were not recorded (judge/recordings.ts).
   */
  frames(vehicle: SimulatedVehicle, kinds: ReadonlySet<MessageKindName>): Pages<RecordedFrame>;
  /** What the service has stored of the box's records, in the order of epoch and sequence. */
  records(vehicle: SimulatedVehicle): Pages<RecordEvidence>;
  /** How many records the service ever stored of the box, and how many tombstones gave up; pruned rows included. */
  everStored(vehicle: SimulatedVehicle): Promise<{ readonly records: number; readonly lost: number }>;
  /** The box's journal, read from its flash; undefined when it was never written, or there is no box. */
  journal(vehicle: SimulatedVehicle): Promise<JournalFacts | undefined>;
  /** Where messages outside the queues are: in the outbox, or dropped because it was full. Others are missing. */
  messageFates(messageIds: readonly string[]): Promise<MessageFates>;
  /**
   * How many payloads and calls did not fit in the recordings. If there are any, a missing entry proves
   * nothing.
   */
  unrecorded(): { readonly frames: number; readonly calls: number };
  /**
   * What was put into a queue, oldest first, repeats included. Reading a body that was not recorded throws.
   */
  messages(queue: string): Pages<QueuedMessage>;
  /** All queues, with the fleet for which each was declared. */
  queues(): Promise<readonly { readonly name: string; readonly fleetId: string; readonly topic: string }[]>;
  /** What the box's outputs and the vehicle really did, by request id. */
  outputActions(vehicle: SimulatedVehicle): Promise<readonly OutputAction[]>;
  /** Every call with its answer, in the order of the answers. */
  calls(): Promise<readonly AnsweredCall[]>;
  /** The bulk jobs that the run ordered, with every item. */
  jobs(): Promise<readonly JobEvidence[]>;
  /** The configuration that is in force in the box by the service's record; undefined: there is no box. */
  configuration(vehicle: SimulatedVehicle): Promise<ConfigurationFact | undefined>;
  /** The equipment of the vehicle and its box, by the plan of the run; undefined: there is no box. */
  equipment(vehicle: SimulatedVehicle): Equipment | undefined;
  /**
   * The properties of the vehicle state that the service's tables for a model make of signals, by name: with the value null for one that has
   * ended; undefined: none.
   */
  propertiesOf(
    model: string,
    signals: Signals,
    report: { readonly timestampMs: number; readonly maintenance: boolean },
  ): Readonly<Record<string, { readonly value: unknown } | undefined>>;
  /** The setup status of the vehicle by the service; undefined: it has no such vehicle with a box. */
  setup(vehicle: SimulatedVehicle): Promise<SetupFact | undefined>;
  /** The id of the vehicle for which the service made a request to a box; undefined: it has no such request any more. */
  vehicleOfRequest(requestId: string): Promise<string | undefined>;
  /** The newest payloads, or parts of them, in quarantine, in order of arrival. */
  quarantined(): Promise<readonly QuarantinedFact[]>;
  /** The service's warnings to its operator about boxes, once for each kind and box; empty if no log is kept. */
  troubles(): readonly TroubleFact[];
  /** The body of GET /vehicles/{id}, as the service answers its owner now. */
  twin(vehicle: SimulatedVehicle): Promise<Readonly<Record<string, unknown>>>;
  /**
   * The physical truth of the vehicle at enough moments between these two that no change is missed; undefined
   * when the earlier time is no longer kept, or the truth is not recorded. Plain JSON, as from the simulator.
   */
  truthsBetween(
    vehicle: SimulatedVehicle,
    fromMs: number,
    toMs: number,
  ): readonly Readonly<Record<string, unknown>>[] | undefined;
  /**
   * The clock errors of its box with their beginning, oldest first; undefined error: it did not know the
   * time.
   */
  clockErrors(vehicle: SimulatedVehicle): readonly ClockError[];
  /** What its box did and stored; empty if not recorded. */
  boxHistory(vehicle: SimulatedVehicle): BoxHistory;
  /** Who held the partitions; undefined: one backend serves all. */
  partitions(): PartitionHistory | undefined;
  /** What left the backends before its cause; undefined: not recorded, as in the real world. */
  effects(): EffectHistory | undefined;
  /** How settled commands, vehicles of bulk jobs and configurations changed in the store; undefined: as for `effects`. */
  outcomes(): OutcomeHistory | undefined;
  /** The notifications of makers that were answered, the oldest ones, in the order of the answers. */
  notifications(): readonly AnsweredNotification[];
  /** The highest level and the bound of each bounded queue or list, by name. */
  levels(): Promise<readonly { readonly name: string; readonly most: number; readonly bound: number }[]>;
  /**
   * What is still pending, as text: journals with records, the outbox, open commands, items of jobs. Empty:
   * healed.
   */
  pending(): Promise<
    readonly { readonly what: string; readonly reason: string; readonly vehicle?: SimulatedVehicle }[]
  >;
}

/** The path at which bulk jobs are ordered. */

/** What is pending if the service has a wrong state of the box. */
export const LIFE_STATUS = 'the life status of the vehicle';

export type CardState = 'active' | 'suspended' | 'detached';

/** The actual equipment of a vehicle and its box. */
export interface Equipment {
  /** Vehicle commands for which the vehicle is wired. */
  readonly vehicleCommands: readonly string[];
  readonly generation: 1 | 2;
  readonly hardwareRevision: number;
  readonly installation: 'OBD' | 'HARDWIRED';
  /** With which the box was built in. */
  readonly firmware: readonly [major: number, minor: number];
  readonly simProvider: string;
}

export interface ClockError {
  readonly fromMs: number;
  readonly errorMs: number | undefined;
  /** How far the latest time that is possible by the box's clock is ahead. A box judges expiry by that. */
  readonly latestAheadMs: number | undefined;
}

export interface RecordedFrame {
  readonly atMs: number;
  readonly direction: 'up' | 'down';
  readonly epoch: number;
  readonly sequence: number;
  /** The sender's clock; 0: it does not know the time. */
  readonly clockMs: number;
  readonly message: Message;
}

export interface RecordEvidence {
  readonly key: RecordKey;
  readonly epoch: number;
  readonly sequence: number;
  readonly kind: string;
  readonly measuredMs: number;
  readonly storedMs: number;
  readonly messageIds: readonly string[];
}

export interface QueuedMessage {
  readonly atMs: number;
  readonly queue: string;
  readonly messageId: string;
  readonly vehicleId: string;
  readonly fleetId: string;
  readonly name: string;
  readonly body: unknown;
  /** Of AMQP, by name. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface OutputAction {
  readonly atMs: number;
  readonly requestId: string;
  readonly command: string;
}

export interface AnsweredCall {
  readonly call: number;
  readonly vehicle?: SimulatedVehicle;
  readonly as: string;
  readonly method: string;
  readonly path: string;
  readonly askedMs: number;
  readonly answeredMs: number;
  readonly status: number;
  readonly problem?: string;
  readonly detail?: string;
  readonly body: unknown;
  /** The body of the request. */
  readonly sent?: unknown;
  /** Of a connectivity command: the card in the box when the answer came, by its provider. */
  readonly card?: CardState;
  readonly flowId?: string;
  /** The header of this name. */
  readonly retryAfter?: string;
  /**
   * The end of the token of the call, as its client recorded it: the earliest time, and the latest if the request for
   * it took long; absent: no token, or a forged one.
   */
  readonly token?: { readonly endsMs: number; readonly latestMs?: number };
}

/** A maker notified the service, signed with the secret that it was given. */
export interface AnsweredNotification {
  readonly sentMs: number;
  readonly answeredMs: number;
  readonly status: number;
}

export interface ConfigurationFact {
  /** The revision of the last request that the box confirmed; 0: none. */
  readonly revision: number;
  /** The active features by name in kebab-case: parameters, and the revision that set them. */
  readonly features: Readonly<
    Record<string, { readonly revision: number; readonly parameters: Readonly<Record<string, unknown>> }>
  >;
  /** The settings of the box that result from these features, by name; the others have their standard values. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface SetupFact {
  readonly status: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED';
  /** Why it failed, or what was last observed; may be empty. */
  readonly detail: string;
}

export interface QuarantinedFact {
  readonly boxId: string;
  readonly atMs: number;
  readonly fault: string;
  readonly detail: string;
}

export interface TroubleFact {
  readonly kind: string;
  readonly boxId: string;
  readonly detail: string;
}

export interface JobEvidence {
  readonly id: string;
  readonly askedMs: number;
  /** By the service. */
  readonly createdMs: number;
  readonly expiresMs: number;
  readonly answeredMs: number;
  /** The request by feature name in kebab-case: parameters, null for a feature to switch off. */
  readonly features: Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;
  /** The counts that the service gives. */
  readonly counts: {
    readonly total: number;
    readonly pending: number;
    readonly applied: number;
    readonly failed: number;
  };
  /** The vehicles of the recorded request; the items are the service's. */
  readonly vehicleIds: readonly string[];
  readonly status: string;
  readonly items: readonly {
    readonly id: string;
    readonly status: string;
    readonly reason?: string;
    /** The name of the reason: `no-connection`. */
    readonly problem?: string;
    readonly attempts: number;
    /** Absent: it was not tried yet. */
    readonly lastAttemptMs?: number;
  }[];
}
