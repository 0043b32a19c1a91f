import type { StoredRecord } from '../../backend/store/ingest-store.ts';

/*
 * What the readers bring and the judge looks at. A record's way, and the hops at which something may happen to it:
 *
 *     box ──────── broker ──────── state ──────── outbox ──────── queue
 *     journal      MQTT            one commit     courier         consumer
 *     (flash)                      (records)                      (messages)
 */

/** Both ends included. */
export type Range = readonly [first: number, last: number];

/** A record that the box still holds in its journal. */
export interface HeldRecord {
  readonly sequence: number;
  /** By the box's clock; undefined where its frame cannot be read. */
  readonly clockMs: number | undefined;
  /** For a tombstone. */
  readonly covers?: Range;
}

/** A box's journal as its flash has it. */
export interface JournalFacts {
  readonly epoch: number;
  /** The next sequence that will be given out. */
  readonly next: number;
  /** Rising. What is below `next` and not here, the box has given up. */
  readonly held: readonly HeldRecord[];
}

/** All that is known of a box but its records. */
export interface BoxFacts {
  readonly boxId: string;
  /** Undefined: the box is in no vehicle. */
  readonly vehicleId: string | undefined;
  /** Undefined: its flash was never written. */
  readonly journal: JournalFacts | undefined;
  /** What the service has settled of the box's journal: stored, or buried by a tombstone. */
  readonly settled: { readonly epoch: number; readonly ranges: readonly Range[] };
  /** Whether the service takes its connection for standing. */
  readonly isConnected: boolean;
  /** Ever stored, and given up by stored tombstones, pruned rows included. */
  readonly ever: { readonly records: number; readonly lost: number };
}

/** A message as it came out of a queue. */
export interface Arrival {
  readonly queue: string;
  readonly messageId: string;
  /** Without the namespace: `VehicleStateReceived`. */
  readonly name: string;
  readonly vehicleId: string;
  /** When the service had received what it tells; undefined where it does not say so. */
  readonly receivedMs: number | undefined;
  /** Undefined where the source does not say so. */
  readonly arrivedMs: number | undefined;
  readonly redelivered: boolean;
  /** Equal for equal data. */
  readonly dataHash: number;
}

/** What became of the messages of some records, beside those that arrived. */
export interface MessageFates {
  /** When those were made that wait in the outbox, by message id. */
  readonly waiting: ReadonlyMap<string, number>;
  /** Those that the outbox dropped because it had no room, with the bound. */
  readonly dropped: ReadonlyMap<string, string>;
}

export interface JudgeSettings {
  /** When the looks were taken. */
  readonly nowMs: number;
  readonly lateAfterMs: number;
  /** Records that were received before are not looked for among the messages. */
  readonly sinceMs: number;
  /** False: nobody has read a queue, and the way ends at the outbox. */
  readonly hasMessages: boolean;
}

/** Those of a box come by epoch and sequence, rising. */
export type LedgerRecord = Omit<StoredRecord, 'boxId' | 'kind'>;
