import type { Reply } from '../../../protocol/message.ts';
import { topics } from '../../../protocol/topics.ts';
import { limits } from '../../limits.ts';
import { answeredKey, answeredPage, intentKey } from '../core/pages.ts';
import type { StepContext } from '../core/step-context.ts';
import { appendRecord, saveCounters } from '../core/step-writes.ts';
import { findEntry } from '../journal/entry-index.ts';
import { publish } from '../journal/outbox.ts';
import { noteSent, timeAnew } from '../journal/receipt-timing.ts';
import { latestMs } from '../power/rtc.ts';
import type { AnsweredRequest } from './command-state.ts';

/**
 * The window of answered requests, in flash: a repeated request gets the same reply, under the same sequence,
 * and nothing is done again. A request that the window forgets raises a floor: a request that expires at or
 * before the floor may be a forgotten one and is never carried out.
 */
export function findAnswered(context: StepContext, requestId: string): AnsweredRequest | undefined {
  return context.flash.answered.find((one) => one.requestId === requestId);
}

/** Whether a request must not be carried out any more. */
export function isExpired(context: StepContext, expiresMs: number): boolean {
  const latest = latestMs(context.ram.clock, context.counterMs);
  return latest === undefined || latest > expiresMs || mayBeForgotten(context, expiresMs);
}

/** Whether a request that is not in the window may have been in it. */
function mayBeForgotten(context: StepContext, expiresMs: number): boolean {
  return expiresMs <= context.flash.counters.answeredFloorMs;
}

/**
 * Records a reply and remembers it, and ends an intent of the same request, all in one write with the rest of
 * this step. Returns the sequence of its record; undefined: the journal had no room, and nothing is
 * remembered.
 */
export function answerRequest(
  context: StepContext,
  expiresMs: number,
  reply: Omit<Reply, 'kind' | 'error'> & { readonly error?: string },
): number | undefined {
  const sequence = appendRecord(context, { kind: 'reply', error: '', ...reply });
  const entry = sequence === undefined ? undefined : findEntry(context.flash.journal.entryIndex, sequence);
  if (entry === undefined) return undefined;
  // The clock may be ahead: the receipt of this reply corrects it before the command is requested again.
  if (reply.outcome === 'expired') context.ram.timing = timeAnew(context.ram.timing);
  const one: AnsweredRequest = {
    requestId: reply.requestId,
    expiresMs,
    sequence: entry.sequence,
    // A copy: it is kept for long, and the bytes of the entry share their memory with those of many other frames.
    bytes: entry.bytes.slice(),
  };
  context.writes.push({ put: answeredKey(one.requestId), bytes: answeredPage(one) });
  context.flash.answered = [...context.flash.answered, one];
  if (context.flash.intent?.requestId === reply.requestId) {
    context.flash.intent = undefined;
    context.writes.push({ erase: intentKey });
  }
  trim(context);
  return entry.sequence;
}

/**
 * Above the maximum, forgets the request that expires first, not the oldest: no request up to the expiry of a forgotten
 * one is carried out any more, and some expire in minutes, others in seconds.
 */
function trim(context: StepContext): void {
  const { answered } = context.flash;
  if (answered.length <= limits.answeredRequests) return;
  const first = answered.reduce((one, other) => (other.expiresMs < one.expiresMs ? other : one));
  context.flash.answered = answered.filter((one) => one !== first);
  context.writes.push({ erase: answeredKey(first.requestId) });
  if (first.expiresMs > context.flash.counters.answeredFloorMs) {
    saveCounters(context, { answeredFloorMs: first.expiresMs });
  }
}

/** Sends the reply of an answered request once more, unchanged. */
export function repeatAnswer(context: StepContext, answered: AnsweredRequest): void {
  const { phase } = context.ram.session;
  if (phase !== 'ready' || context.ram.goingOffline !== undefined) return;
  if (context.ram.outbox.inFlight.length >= limits.urgentPublishesInFlight) return;
  publish(context, topics.up(context.facts.boxId), answered.bytes, false);
  context.ram.timing = noteSent(context.ram.timing, answered.sequence);
}
