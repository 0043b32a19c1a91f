import type { Generation, Reply } from '../../../protocol/message.ts';
import type { Command, OpenCommand } from './command-store.ts';
import type { BoxRecordKey, CalibrationReport, FlashWipe } from './configuration-store.ts';
import type { Lease } from './lease-store.ts';
import type { OutboxRow, OutgoingMessage } from './outbox-store.ts';
import type { BoxConnection, BoxVehicle, JournalPosition, LifeStatus } from './stored-vehicle.ts';

export interface IngestStore {
  /** The stored data of these boxes, for the pure steps before the commit. Unknown boxes are missing. */
  load(boxIds: readonly string[]): Promise<ReadonlyMap<string, KnownVehicle>>;
  /** The commands of these requests, by request id; unknown requests are missing. */
  loadCommands(requestIds: readonly string[]): Promise<ReadonlyMap<string, OpenCommand>>;
  /** Commits state, journal positions, command outcomes, quarantine and outgoing messages of a batch, all or none. */
  commit(batch: IngestBatch): Promise<IngestResult>;
  /**
   * The broker has lost its sessions: open connections become unknown, and so does the readiness awaited on them
   * (`notReadyUntilMs`). Closed ones, and goings-down, stay. Boxes that were online are in standby from `atMs`.
   */
  forgetConnections(atMs: number): Promise<void>;
  /** The newest first. */
  quarantined(query: { readonly limit: number }): Promise<readonly Quarantined[]>;
  /**
   * How many records of a box were ever stored, and how many its tombstones gave up. Survives the pruning of
   * rows.
   */
  countRecords(boxId: string): Promise<{ readonly records: number; readonly lost: number }>;
  /** All boxes, onboarded or in a fleet's stock, by id, rising, after `after`. */
  boxIds(query: { readonly after: string | undefined; readonly limit: number }): Promise<readonly string[]>;
  /** The stored records of a box by epoch and sequence, rising; the oldest are pruned. */
  records(query: {
    readonly boxId: string;
    readonly after: { readonly epoch: number; readonly sequence: number } | undefined;
    readonly limit: number;
  }): Promise<readonly StoredRecord[]>;
}

/**
 * A vehicle as it was read, and its version, which a commit names as its base. A box in a fleet's stock reads
 * as one in a vehicle without id and model that is not set up.
 */
export interface KnownVehicle {
  readonly vehicle: BoxVehicle;
  readonly version: number;
}

export interface IngestBatch {
  readonly boxes: readonly BoxChange[];
  readonly records: readonly StoredRecord[];
  readonly replies: readonly SettledReply[];
  /** In publishing order. */
  readonly messages: readonly OutgoingMessage[];
  readonly quarantine: readonly Quarantined[];
  /** Boxes that reported that they are calibrated. */
  readonly calibrations?: readonly CalibrationReport[];
  /** Boxes that began a new epoch after another. */
  readonly flashWipes?: readonly FlashWipe[];
  /** The leases under which the boxes of this batch are served; absent: this backend is alone on its store. */
  readonly leases?: readonly Lease[];
}

/** A box's answer to a request, and its translated signals. */
export interface SettledReply {
  readonly reply: Reply;
  readonly boxId: string;
  /** The place of the reply in the box's journal. */
  readonly key: BoxRecordKey;
  readonly atMs: number;
  readonly state?: Command['state'];
}

/** The columns of a box that this batch changes; absent ones stay. One change per box and batch. */
export interface BoxChange {
  readonly boxId: string;
  /**
   * As loaded. If the store has another by now, nothing of the batch is written, and the box is named as
   * stale.
   */
  readonly version: number;
  readonly generation?: Generation;
  readonly firmware?: readonly [number, number];
  readonly hardwareRevision?: number;
  /** null: not known (any more). */
  readonly connection?: BoxConnection | null;
  /** null: the box is ready. */
  readonly notReadyUntilMs?: number | null;
  readonly lastContactMs?: number;
  readonly journal?: JournalPosition;
  readonly life?: LifeStatus;
  /** null: the box has connected. */
  readonly simSuspendedMs?: number | null;
  /** The whole merged state, by `writeState`: as text it costs a thread that writes it a thirtieth of what objects cost. */
  readonly stateText?: string;
}

/** A journal record that is no duplicate. Kept for the ledger. */
export interface StoredRecord {
  readonly boxId: string;
  readonly epoch: number;
  readonly sequence: number;
  readonly kind: 'report' | 'heartbeat' | 'event' | 'reply' | 'access' | 'tombstone';
  readonly clockMs: number;
  readonly receivedMs: number;
  /** The message that it led to, if any. */
  readonly messageId: string | undefined;
  /** For a tombstone: how many records the box gave up. */
  readonly lost: number;
  /** For a tombstone: the sequences that it replaces, both ends included. Some of them may be stored nevertheless. */
  readonly covers?: readonly [first: number, last: number];
}

export interface Quarantined {
  readonly boxId: string;
  readonly receivedMs: number;
  readonly fault: string;
  readonly offset: number;
  readonly detail: string;
  readonly bytes: Uint8Array;
}

export interface IngestResult {
  /** Boxes that had changed since they were loaded. Not empty: nothing was written; load and decide again. */
  readonly stale: readonly string[];
  /** Partitions that another backend has taken. Not empty: nothing was written; continue without their boxes. */
  readonly lostLeases?: readonly number[];
  /** Requests whose outcome this commit settled, for the dispatcher. */
  readonly settled: readonly string[];
  /** The batch's messages as rows of the outbox, for the publisher; absent: it must read them there. */
  readonly written?: readonly OutboxRow[];
}
