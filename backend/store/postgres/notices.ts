import { sql } from 'kysely';
import type { WakeUp } from '../port/wake-ups.ts';
import { statement, type ValueOf } from '../statements/statement.ts';
import { run, type Transaction } from '../statements/transaction.ts';

/** The channel on which stores on one database notify each other of commits. */
export const CHANNEL = 'boxtwin';

/** The server takes payloads of fewer than 8,000 bytes (PostgreSQL, NOTIFY); all of ours are ASCII. */
const MOST_CHARACTERS = 7_000;
/** More than this many requests in one commit are not named individually. */
const MOST_NOTICES = 4;

const notify = statement(({ query }, value: ValueOf<{ channel: string; payload: string }>) =>
  query.selectNoFrom(sql`pg_notify(${value('channel')}, ${value('payload')})`.as('told')),
);

/** Within a transaction, at its end: notifies the others if it commits. `by` names this store among them. */
export function* tellOthers(wakeUp: WakeUp, by: string): Transaction<void> {
  for (const payload of payloadsOf(wakeUp, by)) yield* run(notify, { channel: CHANNEL, payload });
}

/** A wake-up as payloads of notifications: several if it is long, and without names if it is too long. */
export function payloadsOf(wakeUp: WakeUp, by: string): readonly string[] {
  const whole = JSON.stringify({ by, wakeUp });
  if (whole.length <= MOST_CHARACTERS) return [whole];
  if (wakeUp.kind === 'settled') {
    const { requestIds } = wakeUp;
    const notices = Math.ceil(whole.length / MOST_CHARACTERS) + 1;
    const each = Math.ceil(requestIds.length / notices);
    const payloads = Array.from({ length: notices }, (_, index) => {
      const some = requestIds.slice(index * each, (index + 1) * each);
      return JSON.stringify({ by, wakeUp: { kind: 'settled', requestIds: some } });
    });
    if (notices <= MOST_NOTICES && payloads.every(({ length }) => length <= MOST_CHARACTERS)) return payloads;
  }
  return [JSON.stringify({ by, wakeUp: { kind: 'anything' } })];
}

/** The wake-up in a notification of another store; undefined: this store sent it, or it is malformed. Total. */
export function wakeUpOf(payload: string | undefined, by: string): WakeUp | undefined {
  try {
    const read = JSON.parse(payload ?? '') as { readonly by?: unknown; readonly wakeUp?: WakeUp } | null;
    if (read === null || read.by === by || typeof read.wakeUp?.kind !== 'string') return undefined;
    return read.wakeUp;
  } catch {
    return undefined;
  }
}
