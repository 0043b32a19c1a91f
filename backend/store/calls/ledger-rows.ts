import type { Quarantined, StoredRecord } from '../port/ingest-store.ts';

export interface RecordRow {
  readonly box_id: string;
  readonly epoch: number;
  readonly sequence: number;
  readonly kind: string;
  readonly clock_ms: number;
  readonly received_ms: number;
  readonly message_id: string | null;
  readonly lost: number;
  readonly covers_first: number | null;
  readonly covers_last: number | null;
}

export interface QuarantineRow {
  readonly box_id: string;
  readonly received_ms: number;
  readonly fault: string;
  readonly byte_offset: number;
  readonly detail: string;
  readonly bytes: Uint8Array;
}

/** A row of the ledger in the port's form. */
export function toRecord(row: RecordRow): StoredRecord {
  return {
    boxId: row.box_id,
    epoch: row.epoch,
    sequence: row.sequence,
    kind: row.kind as StoredRecord['kind'],
    clockMs: row.clock_ms,
    receivedMs: row.received_ms,
    messageId: row.message_id ?? undefined,
    lost: row.lost,
    ...(row.covers_first === null || row.covers_last === null
      ? {}
      : { covers: [row.covers_first, row.covers_last] }),
  };
}

/** A row of quarantine in the port's form. */
export function toQuarantined(row: QuarantineRow): Quarantined {
  return {
    boxId: row.box_id,
    receivedMs: row.received_ms,
    fault: row.fault,
    offset: row.byte_offset,
    detail: row.detail,
    bytes: new Uint8Array(row.bytes),
  };
}
