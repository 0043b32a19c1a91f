import { limits } from '../limits.ts';
import { isFault, type MethodContext, refuseAccess } from './channel-context.ts';
import { TYPE_NAMES } from './codec/fields.ts';
import type { MethodArguments } from './codec/method-codec.ts';
import {
  type AmqpProperties,
  type ContentHeader,
  decodeContentHeader,
  encodeProperties,
} from './codec/properties.ts';
import { deliverReplies, withReplyName } from './direct-reply.ts';
import { type AmqpFault, describeExchange, fault, noExchange } from './faults.ts';
import { hiddenKeysOf, routingKeysOf, withoutBcc } from './further-keys.ts';
import { enqueue, hasRoom, isStoredIn, refuse } from './message-flow.ts';
import { route } from './routing.ts';
import { confirm, deferAnswer, sendMessage } from './sending.ts';
import type { BrokerMessage, PartialPublication } from './state.ts';

export const noMethod = () => fault(505, 'expected method frame, got non method frame instead');
export const noHeader = () =>
  fault(505, 'expected content header for class 60, got non content header frame instead');
export const noBody = () => fault(505, 'expected content body, got non content body frame instead');

/** basic.publish: its header and body follow in the next frames of the channel. */
export function beginPublish(
  { channel, connection }: MethodContext,
  publish: MethodArguments<'basic.publish'>,
): void {
  connection.hasPublished = true;
  channel.partialPublication = { publish, header: undefined, pieces: [], heldBytes: 0 };
}

/** A content header frame. */
export function receiveHeader(context: MethodContext, payload: Uint8Array): AmqpFault | undefined {
  const { partialPublication } = context.channel;
  if (partialPublication === undefined) return noMethod();
  if (partialPublication.header !== undefined) return noBody();
  const header = decodeContentHeader(payload);
  if ('malformed' in header) return fault(502, `the content header cannot be read: ${header.malformed}`);
  if (header.classId !== 60)
    return fault(505, `expected content header for class 60, got one for class ${header.classId} instead`);
  if (header.bodyBytes > limits.amqp.messageBytes) {
    context.channel.partialPublication = undefined;
    return fault(
      406,
      `message size ${header.bodyBytes} is larger than configured max size ${limits.amqp.messageBytes}`,
    );
  }
  partialPublication.header = header;
  return header.bodyBytes === 0 ? complete(context, partialPublication, header) : undefined;
}

/** A content body frame. */
export function receiveBody(context: MethodContext, payload: Uint8Array): AmqpFault | undefined {
  const { channel, connection } = context;
  const { partialPublication } = channel;
  if (partialPublication === undefined) return noMethod();
  if (partialPublication.header === undefined) return noHeader();
  const { bodyBytes } = partialPublication.header;
  if (partialPublication.heldBytes + payload.length > bodyBytes) {
    dropPartial(context);
    return noBody();
  }
  partialPublication.heldBytes += payload.length;
  connection.partialBytes += payload.length;
  // The pieces of an incomplete body live long: copies, so that they do not keep the stream's chunks alive.
  partialPublication.pieces.push(
    partialPublication.heldBytes < bodyBytes ? new Uint8Array(payload) : payload,
  );
  if (partialPublication.heldBytes === bodyBytes)
    return complete(context, partialPublication, partialPublication.header);
  if (connection.partialBytes > limits.amqp.partialBodyBytes)
    return fault(506, `more than ${limits.amqp.partialBodyBytes} bytes of bodies are not complete`);
  return undefined;
}

/** Discards an incomplete publication. */
export function dropPartial({ channel, connection }: MethodContext): void {
  connection.partialBytes -= channel.partialPublication?.heldBytes ?? 0;
  channel.partialPublication = undefined;
}

function complete(
  context: MethodContext,
  { publish, pieces, heldBytes }: PartialPublication,
  header: Pick<ContentHeader, 'encoded' | 'properties'>,
): AmqpFault | undefined {
  dropPartial(context);
  const body = new Uint8Array(heldBytes);
  let at = 0;
  for (const piece of pieces) {
    body.set(piece, at);
    at += piece.length;
  }
  return acceptPublication(context, publish, header, body);
}

function acceptPublication(
  context: MethodContext,
  { exchange: name, routingKey, mandatory, immediate }: MethodArguments<'basic.publish'>,
  { encoded, properties: given }: Pick<ContentHeader, 'encoded' | 'properties'>,
  body: Uint8Array,
): AmqpFault | undefined {
  const { state, channel, connection } = context;
  if (immediate) return fault(540, 'immediate=true');
  const exchange = state.exchanges.get(name);
  const refused = refuseAccess(context, 'write', 'exchange', name);
  if (refused !== undefined) return refused;
  if (exchange === undefined) return noExchange(name);
  if (exchange.internal) return fault(403, `cannot publish to internal ${describeExchange(name)}`);
  const properties = withReplyName(context, given);
  if (isFault(properties)) return properties;
  const { userId, deliveryMode = 1 } = properties;
  if (userId !== undefined && userId !== connection.user)
    return fault(406, `user_id property set to '${userId}' but authenticated user was '${connection.user}'`);
  const expirationMs = expirationOf(properties);
  if (typeof expirationMs === 'object') return expirationMs;
  const bad = ['CC', 'BCC'].find((each) => (properties.headers?.get(each)?.type ?? 'A') !== 'A');
  if (bad !== undefined) {
    const type = TYPE_NAMES[properties.headers?.get(bad)?.type ?? 'V'];
    return fault(406, `invalid message: {unacceptable_type_in_header,"${bad}",${type}}`);
  }
  if (deliveryMode !== 1 && deliveryMode !== 2)
    return fault(406, `invalid message: {delivery_mode_unknown,${deliveryMode}}`);
  const message: BrokerMessage = {
    exchange: name,
    routingKey,
    properties: withoutBcc(properties, properties === given ? encoded : encodeProperties(properties)),
    hiddenKeys: hiddenKeysOf(properties),
    body,
    isPersistent: deliveryMode === 2,
    holders: 0,
  };
  const keys = [...new Set(routingKeysOf(routingKey, properties.headers, message.hiddenKeys))];
  const queues = route(state, exchange, keys, properties.headers);
  if (name === '' && state.replyConsumers.size > 0) deliverReplies(state, keys, message);
  if (queues.length === 0 && mandatory) {
    const returnArgs = { replyCode: 312, replyText: 'NO_ROUTE', exchange: name, routingKey };
    sendMessage(state, connection, channel, 'basic.return', returnArgs, message);
  }
  for (const queue of queues) if (!hasRoom(queue, body.length)) refuse(state, queue, message);
  let isRefused = false;
  let isStored = false;
  for (const queue of queues) {
    if (queue.isDeleted) continue;
    if (hasRoom(queue, body.length)) {
      enqueue(state, queue, message, expirationMs);
      isStored ||= isStoredIn(queue, message);
    } else isRefused = true;
  }
  if (channel.confirms) settlePublication(context, isRefused, isStored);
  return undefined;
}

/**
 * Confirms once the message is on disk if it must be stored, otherwise at the end of this step; or refuses.
 */
function settlePublication(
  { state, channel, connection }: MethodContext,
  isRefused: boolean,
  isStored: boolean,
): void {
  const tag = channel.nextPublishTag++;
  if (isRefused || !isStored) {
    confirm(state, connection, channel, tag, isRefused ? 'refused' : 'confirmed');
    return;
  }
  channel.unconfirmed.add(tag);
  deferAnswer(state, connection, channel, { confirm: tag });
}

function expirationOf({ expiration }: AmqpProperties): number | undefined | AmqpFault {
  if (expiration === undefined) return undefined;
  const refused = (reason: string) => fault(406, `invalid expiration '${expiration}': ${reason}`);
  const [, digits, rest] = /^([+-]?\d{1,30})(.*)$/s.exec(expiration) ?? [];
  if (digits === undefined) return refused('no_integer');
  if (rest !== '') return refused(`{leftover_string,"${rest}"}`);
  const expirationMs = BigInt(digits);
  if (expirationMs < 0n) return refused(`{value_negative,${expirationMs}}`);
  return expirationMs > limits.amqp.longestTtlMs
    ? refused(`{value_too_large,${expirationMs}}`)
    : Number(expirationMs);
}
