import { ack, nack, recover, recoverAsync, reject, requeueAll } from './acknowledging.ts';
import { cancel, consume, get, qos } from './basic-methods.ts';
import { type MethodContext, reply } from './channel-context.ts';
import { type AmqpFrame, FRAME } from './codec/frames.ts';
import { type AmqpMethod, decodeMethod } from './codec/method-codec.ts';
import { METHODS, type MethodName } from './codec/methods.ts';
import { endReplies } from './direct-reply.ts';
import {
  bindExchange,
  bindQueue,
  declareExchange,
  deleteExchange,
  unbindExchange,
  unbindQueue,
} from './exchange-methods.ts';
import { type AmqpFault, endsConnection, fault } from './faults.ts';
import {
  beginPublish,
  dropPartial,
  noBody,
  noHeader,
  noMethod,
  receiveBody,
  receiveHeader,
} from './publishing.ts';
import { declareQueue, deleteQueue, purgeQueue } from './queue-methods.ts';
import { closeConnection, methodFrame, newChannel, sendConfirms, writeBytes } from './sending.ts';
import type { BrokerState, ChannelState, ConnectionState } from './state.ts';
import { removeConsumer, removeQueue } from './topology.ts';

/** Handles a frame on any channel but 0 of an open connection. */
export function handleChannelFrame(state: BrokerState, connection: ConnectionState, frame: AmqpFrame): void {
  const channel = connection.channels.get(frame.channel);
  if (channel === undefined) {
    openChannel(state, connection, frame);
    return;
  }
  if (channel.isClosing) {
    handleWhileClosing(state, connection, channel, frame);
    return;
  }
  const context = { state, connection, channel };
  if (frame.type === FRAME.header) {
    closeAfterContent(context, receiveHeader(context, frame.payload));
    return;
  }
  if (frame.type === FRAME.body) {
    closeAfterContent(context, receiveBody(context, frame.payload));
    return;
  }
  const method = readMethod(state, connection, frame);
  if (method === undefined) return;
  if (channel.partialPublication !== undefined) {
    close(context, channel.partialPublication.header === undefined ? noHeader() : noBody(), 'basic.publish');
    return;
  }
  close(context, handleMethod(context, method), method.name);
}

/** The method in a frame; if it cannot be read, the connection is closed. */
export function readMethod(
  state: BrokerState,
  connection: ConnectionState,
  { type, channel, payload }: AmqpFrame,
): AmqpMethod | undefined {
  if (type !== FRAME.method) {
    closeConnection(state, connection, unexpectedFrame(type, channel, payload));
    return undefined;
  }
  const decoded = decodeMethod(payload);
  if (decoded.kind === 'method') return decoded.method;
  const ids = `class ${decoded.classId}, method ${decoded.methodId}`;
  const refusal =
    decoded.kind === 'unknown'
      ? fault(503, `unknown method (${ids})`)
      : fault(501, `the arguments of ${ids} cannot be read: ${decoded.reason}`);
  closeConnection(state, connection, refusal, decoded.kind === 'malformed' ? decoded.name : undefined);
  return undefined;
}

function unexpectedFrame(type: number, channel: number, payload: Uint8Array): AmqpFault {
  if (type !== FRAME.heartbeat && channel !== 0) return noMethod();
  return type === FRAME.heartbeat && channel === 0
    ? fault(501, `a heartbeat has a payload of ${payload.length} bytes`)
    : fault(505, `a frame of type ${type} on channel ${channel} is out of place`);
}

function openChannel(state: BrokerState, connection: ConnectionState, frame: AmqpFrame): void {
  const method = readMethod(state, connection, frame);
  if (method === undefined) return;
  const { channel: number } = frame;
  // The answer to our close, or a close of the client's that crossed it.
  if (method.name === 'channel.close-ok' || method.name === 'channel.close') {
    if (method.name === 'channel.close')
      writeBytes(state, connection, methodFrame(number, 'channel.close-ok', {}));
    return;
  }
  if (method.name !== 'channel.open') {
    closeConnection(state, connection, fault(504, "expected 'channel.open'"), method.name);
    return;
  }
  if (connection.channels.size >= connection.channelMax) {
    const reason = `number of channels opened (${connection.channels.size}) has reached the negotiated channel_max (${connection.channelMax})`;
    closeConnection(state, connection, fault(530, reason), method.name);
    return;
  }
  connection.channels.set(number, newChannel(number));
  writeBytes(state, connection, methodFrame(number, 'channel.open-ok', { reserved1: new Uint8Array() }));
}

/** Until its close is answered, a channel ignores everything else. */
function handleWhileClosing(
  state: BrokerState,
  connection: ConnectionState,
  channel: ChannelState,
  frame: AmqpFrame,
): void {
  if (frame.type !== FRAME.method) return;
  const decoded = decodeMethod(frame.payload);
  if (decoded.kind !== 'method') return;
  if (decoded.method.name === 'channel.close')
    writeBytes(state, connection, methodFrame(channel.number, 'channel.close-ok', {}));
  else if (decoded.method.name === 'channel.close-ok') connection.channels.delete(channel.number);
}

/** A content frame without a method. */
function closeAfterContent(context: MethodContext, refusal: AmqpFault | undefined): void {
  if (refusal?.text === noMethod().text) closeConnection(context.state, context.connection, refusal);
  else close(context, refusal, 'basic.publish');
}

function close(context: MethodContext, refusal: AmqpFault | undefined, cause: MethodName): void {
  if (refusal === undefined) return;
  const { state, connection, channel } = context;
  // As in RabbitMQ, a consumer tag that is used twice ends the connection; other refusals only close the
  // channel.
  if (endsConnection(refusal.code)) {
    closeConnection(state, connection, refusal, cause);
    return;
  }
  channel.isClosing = true;
  sendConfirms(state, channel);
  releaseChannel(state, connection, channel);
  const [classId, methodId] = METHODS[cause].id;
  const args = { replyCode: refusal.code, replyText: refusal.text, classId, methodId };
  writeBytes(state, connection, methodFrame(channel.number, 'channel.close', args));
}

/** Takes the consumers of a channel off their queues: nothing more is delivered to them. */
export function withholdConsumers(channel: ChannelState): void {
  for (const { queue } of channel.consumers.values())
    queue.consumers = queue.consumers.filter((each) => each.channel !== channel);
}

/** Ends the consumers of a channel and requeues what it has not acknowledged. */
export function releaseChannel(state: BrokerState, connection: ConnectionState, channel: ChannelState): void {
  channel.isClosing = true;
  dropPartial({ state, connection, channel });
  // First the consumers, so that nothing is delivered to them again.
  const consumers = [...channel.consumers.values()];
  withholdConsumers(channel);
  endReplies(state, channel);
  // As in RabbitMQ, a queue that ends with its last consumer does not get back what that one held.
  for (const { queue } of consumers)
    if (queue.autoDelete && queue.consumers.length === 0) removeQueue(state, queue);
  requeueAll(state, channel);
  for (const consumer of consumers) removeConsumer(state, consumer);
  if (state.deferredAnswers.some((each) => each.channel === channel))
    state.deferredAnswers = state.deferredAnswers.filter((each) => each.channel !== channel);
}

function handleMethod(context: MethodContext, method: AmqpMethod): AmqpFault | undefined {
  switch (method.name) {
    case 'channel.open':
      return fault(504, "second 'channel.open' seen");
    case 'channel.close':
      sendConfirms(context.state, context.channel);
      context.connection.channels.delete(context.channel.number);
      releaseChannel(context.state, context.connection, context.channel);
      writeBytes(
        context.state,
        context.connection,
        methodFrame(context.channel.number, 'channel.close-ok', {}),
      );
      return undefined;
    case 'channel.flow':
      if (!method.args.active) return fault(540, 'active=false');
      return reply(context, true, 'channel.flow-ok', { active: true });
    case 'access.request':
      return reply(context, true, 'access.request-ok', { reserved1: 1 });
    case 'exchange.declare':
      return declareExchange(context, method.args);
    case 'exchange.delete':
      return deleteExchange(context, method.args);
    case 'exchange.bind':
      return bindExchange(context, method.args);
    case 'exchange.unbind':
      return unbindExchange(context, method.args);
    case 'queue.declare':
      return declareQueue(context, method.args);
    case 'queue.bind':
      return bindQueue(context, method.args);
    case 'queue.unbind':
      return unbindQueue(context, method.args);
    case 'queue.purge':
      return purgeQueue(context, method.args);
    case 'queue.delete':
      return deleteQueue(context, method.args);
    case 'basic.qos':
      return qos(context, method.args);
    case 'basic.consume':
      return consume(context, method.args);
    case 'basic.cancel':
      return cancel(context, method.args);
    case 'basic.publish':
      beginPublish(context, method.args);
      return undefined;
    case 'basic.get':
      return get(context, method.args);
    case 'basic.ack':
      return ack(context, method.args);
    case 'basic.nack':
      return nack(context, method.args);
    case 'basic.reject':
      return reject(context, method.args);
    case 'basic.recover':
      return recover(context, method.args);
    case 'basic.recover-async':
      return recoverAsync(context, method.args);
    case 'confirm.select':
      context.channel.confirms = true;
      return reply(context, !method.args.noWait, 'confirm.select-ok', {});
    case 'tx.select':
    case 'tx.commit':
    case 'tx.rollback':
      return fault(540, 'transactions are not supported; use confirms');
    // A late answer of a client.
    case 'channel.flow-ok':
      return undefined;
    default:
      return fault(503, 'unimplemented method');
  }
}
