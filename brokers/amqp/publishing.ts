import { isFault, type Place, refusal } from './channel-context.ts';
import { deliverReplies, withReplyName } from './direct-reply.ts';
import { exchangeIn, type Fault, fault, noExchange } from './faults.ts';
import { type Field, TYPE_NAMES, textOf } from './fields.ts';
import { limits } from './limits.ts';
import { enqueue, hasRoom, isKept } from './message-flow.ts';
import type { Arguments } from './method-codec.ts';
import { type ContentHeader, decodeContentHeader, encodeProperties, type Properties } from './properties.ts';
import { route } from './routing.ts';
import { confirm, holdBack, sendMessage } from './sending.ts';
import type { HalfReceived, Message } from './state.ts';

export const noMethod = () => fault(505, 'expected method frame, got non method frame instead');
export const noHeader = () =>
  fault(505, 'expected content header for class 60, got non content header frame instead');
export const noBody = () => fault(505, 'expected content body, got non content body frame instead');

/** basic.publish: its header and body come in the next frames of the channel. */
export function beginPublish({ channel, connection }: Place, publish: Arguments<'basic.publish'>): void {
  connection.hasPublished = true;
  channel.half = { publish, header: undefined, pieces: [], heldBytes: 0 };
}

/** A content header frame. */
export function takeHeader(place: Place, payload: Uint8Array): Fault | undefined {
  const { half } = place.channel;
  if (half === undefined) return noMethod();
  if (half.header !== undefined) return noBody();
  const header = decodeContentHeader(payload);
  if ('malformed' in header) return fault(502, `the content header cannot be read: ${header.malformed}`);
  if (header.classId !== 60)
    return fault(505, `expected content header for class 60, got one for class ${header.classId} instead`);
  if (header.bodyBytes > limits.messageBytes) {
    place.channel.half = undefined;
    return fault(
      406,
      `message size ${header.bodyBytes} is larger than configured max size ${limits.messageBytes}`,
    );
  }
  half.header = header;
  return header.bodyBytes === 0 ? complete(place, half, header) : undefined;
}

/** A content body frame. */
export function takeBody(place: Place, payload: Uint8Array): Fault | undefined {
  const { channel, connection } = place;
  const { half } = channel;
  if (half === undefined) return noMethod();
  if (half.header === undefined) return noHeader();
  const { bodyBytes } = half.header;
  if (half.heldBytes + payload.length > bodyBytes) {
    drop(place);
    return noBody();
  }
  half.heldBytes += payload.length;
  connection.halfReceivedBytes += payload.length;
  // A body that goes on keeps its pieces for long: they must not keep the stream that they were cut from.
  half.pieces.push(half.heldBytes < bodyBytes ? new Uint8Array(payload) : payload);
  if (half.heldBytes === bodyBytes) return complete(place, half, half.header);
  if (connection.halfReceivedBytes > limits.halfReceivedBytes)
    return fault(506, `more than ${limits.halfReceivedBytes} bytes of bodies are not complete`);
  return undefined;
}

/** Gives up what came of a publication. */
export function drop({ channel, connection }: Place): void {
  connection.halfReceivedBytes -= channel.half?.heldBytes ?? 0;
  channel.half = undefined;
}

function complete(
  place: Place,
  { publish, pieces, heldBytes }: HalfReceived,
  header: Pick<ContentHeader, 'encoded' | 'properties'>,
): Fault | undefined {
  drop(place);
  const body = new Uint8Array(heldBytes);
  let at = 0;
  for (const piece of pieces) {
    body.set(piece, at);
    at += piece.length;
  }
  return accept(place, publish, header, body);
}

function accept(
  place: Place,
  { exchange: name, routingKey, mandatory, immediate }: Arguments<'basic.publish'>,
  { encoded, properties: given }: Pick<ContentHeader, 'encoded' | 'properties'>,
  body: Uint8Array,
): Fault | undefined {
  const { state, channel, connection } = place;
  if (immediate) return fault(540, 'immediate=true');
  const exchange = state.exchanges.get(name);
  const refused = refusal(place, 'write', 'exchange', name);
  if (refused !== undefined) return refused;
  if (exchange === undefined) return noExchange(name);
  if (exchange.internal) return fault(403, `cannot publish to internal ${exchangeIn(name)}`);
  const properties = withReplyName(place, given);
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
  const message: Message = {
    exchange: name,
    routingKey,
    properties: withoutBcc(properties, properties === given ? encoded : encodeProperties(properties)),
    body,
    isPersistent: deliveryMode === 2,
    holders: 0,
  };
  const keys = keysOf(routingKey, properties);
  const queues = route(state, exchange, keys, properties.headers);
  if (name === '' && state.replyConsumers.size > 0) deliverReplies(state, keys, message);
  if (queues.length === 0 && mandatory) {
    const said = { replyCode: 312, replyText: 'NO_ROUTE', exchange: name, routingKey };
    sendMessage(state, connection, channel, 'basic.return', said, message);
  }
  let isRefused = false;
  let isStored = false;
  for (const queue of queues) {
    if (queue.isDeleted) continue;
    if (hasRoom(queue, body.length)) {
      enqueue(state, queue, message, expirationMs);
      isStored ||= message.isPersistent && isKept(queue);
    } else isRefused = true;
  }
  if (channel.confirms) judge(place, isRefused, isStored);
  return undefined;
}

/** Says yes once the message is on disk, where it must be, and with this step where it need not; or no with it. */
function judge({ state, channel, connection }: Place, isRefused: boolean, isStored: boolean): void {
  const tag = channel.nextPublishTag++;
  if (isRefused || !isStored) {
    confirm(state, connection, channel, tag, isRefused ? 'refused' : 'confirmed');
    return;
  }
  channel.unconfirmed.add(tag);
  holdBack(state, connection, channel, { confirm: tag });
}

function expirationOf({ expiration }: Properties): number | undefined | Fault {
  if (expiration === undefined) return undefined;
  const refused = (reason: string) => fault(406, `invalid expiration '${expiration}': ${reason}`);
  const [, digits, rest] = /^([+-]?\d{1,30})(.*)$/s.exec(expiration) ?? [];
  if (digits === undefined) return refused('no_integer');
  if (rest !== '') return refused(`{leftover_string,"${rest}"}`);
  const expirationMs = BigInt(digits);
  if (expirationMs < 0n) return refused(`{value_negative,${expirationMs}}`);
  return expirationMs > limits.longestTtlMs
    ? refused(`{value_too_large,${expirationMs}}`)
    : Number(expirationMs);
}

/** RabbitMQ's sender-selected distribution: further routing keys in the headers CC and BCC. */
function keysOf(routingKey: string, { headers }: Properties): readonly string[] {
  if (headers === undefined) return [routingKey];
  const more = ['CC', 'BCC'].flatMap((name) => texts(headers.get(name)));
  return more.length === 0 ? [routingKey] : [...new Set([routingKey, ...more])];
}

function texts(field: Field | undefined): readonly string[] {
  return field?.type === 'A' ? field.value.map(textOf).filter((each) => each !== undefined) : [];
}

/** BCC is for the broker alone. */
function withoutBcc(properties: Properties, encoded: Uint8Array): Uint8Array {
  if (properties.headers?.has('BCC') !== true) return encoded;
  const headers = new Map(properties.headers);
  headers.delete('BCC');
  return encodeProperties({ ...properties, headers });
}
