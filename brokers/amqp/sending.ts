import type { Fault } from './faults.ts';
import { encodeBody, encodeFrame, FRAME } from './frames.ts';
import { limits } from './limits.ts';
import { type Arguments, encodeMethod } from './method-codec.ts';
import { METHODS, type MethodName } from './methods.ts';
import { encodeContentHeader } from './properties.ts';
import type { BrokerState, ChannelState, ConnectionState, Entrance, Message } from './state.ts';

/** A method frame. */
export function methodFrame<Name extends MethodName>(
  channel: number,
  name: Name,
  args: Arguments<Name>,
): Uint8Array {
  return encodeFrame(FRAME.method, channel, encodeMethod(name, args));
}

/** Writes bytes to a connection, unless it is over. */
export function write(state: BrokerState, connection: ConnectionState, bytes: Uint8Array): void {
  if (connection.phase === 'ended') return;
  connection.wroteAtMs = state.nowMs;
  connection.outstandingBytes += bytes.length;
  connection.stalledSinceMs ??= state.nowMs;
  state.effects.push({ kind: 'write', connection: connection.id, bytes });
}

/** Sends a method on channel 0. */
export function say<Name extends MethodName>(
  state: BrokerState,
  connection: ConnectionState,
  name: Name,
  args: Arguments<Name>,
): void {
  write(state, connection, methodFrame(0, name, args));
}

/** Sends a method that answers one on a channel: once all that was entered so far for the channel is on disk. */
export function answer<Name extends MethodName>(
  state: BrokerState,
  connection: ConnectionState,
  channel: ChannelState,
  name: Name,
  args: Arguments<Name>,
  when: 'now' | 'when-stored' = 'now',
): void {
  const bytes = methodFrame(channel.number, name, args);
  const isStored = state.committed >= state.entered;
  if (channel.heldAnswers === 0 && (when === 'now' || isStored)) {
    write(state, connection, bytes);
    return;
  }
  channel.heldAnswers++;
  state.held.push({ after: state.entered, connection, channel, word: { bytes } });
}

/** Sends a method with a message behind it. */
export function sendMessage<Name extends 'basic.deliver' | 'basic.return' | 'basic.get-ok'>(
  state: BrokerState,
  connection: ConnectionState,
  channel: ChannelState,
  name: Name,
  args: Arguments<Name>,
  { properties, body }: Pick<Message, 'properties' | 'body'>,
): void {
  const header = encodeContentHeader(properties, body.length);
  const frames = [
    methodFrame(channel.number, name, args),
    encodeFrame(FRAME.header, channel.number, header),
    ...encodeBody(channel.number, body, connection.frameMax),
  ];
  write(state, connection, Buffer.concat(frames));
}

/** Notes what is to be on disk. */
export function enter(state: BrokerState, entrance: Entrance): void {
  state.journal.push(entrance);
  state.entered++;
}

/** Closes a connection with a reason; what it sends until its answer is passed over. */
export function closeConnection(
  state: BrokerState,
  connection: ConnectionState,
  { code, text }: Fault,
  cause?: MethodName,
): void {
  if (connection.phase === 'closing' || connection.phase === 'ended') return;
  const [classId, methodId] = cause === undefined ? [0, 0] : METHODS[cause].id;
  say(state, connection, 'connection.close', { replyCode: code, replyText: text, classId, methodId });
  connection.phase = 'closing';
  connection.deadlineMs = state.nowMs + limits.closeMs;
  const who = connection.user === '' ? connection.address : connection.user;
  state.effects.push({ kind: 'warn', who, reason: text, message: 'An AMQP connection was closed.' });
}

/** Ends the socket. The edge answers with `gone`. */
export function end(state: BrokerState, connection: ConnectionState, isSevered: boolean): void {
  if (connection.phase === 'ended') return;
  connection.phase = 'ended';
  state.effects.push({ kind: 'end', connection: connection.id, isSevered });
}

/** The channel that a connection has under this number. */
export function newChannel(number: number): ChannelState {
  return {
    number,
    isClosing: false,
    half: undefined,
    lastQueue: undefined,
    prefetch: 0,
    channelPrefetch: 0,
    nextDeliveryTag: 1,
    unacknowledged: new Map(),
    consumerUnacknowledged: 0,
    consumers: new Map(),
    confirms: false,
    nextPublishTag: 1,
    unconfirmed: new Set(),
    heldAnswers: 0,
  };
}
