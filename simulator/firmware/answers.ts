import type { Reply } from '../../protocol/message.ts';
import { topics } from '../../protocol/topics.ts';
import { limits } from '../limits.ts';
import { publish } from './outbox.ts';
import { answeredKey, answeredPage, intentKey } from './pages.ts';
import { latestMs } from './rtc.ts';
import { find } from './shelf.ts';
import type { Answered } from './state.ts';
import { keepCounters, record, type Turn } from './turn.ts';

/**
 * The window of answered requests, in flash: a repeated request gets the reply that it got, under the same sequence,
 * and nothing is done again. What the window forgets raises a floor: a request that expires at or before the floor
 * may be a forgotten one and is never carried out.
 */
export function findAnswer(turn: Turn, requestId: string): Answered | undefined {
  return turn.flash.answered.find((one) => one.requestId === requestId);
}

/** Whether a request must not be carried out any more. */
export function isExpired(turn: Turn, expiresMs: number): boolean {
  const latest = latestMs(turn.ram.clock, turn.counterMs);
  return latest === undefined || latest > expiresMs || mayBeForgotten(turn, expiresMs);
}

/** Whether a request that is not in the window may have been in it. */
function mayBeForgotten(turn: Turn, expiresMs: number): boolean {
  return expiresMs <= turn.flash.counters.answeredFloorMs;
}

/**
 * Records a reply and remembers it; ends an intent of the same request. In one write with everything else of this
 * step. The sequence of its record; undefined where the journal had no room: then nothing is remembered.
 */
export function answer(
  turn: Turn,
  expiresMs: number,
  reply: Omit<Reply, 'kind' | 'error'> & { readonly error?: string },
): number | undefined {
  const sequence = record(turn, { kind: 'reply', error: '', ...reply });
  const entry = sequence === undefined ? undefined : find(turn.flash.journal.shelf, sequence);
  if (entry === undefined) return undefined;
  if (reply.outcome === 'expired') turn.ram.doubted = { sequence: entry.sequence, at: turn.at };
  const one: Answered = {
    requestId: reply.requestId,
    expiresMs,
    sequence: entry.sequence,
    bytes: entry.bytes,
  };
  turn.writes.push({ put: answeredKey(one.requestId), bytes: answeredPage(one) });
  turn.flash.answered = [...turn.flash.answered, one];
  if (turn.flash.intent?.requestId === reply.requestId) {
    turn.flash.intent = undefined;
    turn.writes.push({ erase: intentKey });
  }
  trim(turn);
  return entry.sequence;
}

function trim(turn: Turn): void {
  const [oldest, ...others] = turn.flash.answered;
  if (oldest === undefined || turn.flash.answered.length <= limits.answeredRequests) return;
  turn.flash.answered = others;
  turn.writes.push({ erase: answeredKey(oldest.requestId) });
  if (oldest.expiresMs > turn.flash.counters.answeredFloorMs) {
    keepCounters(turn, { answeredFloorMs: oldest.expiresMs });
  }
}

/** Sends the reply of an answered request once more, as it was. */
export function repeatAnswer(turn: Turn, answered: Answered): void {
  const { phase } = turn.ram.session;
  if (phase !== 'ready' || turn.ram.leaving !== undefined) return;
  if (turn.ram.outbox.inFlight.length >= limits.urgentPublishesInFlight) return;
  publish(turn, topics.up(turn.facts.boxId), answered.bytes, false);
}
