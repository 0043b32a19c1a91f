import { limits } from '../limits.ts';
import { encodeAmqpFrame, encodeBody, FRAME } from './codec/frames.ts';
import { encodeMethod, type MethodArguments } from './codec/method-codec.ts';
import { METHODS, type MethodName } from './codec/methods.ts';
import { encodeContentHeader } from './codec/properties.ts';
import type { AmqpFault } from './faults.ts';
import type {
  BrokerMessage,
  BrokerState,
  ChannelState,
  ConnectionState,
  DeferredAnswer,
  JournalRecord,
} from './state.ts';

/** A method frame. */
export function methodFrame<Name extends MethodName>(
  channel: number,
  name: Name,
  args: MethodArguments<Name>,
): Uint8Array {
  return encodeAmqpFrame(FRAME.method, channel, encodeMethod(name, args));
}

/** Writes bytes to a connection, unless it has ended. */
export function writeBytes(state: BrokerState, connection: ConnectionState, bytes: Uint8Array): void {
  if (connection.phase === 'ended') return;
  connection.wroteAtMs = state.nowMs;
  connection.outstandingBytes += bytes.length;
  connection.stalledSinceMs ??= state.nowMs;
  state.effects.push({ kind: 'write', connection: connection.id, bytes });
}

/** Sends a method on channel 0. */
export function sendMethod<Name extends MethodName>(
  state: BrokerState,
  connection: ConnectionState,
  name: Name,
  args: MethodArguments<Name>,
): void {
  writeBytes(state, connection, methodFrame(0, name, args));
}

/**
 * Sends an answer on a channel once the first `after` records are on disk, and after earlier waiting answers
 * of the channel.
 */
export function sendAnswer<Name extends MethodName>(
  state: BrokerState,
  connection: ConnectionState,
  channel: ChannelState,
  name: Name,
  args: MethodArguments<Name>,
  after = 0,
): void {
  const bytes = methodFrame(channel.number, name, args);
  if (channel.heldAnswers === 0 && after <= state.committedCount) {
    writeBytes(state, connection, bytes);
    return;
  }
  channel.heldAnswers++;
  deferAnswer(state, connection, channel, { bytes });
}

/** Delays an answer until all records so far are on disk: one commit includes them all. */
export function deferAnswer(
  state: BrokerState,
  connection: ConnectionState,
  channel: ChannelState,
  answer: DeferredAnswer['answer'],
): void {
  state.isAwaited = true;
  state.deferredAnswers.push({
    after: state.journalCount,
    sinceMs: state.nowMs,
    connection,
    channel,
    answer,
  });
}

/** Sends a method followed by a message. */
export function sendMessage<Name extends 'basic.deliver' | 'basic.return' | 'basic.get-ok'>(
  state: BrokerState,
  connection: ConnectionState,
  channel: ChannelState,
  name: Name,
  args: MethodArguments<Name>,
  { properties, body }: Pick<BrokerMessage, 'properties' | 'body'>,
): void {
  const header = encodeContentHeader(properties, body.length);
  const frames = [
    methodFrame(channel.number, name, args),
    encodeAmqpFrame(FRAME.header, channel.number, header),
    ...encodeBody(channel.number, body, connection.frameMax),
  ];
  writeBytes(state, connection, Buffer.concat(frames));
}

/**
 * Notes that a publication is confirmed or refused; its publisher gets the answer at the end of the step,
 * together with the others.
 */
export function confirm(
  state: BrokerState,
  connection: ConnectionState,
  channel: ChannelState,
  tag: number,
  outcome: 'confirmed' | 'refused' = 'confirmed',
): void {
  channel[outcome].push(tag);
  state.confirming.set(channel, connection);
}

/**
 * Sends the confirms and refusals of a channel as RabbitMQ does: one `multiple` method up to the first
 * publication that is open or has the other outcome, then one method for each.
 */
export function sendConfirms(state: BrokerState, channel: ChannelState): void {
  const connection = state.confirming.get(channel);
  if (connection === undefined) return;
  state.confirming.delete(channel);
  const { confirmed, refused } = channel;
  channel.confirmed = [];
  channel.refused = [];
  const [open = Infinity] = channel.unconfirmed;
  const argumentsOf = (tags: readonly number[], [other = Infinity]: readonly number[]) => {
    const together = tags.length > 1 ? tags.filter((tag) => tag < Math.min(open, other)) : [];
    const rest = tags.slice(together.length).map((tag) => ({ deliveryTag: BigInt(tag), multiple: false }));
    const highest = together.at(-1);
    return highest === undefined ? rest : [{ deliveryTag: BigInt(highest), multiple: true }, ...rest];
  };
  for (const args of argumentsOf(confirmed, refused))
    writeBytes(state, connection, methodFrame(channel.number, 'basic.ack', args));
  for (const args of argumentsOf(refused, confirmed))
    writeBytes(state, connection, methodFrame(channel.number, 'basic.nack', { ...args, requeue: false }));
}

/**
 * Adds a record to be stored and returns its number. No answer waits for the removal of a message: it is part
 * of the next commit. If the broker crashes before, the message is delivered again.
 */
export function addToJournal(state: BrokerState, record: JournalRecord): number {
  state.journal.push(record);
  if (record.kind !== 'drop-message') state.isAwaited = true;
  return ++state.journalCount;
}

/** Closes a connection with a reason; everything it sends before its answer is ignored. */
export function closeConnection(
  state: BrokerState,
  connection: ConnectionState,
  { code, text }: AmqpFault,
  cause?: MethodName,
): void {
  if (connection.phase === 'closing' || connection.phase === 'ended') return;
  for (const channel of connection.channels.values()) sendConfirms(state, channel);
  const [classId, methodId] = cause === undefined ? [0, 0] : METHODS[cause].id;
  sendMethod(state, connection, 'connection.close', { replyCode: code, replyText: text, classId, methodId });
  connection.phase = 'closing';
  connection.deadlineMs = state.nowMs + limits.amqp.closeMs;
  // Its answer must be read, even if reading was paused.
  if (connection.isPaused) state.effects.push({ kind: 'resume', connection: connection.id });
  connection.isPaused = false;
  const who = connection.user === '' ? connection.address : connection.user;
  state.effects.push({ kind: 'warn', who, reason: text, message: 'An AMQP connection was closed.' });
}

/** Ends the socket. The server answers with `gone`. */
export function endConnection(state: BrokerState, connection: ConnectionState, isSevered: boolean): void {
  if (connection.phase === 'ended' && (connection.isSevered || !isSevered)) return;
  connection.phase = 'ended';
  connection.isSevered = isSevered;
  state.effects.push({ kind: 'end', connection: connection.id, isSevered });
}

/** A new channel with this number. */
export function newChannel(number: number): ChannelState {
  return {
    number,
    isClosing: false,
    partialPublication: undefined,
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
