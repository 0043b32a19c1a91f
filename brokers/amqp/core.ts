import { gone, newConnection, readFrames, signedIn, takeBytes } from './connection.ts';
import { systemExchanges } from './exchange-methods.ts';
import { type Code, fault } from './faults.ts';
import { HEARTBEAT_FRAME } from './frames.ts';
import { limits } from './limits.ts';
import { expire, pump } from './message-flow.ts';
import { closeConnection, confirm, end, say, sayConfirms, write } from './sending.ts';
import type { BrokerState, ConnectionState, Effect, Entrance, Services } from './state.ts';
import { removeQueue } from './topology.ts';
import { makeRoom } from './waiting-room.ts';

/** What happens to the broker from outside. Times are milliseconds of any clock that does not go back. */
export type Input =
  | { readonly kind: 'opened'; readonly connection: number; readonly address: string }
  | { readonly kind: 'bytes'; readonly connection: number; readonly bytes: Uint8Array }
  /** The answer to an `authenticate`. */
  | { readonly kind: 'signed-in'; readonly connection: number; readonly isAdmitted: boolean }
  /** The peer took so many of the bytes that were written. */
  | { readonly kind: 'flushed'; readonly connection: number; readonly bytes: number }
  /** Its socket is gone, whoever ended it. */
  | { readonly kind: 'gone'; readonly connection: number }
  /** The first `entered` entrances are on disk. */
  | { readonly kind: 'committed'; readonly entered: number }
  /** A commit failed and will be tried again. */
  | { readonly kind: 'commit-failed' }
  /** A fault of ours while this connection was served, or (320) the end of the broker. */
  | { readonly kind: 'fault'; readonly connection: number; readonly code: Code; readonly reason: string }
  | { readonly kind: 'tick' };

export function newBroker(services: Services, nowMs: number): BrokerState {
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
    entered: 0,
    committed: 0,
    isAwaited: false,
    removedAt: 0,
    held: [],
    confirming: new Map(),
    effects: [],
  };
}

/** Changes the broker in place and returns what is to be done, in this order. */
export function step(state: BrokerState, input: Input, nowMs: number): readonly Effect[] {
  state.nowMs = Math.max(nowMs, state.nowMs);
  state.effects = [];
  if (input.kind === 'opened') {
    const { connection: id, address } = input;
    const hasRoom = makeRoom(state, address);
    const connection = newConnection(id, address, state.nowMs);
    state.connections.set(id, connection);
    if (!hasRoom) end(state, connection, true);
  } else if (input.kind === 'committed') committed(state, input.entered);
  else if (input.kind === 'commit-failed') state.alarms.add('disk');
  else if (input.kind === 'tick') tick(state);
  else {
    const connection = state.connections.get(input.connection);
    if (connection !== undefined) turn(state, connection, input);
  }
  for (const channel of state.confirming.keys()) sayConfirms(state, channel);
  watchMemory(state);
  for (const connection of state.connections.values()) regulate(state, connection);
  return state.effects;
}

/** What is to be committed: entrances in order, and their number since the beginning when they all are. */
export function takeJournal(state: BrokerState): {
  readonly entrances: readonly Entrance[];
  readonly entered: number;
} {
  const entrances = state.journal;
  state.journal = [];
  state.isAwaited = false;
  return { entrances, entered: state.entered };
}

function turn(
  state: BrokerState,
  connection: ConnectionState,
  input: Extract<Input, { connection: number }>,
): void {
  switch (input.kind) {
    case 'bytes':
      takeBytes(state, connection, input.bytes);
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
      gone(state, connection);
      return;
    case 'opened':
      return;
  }
}

function flushed(state: BrokerState, connection: ConnectionState, bytes: number): void {
  connection.outstandingBytes -= bytes;
  connection.stalledSinceMs = connection.outstandingBytes > 0 ? state.nowMs : undefined;
  if (connection.outstandingBytes >= limits.outstandingBytes) return;
  readFrames(state, connection);
  const queues = new Set(
    [...connection.channels.values()].flatMap((channel) =>
      [...channel.consumers.values()].map((consumer) => consumer.queue),
    ),
  );
  for (const queue of queues) pump(state, queue);
}

function committed(state: BrokerState, entered: number): void {
  state.committed = Math.max(state.committed, entered);
  if (state.journal.length === 0) state.alarms.delete('disk');
  const due = state.held.findIndex((each) => each.after > state.committed);
  const said = state.held.splice(0, due < 0 ? state.held.length : due);
  for (const { connection, channel, word } of said) {
    if ('bytes' in word) {
      channel.heldAnswers--;
      write(state, connection, word.bytes);
      continue;
    }
    channel.unconfirmed.delete(word.confirm);
    confirm(state, connection, channel, word.confirm);
  }
}

/** While commits fail an answer waits only so long; confirms wait on, as publishers are told to. */
function giveUpAnswers(state: BrokerState): void {
  if (!state.alarms.has('disk')) return;
  const overdue = state.held.filter(
    ({ word, sinceMs }) => 'bytes' in word && state.nowMs - sinceMs >= limits.answerMs,
  );
  const connections = new Set(overdue.map(({ connection }) => connection));
  if (connections.size === 0) return;
  state.held = state.held.filter(({ connection }) => !connections.has(connection));
  for (const connection of connections)
    closeConnection(state, connection, fault(506, 'what was asked for is not written down: low on disk'));
}

function tick(state: BrokerState): void {
  for (const queue of [...state.queues.values()]) {
    const { expiresMs } = queue.rules;
    const isUnused = queue.consumers.length === 0;
    if (expiresMs !== undefined && isUnused && queue.usedAtMs + expiresMs <= state.nowMs)
      removeQueue(state, queue);
    else expire(state, queue);
  }
  giveUpAnswers(state);
  for (const connection of state.connections.values()) watch(state, connection);
}

/** Deadlines and heartbeats of one connection. */
function watch(state: BrokerState, connection: ConnectionState): void {
  const { phase, heartbeatMs, stalledSinceMs, isPaused } = connection;
  const sever = (reason: string) => {
    const who = connection.user === '' ? connection.address : connection.user;
    state.effects.push({ kind: 'warn', who, reason, message: 'An AMQP connection was severed.' });
    end(state, connection, true);
  };
  if (phase === 'ended') return;
  if (phase !== 'running' && state.nowMs >= connection.deadlineMs) {
    sever(phase === 'closing' ? 'its close was not answered' : 'the handshake took too long');
    return;
  }
  if (stalledSinceMs !== undefined && state.nowMs - stalledSinceMs >= limits.stalledMs) {
    sever('it took nothing of what was written to it');
    return;
  }
  if (phase !== 'running' || heartbeatMs === 0) return;
  // While nothing is read, its heartbeats are not read either.
  if (!isPaused && state.nowMs - connection.readAtMs > 2 * heartbeatMs) {
    sever('its heartbeat stopped');
    return;
  }
  if (state.nowMs - connection.wroteAtMs >= heartbeatMs / 2) write(state, connection, HEARTBEAT_FRAME);
}

function watchMemory(state: BrokerState): void {
  if (state.messageBytes >= limits.memoryBytes) state.alarms.add('memory');
  else if (state.messageBytes < limits.memoryLowBytes) state.alarms.delete('memory');
}

/** Says when publishers have to wait, and reads nothing from who publishes meanwhile or does not take its answers. */
function regulate(state: BrokerState, connection: ConnectionState): void {
  if (connection.phase !== 'running') return;
  const isBlocked = state.alarms.size > 0;
  if (isBlocked !== connection.isToldBlocked && connection.capabilities.blocked) {
    connection.isToldBlocked = isBlocked;
    const reason = `low on ${[...state.alarms].join(' & ')}`;
    if (isBlocked) say(state, connection, 'connection.blocked', { reason });
    else say(state, connection, 'connection.unblocked', {});
  }
  const isFull =
    connection.outstandingBytes >= 2 * limits.outstandingBytes ||
    [...connection.channels.values()].some(
      ({ unconfirmed }) => unconfirmed.size >= limits.unconfirmedPerChannel,
    );
  const shouldPause = isFull || (isBlocked && connection.hasPublished);
  if (shouldPause === connection.isPaused) return;
  connection.isPaused = shouldPause;
  if (!shouldPause) connection.readAtMs = state.nowMs;
  state.effects.push({ kind: shouldPause ? 'pause' : 'resume', connection: connection.id });
}
