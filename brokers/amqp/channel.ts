import { ack, nack, recover, recoverAsync, reject, requeueAll } from './acknowledging.ts';
import { cancel, consume, get, qos } from './basic-methods.ts';
import { type Place, reply } from './channel-context.ts';
import { endReplies } from './direct-reply.ts';
import {
  bindExchange,
  bindQueue,
  declareExchange,
  deleteExchange,
  unbindExchange,
  unbindQueue,
} from './exchange-methods.ts';
import { endsConnection, type Fault, fault } from './faults.ts';
import { FRAME, type Frame } from './frames.ts';
import { decodeMethod, type Method } from './method-codec.ts';
import { METHODS, type MethodName } from './methods.ts';
import { beginPublish, drop, noBody, noHeader, noMethod, takeBody, takeHeader } from './publishing.ts';
import { declareQueue, deleteQueue, purgeQueue } from './queue-methods.ts';
import { closeConnection, methodFrame, newChannel, sayConfirms, write } from './sending.ts';
import type { BrokerState, ChannelState, ConnectionState } from './state.ts';
import { removeConsumer } from './topology.ts';

/** A frame on any channel but 0, of a connection that is open. */
export function takeChannelFrame(state: BrokerState, connection: ConnectionState, frame: Frame): void {
  const channel = connection.channels.get(frame.channel);
  if (channel === undefined) {
    openChannel(state, connection, frame);
    return;
  }
  if (channel.isClosing) {
    takeWhileClosing(state, connection, channel, frame);
    return;
  }
  const place = { state, connection, channel };
  if (frame.type === FRAME.header) {
    closeAfterContent(place, takeHeader(place, frame.payload));
    return;
  }
  if (frame.type === FRAME.body) {
    closeAfterContent(place, takeBody(place, frame.payload));
    return;
  }
  const method = readMethod(state, connection, frame);
  if (method === undefined) return;
  if (channel.half !== undefined) {
    close(place, channel.half.header === undefined ? noHeader() : noBody(), 'basic.publish');
    return;
  }
  close(place, handle(place, method), method.name);
}

/** The method in a frame; where it cannot be read, the connection is closed. */
export function readMethod(
  state: BrokerState,
  connection: ConnectionState,
  { type, channel, payload }: Frame,
): Method | undefined {
  if (type !== FRAME.method) {
    closeConnection(state, connection, outOfPlace(type, channel, payload));
    return undefined;
  }
  const decoded = decodeMethod(payload);
  if (decoded.kind === 'method') return decoded.method;
  const ids = `class ${decoded.classId}, method ${decoded.methodId}`;
  const said =
    decoded.kind === 'unknown'
      ? fault(503, `unknown method (${ids})`)
      : fault(501, `the arguments of ${ids} cannot be read: ${decoded.reason}`);
  closeConnection(state, connection, said, decoded.kind === 'malformed' ? decoded.name : undefined);
  return undefined;
}

function outOfPlace(type: number, channel: number, payload: Uint8Array): Fault {
  if (type !== FRAME.heartbeat && channel !== 0) return noMethod();
  return type === FRAME.heartbeat && channel === 0
    ? fault(501, `a heartbeat has a payload of ${payload.length} bytes`)
    : fault(505, `a frame of type ${type} on channel ${channel} is out of place`);
}

function openChannel(state: BrokerState, connection: ConnectionState, frame: Frame): void {
  const method = readMethod(state, connection, frame);
  if (method === undefined) return;
  const { channel: number } = frame;
  // An answer to a close of ours that crossed with a close of theirs.
  if (method.name === 'channel.close-ok' || method.name === 'channel.close') {
    if (method.name === 'channel.close')
      write(state, connection, methodFrame(number, 'channel.close-ok', {}));
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
  write(state, connection, methodFrame(number, 'channel.open-ok', { reserved1: new Uint8Array() }));
}

/** Until its close is answered, a channel takes nothing else. */
function takeWhileClosing(
  state: BrokerState,
  connection: ConnectionState,
  channel: ChannelState,
  frame: Frame,
): void {
  if (frame.type !== FRAME.method) return;
  const decoded = decodeMethod(frame.payload);
  if (decoded.kind !== 'method') return;
  if (decoded.method.name === 'channel.close')
    write(state, connection, methodFrame(channel.number, 'channel.close-ok', {}));
  else if (decoded.method.name === 'channel.close-ok') connection.channels.delete(channel.number);
}

/** A frame of content that nobody began belongs to no method. */
function closeAfterContent(place: Place, said: Fault | undefined): void {
  if (said?.text === noMethod().text) closeConnection(place.state, place.connection, said);
  else close(place, said, 'basic.publish');
}

function close(place: Place, said: Fault | undefined, cause: MethodName): void {
  if (said === undefined) return;
  const { state, connection, channel } = place;
  // A consumer tag that is used twice ends the connection, as RabbitMQ has it; other refusals only the channel.
  if (endsConnection(said.code)) {
    closeConnection(state, connection, said, cause);
    return;
  }
  channel.isClosing = true;
  sayConfirms(state, channel);
  leaveChannel(state, connection, channel);
  const [classId, methodId] = METHODS[cause].id;
  const args = { replyCode: said.code, replyText: said.text, classId, methodId };
  write(state, connection, methodFrame(channel.number, 'channel.close', args));
}

/** Ends the consumers of a channel and puts back what it has not acknowledged. */
export function leaveChannel(state: BrokerState, connection: ConnectionState, channel: ChannelState): void {
  channel.isClosing = true;
  drop({ state, connection, channel });
  // First the consumers: nothing is to be handed to them again.
  const consumers = [...channel.consumers.values()];
  for (const { queue } of consumers)
    queue.consumers = queue.consumers.filter((each) => each.channel !== channel);
  endReplies(state, channel);
  requeueAll(state, channel);
  for (const consumer of consumers) removeConsumer(state, consumer);
  if (state.held.some((each) => each.channel === channel))
    state.held = state.held.filter((each) => each.channel !== channel);
}

function handle(place: Place, method: Method): Fault | undefined {
  switch (method.name) {
    case 'channel.open':
      return fault(504, "second 'channel.open' seen");
    case 'channel.close':
      sayConfirms(place.state, place.channel);
      place.connection.channels.delete(place.channel.number);
      leaveChannel(place.state, place.connection, place.channel);
      write(place.state, place.connection, methodFrame(place.channel.number, 'channel.close-ok', {}));
      return undefined;
    case 'channel.flow':
      if (!method.args.active) return fault(540, 'active=false');
      return reply(place, true, 'channel.flow-ok', { active: true });
    case 'access.request':
      return reply(place, true, 'access.request-ok', { reserved1: 1 });
    case 'exchange.declare':
      return declareExchange(place, method.args);
    case 'exchange.delete':
      return deleteExchange(place, method.args);
    case 'exchange.bind':
      return bindExchange(place, method.args);
    case 'exchange.unbind':
      return unbindExchange(place, method.args);
    case 'queue.declare':
      return declareQueue(place, method.args);
    case 'queue.bind':
      return bindQueue(place, method.args);
    case 'queue.unbind':
      return unbindQueue(place, method.args);
    case 'queue.purge':
      return purgeQueue(place, method.args);
    case 'queue.delete':
      return deleteQueue(place, method.args);
    case 'basic.qos':
      return qos(place, method.args);
    case 'basic.consume':
      return consume(place, method.args);
    case 'basic.cancel':
      return cancel(place, method.args);
    case 'basic.publish':
      beginPublish(place, method.args);
      return undefined;
    case 'basic.get':
      return get(place, method.args);
    case 'basic.ack':
      return ack(place, method.args);
    case 'basic.nack':
      return nack(place, method.args);
    case 'basic.reject':
      return reject(place, method.args);
    case 'basic.recover':
      return recover(place, method.args);
    case 'basic.recover-async':
      return recoverAsync(place, method.args);
    case 'confirm.select':
      place.channel.confirms = true;
      return reply(place, !method.args.noWait, 'confirm.select-ok', {});
    case 'tx.select':
    case 'tx.commit':
    case 'tx.rollback':
      return fault(540, 'transactions are not supported; use confirms');
    // What clients answer late.
    case 'channel.flow-ok':
      return undefined;
    default:
      return fault(503, 'unimplemented method');
  }
}
