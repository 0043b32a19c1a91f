import { partitionOf } from '../../../../protocol/partitions.ts';
import type { CopiedRow, CopySource } from '../../copy-source.ts';
import { positionIn } from '../outbox/outbox-positions.ts';

/** Tables whose rows are not copied, and why. All others are, with all their columns. */
export const NOT_COPIED: Readonly<Record<string, string>> = {
  schema_version: 'The database says itself which schema it has.',
  outbox_size: 'What waits is counted by partition, from the rows that were copied.',
  outbox_positions: 'What waits is counted by partition, from the rows that were copied.',
  outbox_removed: 'What waits is counted by partition, from the rows that were copied.',
  backends: 'The backends that run on the database are others.',
  partition_leases: 'The backends that run on the database are others.',
};

/** Tables whose rows are part of the schema: they may have some in an otherwise empty database. */
export const FILLED_BY_SCHEMA: readonly string[] = [
  'schema_version',
  'outbox_positions',
  'outbox_removed',
  'partition_leases',
];

/**
 * How a row is written; as it is read, where its table is not here. The positions of one file rise, so they do within
 * each partition too.
 */
const WRITTEN: Readonly<Record<string, (row: CopiedRow, source: CopySource) => CopiedRow>> = {
  outbox: (row) => ({ ...row, position: positionIn(Number(row['partition']), Number(row['position'])) }),
  outbox_dropped: (row, source) => {
    const vehicleId = String(row['vehicle_id']);
    const partition = partitionOf(source.boxOf(vehicleId) ?? vehicleId);
    return { ...row, position: positionIn(partition, Number(row['position'])) };
  },
};

/** What is written for a row of that table. Total. */
export function writtenRow(table: string, row: CopiedRow, source: CopySource): CopiedRow {
  return WRITTEN[table]?.(row, source) ?? row;
}

/** The tables, each after those that it refers to. Those that refer to each other keep their order. */
export function inOrder(
  tables: readonly string[],
  references: readonly { readonly from: string; readonly to: string }[],
): readonly string[] {
  const done = new Set<string>();
  const visiting = new Set<string>();
  const visit = (table: string): void => {
    if (done.has(table) || visiting.has(table)) return;
    visiting.add(table);
    for (const { from, to } of references) if (from === table && tables.includes(to)) visit(to);
    done.add(table);
  };
  for (const table of tables) visit(table);
  return [...done];
}
