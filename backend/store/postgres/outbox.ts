import type { OutboxRow, OutgoingMessage } from '../port/outbox-store.ts';
import type { Transaction } from '../statements/transaction.ts';

/** Writes messages behind what waits in the outbox of their partitions. Their rows; none if any were dropped. */
// biome-ignore lint/correctness/useYield: until it is written
export function* outboxMessages(_messages: readonly OutgoingMessage[]): Transaction<readonly OutboxRow[]> {
  throw new Error('The outbox is not there yet.');
}
