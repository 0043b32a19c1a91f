import type { Fault } from './faults.ts';
import { encodeBody, encodeFrame, FRAME } from './frames.ts';
import { limits } from './limits.ts';
import { type Arguments, encodeMethod } from './method-codec.ts';
import { METHODS, type MethodName } from './methods.ts';
import { encodeContentHeader } from './properties.ts';
import type { BrokerState, ChannelState, ConnectionState, Entrance, Held, Message } from './state.ts';

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

/**
 * Sends a method that answers one on a channel: once the first `after` entrances are on disk, and behind the answers
 * of the channel that wait too.
 */
export function answer<Name extends MethodName>(
  state: BrokerState,
  connection: ConnectionState,
  channel: ChannelState,
  name: Name,
  args: Arguments<Name>,
  after = 0,
): void {
  const bytes = methodFrame(channel.number, name, args);
  if (channel.heldAnswers === 0 && after <= state.committed) {
    write(state, connection, bytes);
    return;
  }
  channel.heldAnswers++;
  holdBack(state, connection, channel, { bytes });
}

/** Keeps a word back until all that was entered so far is on disk: one commit takes all of it. */
export function holdBack(
  state: BrokerState,
  connection: ConnectionState,
  channel: ChannelState,
  word: Held['word'],
): void {
  state.isAwaited = true;
  state.held.push({ after: state.entered, sinceMs: state.nowMs, connection, channel, word });
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

/** A publication is confirmed or refused; its publisher is told at the end of the step, together with the others. */
export function confirm(
  state: BrokerState,
  connection: ConnectionState,
  channel: ChannelState,
  tag: number,
  verdict: 'confirmed' | 'refused' = 'confirmed',
): void {
  channel[verdict].push(tag);
  state.confirming.set(channel, connection);
}

/**
 * Tells a publisher what is confirmed and what is refused, as RabbitMQ does: in one word up to the first publication
 * that is open or of the other kind, and one by one beyond it.
 */
export function sayConfirms(state: BrokerState, channel: ChannelState): void {
  const connection = state.confirming.get(channel);
  if (connection === undefined) return;
  state.confirming.delete(channel);
  const { confirmed, refused } = channel;
  channel.confirmed = [];
  channel.refused = [];
  const [open = Infinity] = channel.unconfirmed;
  const words = (tags: readonly number[], [other = Infinity]: readonly number[]) => {
    const together = tags.length > 1 ? tags.filter((tag) => tag < Math.min(open, other)) : [];
    const rest = tags.slice(together.length).map((tag) => ({ deliveryTag: BigInt(tag), multiple: false }));
    const highest = together.at(-1);
    return highest === undefined ? rest : [{ deliveryTag: BigInt(highest), multiple: true }, ...rest];
  };
  for (const args of words(confirmed, refused))
    write(state, connection, methodFrame(channel.number, 'basic.ack', args));
  for (const args of words(refused, confirmed))
    write(state, connection, methodFrame(channel.number, 'basic.nack', { ...args, requeue: false }));
}

/**
 * Notes what is to be on disk, and gives its number. That a message is gone nobody waits for: it goes with the next
 * commit. Should the broker die before, the message comes again.
 */
export function enter(state: BrokerState, entrance: Entrance): number {
  state.journal.push(entrance);
  if (entrance.kind !== 'drop-message') state.isAwaited = true;
  return ++state.entered;
}

/** Closes a connection with a reason; what it sends until its answer is passed over. */
export function closeConnection(
  state: BrokerState,
  connection: ConnectionState,
  { code, text }: Fault,
  cause?: MethodName,
): void {
  if (connection.phase === 'closing' || connection.phase === 'ended') return;
  for (const channel of connection.channels.values()) sayConfirms(state, channel);
  const [classId, methodId] = cause === undefined ? [0, 0] : METHODS[cause].id;
  say(state, connection, 'connection.close', { replyCode: code, replyText: text, classId, methodId });
  connection.phase = 'closing';
  connection.deadlineMs = state.nowMs + limits.closeMs;
  // Its answer is to be read, whatever it was held back for.
  if (connection.isPaused) state.effects.push({ kind: 'resume', connection: connection.id });
  connection.isPaused = false;
  const who = connection.user === '' ? connection.address : connection.user;
  state.effects.push({ kind: 'warn', who, reason: text, message: 'An AMQP connection was closed.' });
}

/** Ends the socket. The edge answers with `gone`. */
export function end(state: BrokerState, connection: ConnectionState, isSevered: boolean): void {
  if (connection.phase === 'ended' && (connection.isSevered || !isSevered)) return;
  connection.phase = 'ended';
  connection.isSevered = isSevered;
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
    confirmed: [],
    refused: [],
    replyConsumer: undefined,
    heldAnswers: 0,
  };
}
