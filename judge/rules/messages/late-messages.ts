import type { QueuedMessage } from '../../evidence/evidence.ts';
import type { RunTimes } from '../answers/run-times.ts';
import type { Findings } from '../findings.ts';
import { limits } from '../limits.ts';

interface LateMessage {
  readonly message: QueuedMessage;
  readonly record: { readonly key: string; readonly storedMs: number };
}

/**
 * A message leaves soon after its record was stored (docs/messages.md). A late one without recent faults, that had been
 * stored all that time, and that follows no other late one, was missed until a poll found it: late ones in a row are a
 * backlog. Backends that get no notifications of each other's commits poll every few minutes.
 */
export class LateMessages {
  readonly #seen = new Set<string>();
  readonly #late: LateMessage[] = [];

  /** Messages of one queue are recorded in the order of arrival. */
  note(message: QueuedMessage, record: LateMessage['record']): void {
    const delivery = `${message.queue}/${message.messageId}`;
    if (this.#seen.has(delivery)) return;
    this.#seen.add(delivery);
    if (message.atMs - record.storedMs > limits.calmMs + limits.messageDelayMs)
      this.#late.push({ message, record });
  }

  judge(times: RunTimes, findings: Findings): void {
    let lastMs = Number.NEGATIVE_INFINITY;
    for (const one of this.#late.toSorted((a, b) => a.message.atMs - b.message.atMs)) {
      const isInRow = one.message.atMs - lastMs <= limits.messageDelayMs;
      lastMs = one.message.atMs;
      if (!isInRow) judgeLate(one, times, findings);
    }
  }
}

function judgeLate({ message, record }: LateMessage, times: RunTimes, findings: Findings): void {
  const { messageId, vehicleId, queue, atMs } = message;
  const { key, storedMs } = record;
  if (!times.isCalm({ fromMs: atMs, toMs: atMs })) return;
  if (times.isBroken('backend wake_ups', { fromMs: storedMs - limits.calmMs, toMs: atMs })) return;
  const waitedS = Math.round((atMs - storedMs) / 1_000);
  const text = `message ${messageId} of vehicle ${vehicleId} came to ${queue} ${waitedS} s after its record ${key} was stored, and for a minute before that nothing was broken`;
  findings.add('a message that was forgotten for a while', text, { atMs });
}
