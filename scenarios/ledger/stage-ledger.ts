import type { Stage } from '../stage.ts';
import type { LedgerReport } from './account.ts';
import type { Arrival } from './facts.ts';
import { keepLedger } from './ledger.ts';
import { readMessageLine } from './read-message.ts';

/** The ledger of a stage as it is now: the boxes' chips, the store, and what lies in the queue of vehicle states. */
export async function stageLedger(
  stage: Stage,
  options: { readonly lateAfterMs: number; readonly sinceMs?: number },
): Promise<LedgerReport> {
  const { world } = stage;
  return keepLedger(
    { flash: world.incarnation('ledger').flash, store: stage.store, messages: messagesOf(stage) },
    { nowMs: world.time.nowMs(), lateAfterMs: options.lateAfterMs, sinceMs: options.sinceMs ?? 0 },
  );
}

async function* messagesOf(stage: Stage): AsyncGenerator<Arrival | 'unreadable'> {
  for (const { body, storedMs } of stage.world.exchangeBroker.messages(stage.queue)) {
    const text = `{"queue":${JSON.stringify(stage.queue)},"arrived_at":${storedMs},"body":${Buffer.from(body).toString('utf8')}}`;
    yield readMessageLine(text) ?? 'unreadable';
  }
}
