/** A value of a row as it is copied. */
export type CopiedValue = string | number | null | Uint8Array;

export type CopiedRow = Readonly<Record<string, CopiedValue>>;

/** A store whose rows are copied: one consistent state, which does not change meanwhile. */
export interface CopySource {
  /** All tables but those of the database itself. */
  readonly tables: readonly string[];
  columnsOf(table: string): readonly string[];
  count(table: string): number;
  /** Its rows in the order of its key. Throws the driver's error. */
  rowsOf(table: string): Iterable<CopiedRow>;
  /** For the partitions of waiting and dropped messages: the box of each vehicle that has one. */
  boxOf(vehicleId: string): string | undefined;
  /** No message of the outbox ever had a higher position. */
  readonly lastPosition: number;
  close(): void;
}
