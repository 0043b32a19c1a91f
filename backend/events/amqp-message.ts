import { messageType } from '../../contract/messages.ts';
import type { AmqpMessage } from '../../world/amqp/amqp-publisher.ts';
import type { OutgoingMessage } from '../store/port/outbox-store.ts';
import { EXCHANGE, routingKey } from './message.ts';

const encoder = new TextEncoder();

/** A message as published to the exchange: persistent, with three headers that repeat its metadata. */
export function toAmqpMessage(message: OutgoingMessage): AmqpMessage {
  const type = messageType(message.name);
  return {
    exchange: EXCHANGE,
    routingKey: routingKey(message),
    body: encoder.encode(message.body),
    messageId: message.messageId,
    type,
    timestampS: Math.floor(message.createdMs / 1000),
    contentType: 'application/json',
    headers: { 'Flow-ID': message.flowId, 'Message-Type': type, 'Message-Version': message.version },
  };
}
