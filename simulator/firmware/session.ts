import { topics } from '../../protocol/topics.ts';
import { limits } from '../limits.ts';
import { draw } from './chance.ts';
import { lowestHeld } from './journal.ts';
import { publish, pump, rewind } from './outbox.ts';
import { frameOf, keepCounters, type Turn } from './turn.ts';

/**
 * The session with the backend: connect → subscribe → birth (retained) and hello → the first receipt → ready. Records
 * leave only then, so a broker without a backend behind it gets a hello now and then and nothing else.
 */
export interface SessionState {
  readonly phase: 'down' | 'connecting' | 'subscribing' | 'greeting' | 'ready';
  /** Connections in a row that did not become ready. */
  readonly attempts: number;
  /** Not before that time the next connection. */
  readonly retryAt: number;
  /** When the first hello of this connection went out. */
  readonly helloAt: number;
  readonly helloRepeatAt: number;
  readonly helloRepeatMs: number;
  /** Hellos of this connection. */
  readonly hellos: number;
  /** The clock of the receipt that answered them. */
  readonly answeredClockMs: number;
  /** When to say once more that the box is ready; undefined: the backend has shown that it knows. */
  readonly readyRepeatAt: number | undefined;
  readonly readyRepeatMs: number;
  /** When the wait for the broker's word on connection or subscription ends. */
  readonly until: number;
}

export const sessionDown: SessionState = {
  phase: 'down',
  attempts: 0,
  retryAt: 0,
  helloAt: 0,
  helloRepeatAt: 0,
  helloRepeatMs: limits.helloRepeatFirstMs,
  hellos: 0,
  answeredClockMs: 0,
  readyRepeatAt: undefined,
  readyRepeatMs: limits.readyRepeatFirstMs,
  until: 0,
};

/** Connects where that is due: with the connection counter raised in flash first, and this connection's will. */
export function tendSession(turn: Turn): void {
  const { session, modem, outbox } = turn.ram;
  const isLinked = modem.phase === 'data-up';
  if (session.phase !== 'down' && !isLinked) {
    hangUp(turn);
    return;
  }
  switch (session.phase) {
    case 'down':
      if (isLinked && turn.ram.leaving === undefined && turn.at >= session.retryAt) connect(turn);
      return;
    case 'connecting':
    case 'subscribing':
      if (turn.at >= session.until) hangUp(turn);
      return;
    case 'greeting':
    case 'ready': {
      const oldest = outbox.inFlight[0];
      if (oldest !== undefined && turn.at >= oldest.at + limits.acknowledgementTimeoutMs) hangUp(turn);
      else if (turn.ram.leaving !== undefined) return;
      else if (session.phase === 'ready') {
        if (session.readyRepeatAt !== undefined && turn.at >= session.readyRepeatAt) sayReady(turn);
        pump(turn);
      } else if (turn.at >= session.helloRepeatAt) greet(turn);
      return;
    }
    default:
      session.phase satisfies never;
  }
}

function connect(turn: Turn): void {
  const connection = (turn.flash.counters.connection + 1) >>> 0;
  keepCounters(turn, { connection });
  const topic = topics.presence(turn.facts.boxId);
  const payload = frameOf(turn, { kind: 'gone', connection });
  turn.effects.push({ kind: 'connect', connection, will: { topic, payload, retain: true } });
  const until = turn.at + limits.connectTimeoutMs + limits.acknowledgementTimeoutMs;
  turn.ram.session = { ...turn.ram.session, phase: 'connecting', until };
}

/** The broker took the connection. */
export function opened(turn: Turn): void {
  if (turn.ram.session.phase !== 'connecting') return;
  turn.effects.push({ kind: 'subscribe', filter: topics.down(turn.facts.boxId) });
  const until = turn.at + limits.acknowledgementTimeoutMs;
  turn.ram.session = { ...turn.ram.session, phase: 'subscribing', until };
}

/** Commands can reach the box: it says that it is there. */
export function subscribed(turn: Turn): void {
  if (turn.ram.session.phase !== 'subscribing') return;
  const { connection } = turn.flash.counters;
  publish(turn, topics.presence(turn.facts.boxId), frameOf(turn, { kind: 'birth', connection }), true);
  turn.ram.session = {
    ...turn.ram.session,
    phase: 'greeting',
    helloAt: turn.at,
    helloRepeatMs: limits.helloRepeatFirstMs,
    hellos: 0,
    readyRepeatMs: limits.readyRepeatFirstMs,
  };
  greet(turn);
}

function greet(turn: Turn): void {
  const { counters, journal, configuration } = turn.flash;
  const hello = frameOf(turn, {
    kind: 'hello',
    connection: counters.connection,
    firmware: turn.ram.firmware,
    hardwareRevision: turn.facts.hardwareRevision,
    resetReason: turn.ram.resetReason,
    lowestHeld: lowestHeld(journal),
    nextSequence: journal.next,
    configurationRevision: configuration.revision,
  });
  publish(turn, topics.up(turn.facts.boxId), hello, false);
  const { session } = turn.ram;
  turn.ram.session = {
    ...session,
    hellos: session.hellos + 1,
    helloRepeatAt: turn.at + session.helloRepeatMs,
    helloRepeatMs: Math.min(session.helloRepeatMs * 2, limits.helloRepeatMostMs),
  };
}

/**
 * The backend has answered the hello with a receipt of that clock: the box takes commands now, and sends its records.
 * It says so until the backend has shown that it knows: without a record on its way, a `ready` that was lost would
 * leave the box out of reach until its next report.
 */
export function answeredHello(turn: Turn, clockMs: number): void {
  turn.ram.session = { ...turn.ram.session, phase: 'ready', attempts: 0, answeredClockMs: clockMs };
  sayReady(turn);
}

function sayReady(turn: Turn): void {
  const { session } = turn.ram;
  publish(turn, topics.up(turn.facts.boxId), frameOf(turn, { kind: 'ready' }), false);
  turn.ram.session = {
    ...session,
    readyRepeatAt: turn.at + session.readyRepeatMs,
    readyRepeatMs: Math.min(session.readyRepeatMs * 2, limits.readyRepeatMostMs),
  };
}

/**
 * Whether a receipt with that clock can be nothing but the answer to a `ready`: it was made after the one that answered
 * the hello, and there was no other hello that it could answer.
 */
export function isAnswerToReady(turn: Turn, clockMs: number): boolean {
  const { phase, hellos, answeredClockMs } = turn.ram.session;
  return phase === 'ready' && hellos === 1 && clockMs > answeredClockMs;
}

/** A command came, or a record that only a ready box sends was receipted, or the `ready` itself. */
export function readyIsHeard(turn: Turn): void {
  const { session } = turn.ram;
  if (session.readyRepeatAt !== undefined) turn.ram.session = { ...session, readyRepeatAt: undefined };
}

/** The link is gone, or is given up here (`drop`). Everything unreceipted goes again in the next session. */
export function linkLost(turn: Turn): void {
  const { session } = turn.ram;
  if (session.phase === 'down') return;
  const { fraction, next } = draw(turn.ram.chance);
  turn.ram.chance = next;
  const doubled = limits.reconnectFirstMs * (1 << Math.min(session.attempts, 16));
  const waitMs = Math.round(Math.min(doubled, limits.reconnectMostMs) * (0.5 + fraction / 2));
  turn.ram.session = {
    ...session,
    phase: 'down',
    attempts: session.attempts + 1,
    retryAt: turn.at + waitMs,
  };
  turn.ram.outbox = rewind(turn.ram.outbox);
  if (turn.ram.errand !== undefined) turn.ram.errand = { ...turn.ram.errand, token: undefined };
}

/** Severs the link where there is one. */
export function hangUp(turn: Turn): void {
  if (turn.ram.session.phase === 'down') return;
  turn.effects.push({ kind: 'drop' });
  linkLost(turn);
}
