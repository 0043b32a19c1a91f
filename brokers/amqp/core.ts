import { limits } from '../limits.ts';
import { HEARTBEAT_FRAME } from './codec/frames.ts';
import { connectionGone, newConnection, readFrames, receiveBytes, signedIn } from './connection.ts';
import { systemExchanges } from './exchange-methods.ts';
import { fault, type ReplyCode } from './faults.ts';
import { deliverReady, expire } from './message-flow.ts';
import { closeConnection, confirm, endConnection, sendConfirms, sendMethod, writeBytes } from './sending.ts';
import type { BrokerEffect, BrokerServices, BrokerState, ConnectionState, JournalRecord } from './state.ts';
import { removeQueue } from './topology.ts';

/** Inputs of the broker. Times are milliseconds of any clock that does not go back. */
export type BrokerInput =
  | { readonly kind: 'opened'; readonly connection: number; readonly address: string }
  | { readonly kind: 'bytes'; readonly connection: number; readonly bytes: Uint8Array }
  /** The answer to an `authenticate` effect. */
  | { readonly kind: 'signed-in'; readonly connection: number; readonly isAdmitted: boolean }
  /** The peer has read that many of the bytes that were written. */
  | { readonly kind: 'flushed'; readonly connection: number; readonly bytes: number }
  /** The socket has closed, from either side. */
  | { readonly kind: 'gone'; readonly connection: number }
  /** The first `journalCount` records are on disk. */
  | { readonly kind: 'committed'; readonly journalCount: number }
  /** A commit failed and will be tried again. */
  | { readonly kind: 'commit-failed' }
  /** An internal error while this connection was served, or (320) the end of the broker. */
  | { readonly kind: 'fault'; readonly connection: number; readonly code: ReplyCode; readonly reason: string }
  | { readonly kind: 'tick' };

export function newBroker(services: BrokerServices, nowMs: number): BrokerState {
  return {
    services,
    exchanges: systemExchanges(),
    queues: new Map(),
    connections: new Map(),
    replyConsumers: new Map(),
    bindingCount: 0,
    nowMs,
    nextPosition: 1,
    messageBytes: 0,
    alarms: new Set(),
    journal: [],
    journalCount: 0,
    committedCount: 0,
    isAwaited: false,
    removedAt: 0,
    deferredAnswers: [],
    confirming: new Map(),
    effects: [],
  };
}

/** Changes the broker in place and returns the effects to be carried out, in this order. */
export function stepBroker(state: BrokerState, input: BrokerInput, nowMs: number): readonly BrokerEffect[] {
  state.nowMs = Math.max(nowMs, state.nowMs);
  state.effects = [];
  if (input.kind === 'opened') {
    const { connection: id, address } = input;
    const hasRoom = makeRoomForConnection(state, address);
    const connection = newConnection(id, address, state.nowMs);
    state.connections.set(id, connection);
    if (!hasRoom) endConnection(state, connection, true);
  } else if (input.kind === 'committed') committed(state, input.journalCount);
  else if (input.kind === 'commit-failed') state.alarms.add('disk');
  else if (input.kind === 'tick') tick(state);
  else {
    const connection = state.connections.get(input.connection);
    if (connection !== undefined) serveConnection(state, connection, input);
  }
  for (const channel of state.confirming.keys()) sendConfirms(state, channel);
  checkMemory(state);
  for (const connection of state.connections.values()) applyBackpressure(state, connection);
  return state.effects;
}

/** The records to be committed, in order, and the total number of records once they are. */
export function takeJournal(state: BrokerState): {
  readonly records: readonly JournalRecord[];
  readonly journalCount: number;
} {
  const records = state.journal;
  state.journal = [];
  state.isAwaited = false;
  return { records, journalCount: state.journalCount };
}

function serveConnection(
  state: BrokerState,
  connection: ConnectionState,
  input: Extract<BrokerInput, { connection: number }>,
): void {
  switch (input.kind) {
    case 'bytes':
      receiveBytes(state, connection, input.bytes);
      return;
    case 'signed-in':
      signedIn(state, connection, input.isAdmitted);
      return;
    case 'flushed':
      flushed(state, connection, input.bytes);
      return;
    case 'fault':
      closeConnection(state, connection, fault(input.code, input.reason));
      return;
    case 'gone':
      connectionGone(state, connection);
      return;
    case 'opened':
      return;
  }
}

function flushed(state: BrokerState, connection: ConnectionState, bytes: number): void {
  connection.outstandingBytes -= bytes;
  connection.stalledSinceMs = connection.outstandingBytes > 0 ? state.nowMs : undefined;
  if (connection.outstandingBytes >= limits.amqp.outstandingBytes) return;
  readFrames(state, connection);
  const queues = new Set(
    [...connection.channels.values()].flatMap((channel) =>
      [...channel.consumers.values()].map((consumer) => consumer.queue),
    ),
  );
  for (const queue of queues) deliverReady(state, queue);
}

function committed(state: BrokerState, journalCount: number): void {
  state.committedCount = Math.max(state.committedCount, journalCount);
  state.alarms.delete('disk');
  const due = state.deferredAnswers.findIndex((each) => each.after > state.committedCount);
  const answers = state.deferredAnswers.splice(0, due < 0 ? state.deferredAnswers.length : due);
  for (const { connection, channel, answer } of answers) {
    if ('bytes' in answer) {
      channel.heldAnswers--;
      writeBytes(state, connection, answer.bytes);
      continue;
    }
    channel.unconfirmed.delete(answer.confirm);
    confirm(state, connection, channel, answer.confirm);
  }
}

/**
 * While commits fail, an answer waits only this long. Confirms keep waiting: the broker notifies publishers
 * that they are blocked.
 */
function refuseOverdueAnswers(state: BrokerState): void {
  if (!state.alarms.has('disk')) return;
  const overdue = state.deferredAnswers.filter(
    ({ answer, sinceMs }) => 'bytes' in answer && state.nowMs - sinceMs >= limits.amqp.answerMs,
  );
  const connections = new Set(overdue.map(({ connection }) => connection));
  if (connections.size === 0) return;
  state.deferredAnswers = state.deferredAnswers.filter(({ connection }) => !connections.has(connection));
  for (const connection of connections)
    closeConnection(state, connection, fault(506, 'the change could not be written to disk: low on disk'));
}

function tick(state: BrokerState): void {
  for (const queue of [...state.queues.values()]) {
    const { expiresMs } = queue.rules;
    const isUnused = queue.consumers.length === 0;
    if (expiresMs !== undefined && isUnused && queue.usedAtMs + expiresMs <= state.nowMs)
      removeQueue(state, queue);
    else expire(state, queue);
  }
  refuseOverdueAnswers(state);
  for (const connection of state.connections.values()) checkDeadlines(state, connection);
}

/** Deadlines and heartbeats of one connection. */
function checkDeadlines(state: BrokerState, connection: ConnectionState): void {
  const { phase, heartbeatMs, stalledSinceMs, isPaused } = connection;
  const sever = (reason: string) => {
    const who = connection.user === '' ? connection.address : connection.user;
    state.effects.push({ kind: 'warn', who, reason, message: 'An AMQP connection was severed.' });
    endConnection(state, connection, true);
  };
  if (phase === 'ended') return;
  if (phase !== 'running' && state.nowMs >= connection.deadlineMs) {
    sever(phase === 'closing' ? 'its close was not answered' : 'the handshake took too long');
    return;
  }
  if (stalledSinceMs !== undefined && state.nowMs - stalledSinceMs >= limits.amqp.stalledMs) {
    sever('it read nothing for too long');
    return;
  }
  if (phase !== 'running' || heartbeatMs === 0) return;
  // While reading is paused, its heartbeats are not read either.
  if (!isPaused && state.nowMs - connection.readAtMs > limits.amqp.silentIntervals * heartbeatMs) {
    sever('its heartbeat stopped');
    return;
  }
  if (state.nowMs - connection.wroteAtMs >= heartbeatMs / 2) writeBytes(state, connection, HEARTBEAT_FRAME);
}

function checkMemory(state: BrokerState): void {
  if (state.messageBytes >= limits.amqp.memoryBytes) state.alarms.add('memory');
  else if (state.messageBytes < limits.amqp.memoryLowBytes) state.alarms.delete('memory');
}

/**
 * Notifies clients when publishers have to wait, and pauses reading from publishers meanwhile and from
 * connections that do not read their answers.
 */
function applyBackpressure(state: BrokerState, connection: ConnectionState): void {
  if (connection.phase !== 'running') return;
  const isBlocked = state.alarms.size > 0;
  if (isBlocked !== connection.isToldBlocked && connection.capabilities.blocked) {
    connection.isToldBlocked = isBlocked;
    const reason = `low on ${[...state.alarms].join(' & ')}`;
    if (isBlocked) sendMethod(state, connection, 'connection.blocked', { reason });
    else sendMethod(state, connection, 'connection.unblocked', {});
  }
  const isFull =
    connection.outstandingBytes >= 2 * limits.amqp.outstandingBytes ||
    [...connection.channels.values()].some(
      ({ unconfirmed }) => unconfirmed.size >= limits.amqp.unconfirmedPerChannel,
    );
  const shouldPause = isFull || (isBlocked && connection.hasPublished);
  if (shouldPause === connection.isPaused) return;
  connection.isPaused = shouldPause;
  if (!shouldPause) connection.readAtMs = state.nowMs;
  state.effects.push({ kind: shouldPause ? 'pause' : 'resume', connection: connection.id });
}

/**
 * Makes room for one more connection from `address` among those that are not open. Open connections are never
 * affected: the oldest idle one is severed, first of `address` if it has reached its limit, otherwise of the
 * address that has most. False if every candidate is signing in.
 */
function makeRoomForConnection(state: BrokerState, address: string): boolean {
  const waiting = [...state.connections.values()].filter(
    ({ phase, isSevered }) => phase !== 'running' && !isSevered,
  );
  const own = waiting.filter((each) => each.address === address);
  if (own.length >= limits.amqp.waitingOfAddress) return endOldest(state, own);
  if (waiting.length < limits.amqp.waiting) return true;
  return endOldest(state, ofBusiest(waiting)) || endOldest(state, waiting);
}

function ofBusiest(waiting: readonly ConnectionState[]): readonly ConnectionState[] {
  const byAddress = Map.groupBy(waiting, ({ address }) => address);
  return [...byAddress.values()].reduce((most, each) => (each.length > most.length ? each : most), []);
}

function endOldest(state: BrokerState, candidates: readonly ConnectionState[]): boolean {
  // The check of a password has been paid for, and tune and open follow a valid one.
  const oldest = candidates.find(({ phase }) => !['signing-in', 'tune', 'open'].includes(phase));
  if (oldest === undefined) return false;
  const reason = 'it was the oldest of too many connections that had not signed in';
  if (oldest.phase !== 'ended')
    state.effects.push({
      kind: 'warn',
      who: oldest.address,
      reason,
      message: 'An AMQP connection was severed.',
    });
  endConnection(state, oldest, true);
  return true;
}
