import { topics } from '../../../protocol/topics.ts';
import { limits } from '../../limits.ts';
import { drawChance } from '../core/chance.ts';
import type { StepContext } from '../core/step-context.ts';
import { encodedFrame, saveCounters } from '../core/step-writes.ts';
import { lowestHeld } from '../journal/journal.ts';
import { isUnheard, publish, rewind, sendNext } from '../journal/outbox.ts';
import { timeAnew } from '../journal/receipt-timing.ts';
import { earliestMs } from '../power/rtc.ts';

/** Connects where that is due: with the connection counter raised in flash first, and this connection's will. */
export function operateSession(context: StepContext): void {
  const { session, modem, outbox } = context.ram;
  const hasData = modem.phase === 'data-up';
  if (session.phase !== 'down' && !hasData) {
    dropConnection(context);
    return;
  }
  switch (session.phase) {
    case 'down':
      if (hasData && context.ram.goingOffline === undefined && context.at >= session.retryAt)
        connect(context);
      return;
    case 'connecting':
    case 'subscribing':
      if (context.at >= session.until) dropConnection(context);
      return;
    case 'greeting':
    case 'ready': {
      const oldest = outbox.inFlight[0];
      if (oldest !== undefined && context.at >= oldest.at + limits.acknowledgementTimeoutMs)
        dropConnection(context);
      else if (context.ram.goingOffline !== undefined) return;
      else if (session.phase === 'ready' && isUnheard(context)) dropConnection(context);
      else if (session.phase === 'ready') {
        if (session.readyRepeatAt !== undefined && context.at >= session.readyRepeatAt) sendReady(context);
        sendNext(context);
      } else if (context.at >= session.helloRepeatAt) sendHello(context);
      return;
    }
    default:
      session.phase satisfies never;
  }
}

function connect(context: StepContext): void {
  const connection = (context.flash.counters.connection + 1) >>> 0;
  saveCounters(context, { connection });
  const topic = topics.presence(context.facts.boxId);
  const payload = encodedFrame(context, { kind: 'gone', connection });
  context.effects.push({ kind: 'connect', connection, will: { topic, payload, retain: true } });
  const until = context.at + limits.connectTimeoutMs + limits.acknowledgementTimeoutMs;
  context.ram.session = { ...context.ram.session, phase: 'connecting', until };
}

/** The broker took the connection. */
export function handleOpened(context: StepContext, isResumed: boolean): void {
  if (context.ram.session.phase !== 'connecting') return;
  context.effects.push({ kind: 'subscribe', filter: topics.down(context.facts.boxId) });
  const until = context.at + limits.acknowledgementTimeoutMs;
  context.ram.session = { ...context.ram.session, phase: 'subscribing', isResumed, until };
}

/** Commands can reach the box: it sends its birth and hello. */
export function handleSubscribed(context: StepContext): void {
  if (context.ram.session.phase !== 'subscribing') return;
  const { connection } = context.flash.counters;
  publish(
    context,
    topics.presence(context.facts.boxId),
    encodedFrame(context, { kind: 'birth', connection }),
    true,
  );
  context.ram.session = {
    ...context.ram.session,
    phase: 'greeting',
    helloAt: context.at,
    helloRepeatMs: limits.helloRepeatFirstMs,
    hellos: 0,
    readyRepeatMs: limits.readyRepeatFirstMs,
  };
  sendHello(context);
}

function sendHello(context: StepContext): void {
  const { counters, journal, configuration } = context.flash;
  const hello = encodedFrame(context, {
    kind: 'hello',
    connection: counters.connection,
    firmware: context.ram.firmware,
    hardwareRevision: context.facts.hardwareRevision,
    resetReason: context.ram.resetReason,
    lowestHeld: lowestHeld(journal),
    nextSequence: journal.next,
    configurationRevision: configuration.revision,
  });
  publish(context, topics.up(context.facts.boxId), hello, false);
  const { session } = context.ram;
  context.ram.session = {
    ...session,
    hellos: session.hellos + 1,
    helloRepeatAt: context.at + session.helloRepeatMs,
    helloRepeatMs: Math.min(session.helloRepeatMs * 2, limits.helloRepeatMostMs),
  };
}

/**
 * The backend has answered the hello with a receipt of that clock: the box takes commands now, and sends its records.
 * It repeats `ready` until the backend confirms it: without a record under way, a lost `ready` would leave the box
 * unreachable until its next report.
 */
export function handleHelloAnswered(context: StepContext, clockMs: number): void {
  context.ram.session = { ...context.ram.session, phase: 'ready', attempts: 0, answeredClockMs: clockMs };
  sendReady(context);
}

function sendReady(context: StepContext): void {
  const { session } = context.ram;
  publish(context, topics.up(context.facts.boxId), encodedFrame(context, { kind: 'ready' }), false);
  context.ram.session = {
    ...session,
    readyRepeatAt: context.at + session.readyRepeatMs,
    readyRepeatMs: Math.min(session.readyRepeatMs * 2, limits.readyRepeatMostMs),
  };
}

/**
 * Whether a receipt of that clock, in milliseconds, is considered one that the broker kept while the box was away: it
 * was made earlier than the hello can have been sent. As the answer to the hello it would set the clock back by the
 * time of the absence, and an expired command that was kept too would be valid again. After some hellos the queue of
 * the broker is empty (MQTT 3.1.1 section 4.6 keeps the order), and the clock of the box must be wrong.
 */
export function isFromBefore(context: StepContext, receiptClockMs: number): boolean {
  const { isResumed, hellos, helloAt } = context.ram.session;
  if (!isResumed || hellos >= limits.hellosUntilTrusted || receiptClockMs <= 0) return false;
  const passedMs = context.at - helloAt;
  const earliest = earliestMs(context.ram.clock, context.counterMs);
  return earliest !== undefined && receiptClockMs < earliest - passedMs;
}

/**
 * Whether a receipt with that clock can only be the answer to a `ready`: it was made after the one that answered the
 * hello, and there was no other hello that it could answer.
 */
export function isAnswerToReady(context: StepContext, clockMs: number): boolean {
  const { phase, hellos, answeredClockMs } = context.ram.session;
  return phase === 'ready' && hellos === 1 && clockMs > answeredClockMs;
}

/** A command came, or a record that only a ready box sends was receipted, or the `ready` itself. */
export function confirmReady(context: StepContext): void {
  const { session } = context.ram;
  if (session.readyRepeatAt !== undefined) context.ram.session = { ...session, readyRepeatAt: undefined };
}

/** The link is lost, or is dropped here (`drop`). All unreceipted records are sent again in the next session. */
export function handleConnectionLost(context: StepContext): void {
  const { session } = context.ram;
  if (session.phase === 'down') return;
  const { fraction, next } = drawChance(context.ram.chance);
  context.ram.chance = next;
  const doubled = limits.reconnectFirstMs * (1 << Math.min(session.attempts, 16));
  const waitMs = Math.round(Math.min(doubled, limits.reconnectMostMs) * (0.5 + fraction / 2));
  context.ram.session = {
    ...session,
    phase: 'down',
    attempts: session.attempts + 1,
    retryAt: context.at + waitMs,
  };
  context.ram.outbox = rewind(context.ram.outbox);
  context.ram.timing = timeAnew(context.ram.timing);
  if (context.ram.pendingTask !== undefined)
    context.ram.pendingTask = { ...context.ram.pendingTask, token: undefined };
}

/** Severs the link where there is one. */
export function dropConnection(context: StepContext): void {
  if (context.ram.session.phase === 'down') return;
  context.effects.push({ kind: 'drop' });
  handleConnectionLost(context);
}
