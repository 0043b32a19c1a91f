import type { DroppedMessage, OutboxRow } from '../../../../backend/store/port/outbox-store.ts';
import { StoreFailed } from '../../../../backend/store/port/store.ts';
import { isRead, STORE_ERRORS, type StoreOutcome } from '../../../../backend/store/port/store-calls.ts';
import type { FoundVehicle } from '../../../../backend/store/port/stored-vehicle.ts';
import { canonical } from './contents.ts';
import type { DrawnCall } from './draw.ts';

/** How a call of the store in PostgreSQL has ended. */
export type Ending =
  /** Its result, or the error of a call that is refused, as a text that SQLite has too. */
  | { readonly kind: 'answered'; readonly answer: string }
  /** The medium failed, and nothing of it was written. */
  | { readonly kind: 'failed'; readonly error: string }
  /** The medium failed, and what it wrote may be there or not. */
  | { readonly kind: 'unknown'; readonly error: string };

export interface EndedCall {
  readonly call: DrawnCall;
  readonly ending: Ending;
}

const MAY_BE_THERE = /What this call wrote may be there or not/;

export function endingOf({ part, name }: DrawnCall, outcome: StoreOutcome, hasCompany: boolean): Ending {
  if (!('error' in outcome) || !(outcome.error instanceof StoreFailed))
    return { kind: 'answered', answer: answerOf({ part, name }, outcome, hasCompany) };
  const error = outcome.error.message;
  if (!MAY_BE_THERE.test(error)) return { kind: 'failed', error };
  if (isRead({ part, name }))
    throw new Error(`${part}.${name} only reads, and says that it may have written: ${error}`);
  return { kind: 'unknown', error };
}

/**
 * The answer of a call as a text: without what the two stores number by themselves. `hasCompany`: others were made at the
 * same time.
 */
export function answerOf(
  { part, name }: Pick<DrawnCall, 'part' | 'name'>,
  outcome: StoreOutcome,
  hasCompany: boolean,
): string {
  if ('error' in outcome) return `rejects with ${refusalOf(outcome.error)}`;
  const { value } = outcome;
  if (part === 'outbox' && (name === 'next' || name === 'nextByPartition'))
    return canonical(inPartitions(value as readonly OutboxRow[]));
  if (part === 'vehicles' && name === 'change' && hasCompany && typeof value === 'object') {
    // It is read committed: what its answer has of the box may be from before a commit that it follows.
    const { box: _, state: __, stateText: ___, ...vehicle } = value as FoundVehicle;
    return canonical(vehicle);
  }
  if (part === 'outbox' && name === 'dropped')
    return canonical((value as readonly DroppedMessage[]).toSorted(byMessage));
  if (part === 'ingest' && name === 'commit') {
    // A store may leave its publisher to read what was written.
    const { written: _, ...result } = value as { readonly written?: readonly OutboxRow[] };
    return canonical(result);
  }
  return canonical(value) ?? 'nothing';
}

/** Errors of the port by their words; a row that the database refuses has words of its own in each. */
function refusalOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name in STORE_ERRORS ? `${error.name}: ${error.message}` : 'an error of the database';
}

function byMessage(one: DroppedMessage, other: DroppedMessage): number {
  return one.messageId < other.messageId ? -1 : 1;
}

/** In the order of each partition: that between partitions is the store's own. */
function inPartitions(rows: readonly OutboxRow[]): readonly unknown[] {
  return rows
    .toSorted((one, other) => one.partition - other.partition)
    .map(({ position: _, ...message }) => message);
}
