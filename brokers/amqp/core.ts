import { gone, newConnection, readFrames, signedIn, takeBytes } from './connection.ts';
import { systemExchanges } from './exchange-methods.ts';
import { type Code, fault } from './faults.ts';
import { HEARTBEAT_FRAME } from './frames.ts';
import { limits } from './limits.ts';
import { expire, pump } from './message-flow.ts';
import { closeConnection, end, methodFrame, say, write } from './sending.ts';
import type { BrokerState, ChannelState, ConnectionState, Effect, Entrance, Services } from './state.ts';
import { removeQueue } from './topology.ts';

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
    bindingCount: 0,
    nowMs,
    nextPosition: 1,
    messageBytes: 0,
    alarms: new Set(),
    journal: [],
    entered: 0,
    committed: 0,
    held: [],
    effects: [],
  };
}

/** Changes the broker in place and returns what is to be done, in this order. */
export function step(state: BrokerState, input: Input, nowMs: number): readonly Effect[] {
  state.nowMs = Math.max(nowMs, state.nowMs);
  state.effects = [];
  if (input.kind === 'opened') {
    const { connection, address } = input;
    state.connections.set(connection, newConnection(connection, address, state.nowMs));
  } else if (input.kind === 'committed') committed(state, input.entered);
  else if (input.kind === 'commit-failed') state.alarms.add('disk');
  else if (input.kind === 'tick') tick(state);
  else {
    const connection = state.connections.get(input.connection);
    if (connection !== undefined) turn(state, connection, input);
  }
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
  const confirmed = new Map<ChannelState, { connection: ConnectionState; tags: number[] }>();
  for (const { connection, channel, word } of said) {
    if ('bytes' in word) {
      channel.heldAnswers--;
      write(state, connection, word.bytes);
      continue;
    }
    const tags = confirmed.get(channel) ?? { connection, tags: [] };
    tags.tags.push(word.confirm);
    confirmed.set(channel, tags);
  }
  for (const [channel, { connection, tags }] of confirmed) confirm(state, connection, channel, tags);
}

/** Confirms publications: in one word where none before them is still open. */
function confirm(
  state: BrokerState,
  connection: ConnectionState,
  channel: ChannelState,
  tags: readonly number[],
): void {
  for (const tag of tags) channel.unconfirmed.delete(tag);
  const highest = tags.at(-1) ?? 0;
  const [open = Infinity] = channel.unconfirmed;
  const isOneWord = tags.length > 1 && highest < open;
  for (const tag of isOneWord ? [highest] : tags) {
    const args = { deliveryTag: BigInt(tag), multiple: isOneWord };
    write(state, connection, methodFrame(channel.number, 'basic.ack', args));
  }
}

function tick(state: BrokerState): void {
  for (const queue of [...state.queues.values()]) {
    const { expiresMs } = queue.rules;
    const isUnused = queue.consumers.length === 0;
    if (expiresMs !== undefined && isUnused && queue.usedAtMs + expiresMs <= state.nowMs)
      removeQueue(state, queue);
    else expire(state, queue);
  }
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
