import { type DecodedPayload, decodePayload } from '../../protocol/codec/frame.ts';
import { type Channel, parseTopic } from '../../protocol/topics.ts';

/** A payload as it came from the broker. */
export interface ReceivedPayload {
  readonly topic: string;
  readonly bytes: Uint8Array;
  readonly retained: boolean;
  readonly receivedMs: number;
}

/** A payload with its sender and its frames; or, on a topic of no box, only the bytes. */
export type InboundMessage = BoxMessage | UnattributedMessage;

export interface BoxMessage extends ReceivedPayload {
  readonly kind: 'box';
  readonly boxId: string;
  readonly channel: Exclude<Channel, 'down'>;
  readonly decoded: DecodedPayload;
}

export interface UnattributedMessage extends ReceivedPayload {
  readonly kind: 'foreign';
}

/** Decodes a payload. Total, for any topic and bytes. */
export function readInboundMessage(inbound: ReceivedPayload): InboundMessage {
  const address = parseTopic(inbound.topic);
  if (address === undefined || address.channel === 'down') return { ...inbound, kind: 'foreign' };
  return {
    ...inbound,
    kind: 'box',
    boxId: address.boxId,
    channel: address.channel,
    decoded: decodePayload(inbound.bytes),
  };
}

/** The boxes that sent the messages, each once. */
export function senderBoxIds(inboundMessages: readonly InboundMessage[]): readonly string[] {
  const boxIds = new Set<string>();
  for (const inbound of inboundMessages) if (inbound.kind === 'box') boxIds.add(inbound.boxId);
  return [...boxIds];
}

/** The requests that the messages' replies answer, each once. */
export function answeredRequestIds(inboundMessages: readonly InboundMessage[]): readonly string[] {
  const requestIds = new Set<string>();
  for (const inbound of inboundMessages) {
    if (inbound.kind !== 'box') continue;
    for (const { frame } of inbound.decoded.frames)
      if (frame.message.kind === 'reply') requestIds.add(frame.message.requestId);
  }
  return [...requestIds];
}
