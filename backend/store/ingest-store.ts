import type { Generation, Reply } from '../../protocol/message.ts';
import type { Command, OpenCommand } from './command-store.ts';
import type { BoxRecordKey, Calibration, Wiped } from './configuration-store.ts';
import type { OutboxRow, OutgoingMessage } from './outbox-store.ts';
import type { BoxVehicle, Connection, JournalPosition, Life, VehicleState } from './vehicle-store.ts';

export interface IngestStore {
  /** What is known of these boxes, for the pure steps before the commit. Unknown boxes are missing from the answer. */
  load(boxIds: readonly string[]): Promise<ReadonlyMap<string, KnownVehicle>>;
  /** The commands that these requests were, by request id; requests that nobody made are missing. */
  loadCommands(requestIds: readonly string[]): Promise<ReadonlyMap<string, OpenCommand>>;
  /** State, journal positions, command outcomes, quarantine and outgoing messages of everything, all or none. */
  commit(batch: IngestBatch): Promise<IngestResult>;
  /**
   * The broker has no sessions any more: connections that were open are not known any more, and what was awaited on
   * them (`notReadyUntilMs`) is not either. Those that had ended, and goings-down, stay. Boxes that were online are in
   * standby from `atMs` on.
   */
  forgetConnections(atMs: number): Promise<void>;
  /** The newest first. */
  quarantined(query: { readonly limit: number }): Promise<readonly Quarantined[]>;
  /** How many records were ever stored of a box, and how many its tombstones gave up. Outlives the pruning of rows. */
  countRecords(boxId: string): Promise<{ readonly records: number; readonly lost: number }>;
  /** All boxes, known by being onboarded or in a fleet's stock, by id, rising, from behind `after` on. */
  boxIds(query: { readonly after: string | undefined; readonly limit: number }): Promise<readonly string[]>;
  /** The kept records of a box by epoch and sequence, rising; the oldest are pruned. */
  records(query: {
    readonly boxId: string;
    readonly after: { readonly epoch: number; readonly sequence: number } | undefined;
    readonly limit: number;
  }): Promise<readonly StoredRecord[]>;
}

/**
 * A vehicle as it was read, and the count of changes to it by then: a commit is told which one it builds upon. A box of
 * a fleet's stock reads as one in a vehicle without id and model that is not set up.
 */
export interface KnownVehicle {
  readonly vehicle: BoxVehicle;
  readonly version: number;
}

export interface IngestBatch {
  readonly boxes: readonly BoxChange[];
  readonly records: readonly StoredRecord[];
  readonly replies: readonly SettledReply[];
  /** In the order in which they are to go out. */
  readonly messages: readonly OutgoingMessage[];
  readonly quarantine: readonly Quarantined[];
  /** Boxes that told that they are calibrated. */
  readonly calibrations?: readonly Calibration[];
  /** Boxes that began a new epoch after another. */
  readonly wiped?: readonly Wiped[];
}

/** A box's answer to a request, and what its signals were translated to. */
export interface SettledReply {
  readonly reply: Reply;
  readonly boxId: string;
  /** Where the reply stands in the box's journal. */
  readonly key: BoxRecordKey;
  readonly atMs: number;
  readonly state?: Command['state'];
}

/** The columns of a box that this batch changes; absent ones stay. One change of a box in a batch. */
export interface BoxChange {
  readonly boxId: string;
  /** As loaded. Where the store has another by now, nothing of the batch is written, and the box is named as stale. */
  readonly version: number;
  readonly generation?: Generation;
  readonly firmware?: readonly [number, number];
  readonly hardwareRevision?: number;
  /** null: not known (any more). */
  readonly connection?: Connection | null;
  /** null: the box is ready. */
  readonly notReadyUntilMs?: number | null;
  readonly lastContactMs?: number;
  readonly journal?: JournalPosition;
  readonly life?: Life;
  /** null: the box has connected. */
  readonly simSuspendedMs?: number | null;
  /** The whole merged state. */
  readonly state?: VehicleState;
}

/** A journal record that was told apart from its duplicates. Kept for the ledger. */
export interface StoredRecord {
  readonly boxId: string;
  readonly epoch: number;
  readonly sequence: number;
  readonly kind: 'report' | 'heartbeat' | 'event' | 'reply' | 'access' | 'tombstone';
  readonly clockMs: number;
  readonly receivedMs: number;
  /** The message that it led to, where it led to one. */
  readonly messageId: string | undefined;
  /** For a tombstone: how many records the box gave up. */
  readonly lost: number;
  /** For a tombstone: the sequences that it stands for, both ends included. Some of them may be stored all the same. */
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
  /** Boxes that had changed since they were loaded. Not empty: nothing was written; load again, decide again. */
  readonly stale: readonly string[];
  /** Requests whose outcome this commit settled, for the desk. */
  readonly settled: readonly string[];
  /** The batch's messages as they are in the outbox now, for who would read them there at once; absent: look there. */
  readonly written?: readonly OutboxRow[];
}
