import type { Channel, ChannelModel, ConsumeMessage, GetMessage } from 'amqplib';
import { asyncApiDocument } from '../../backend/events/asyncapi.ts';
import { EXCHANGE } from '../../backend/events/message.ts';
import { RealExchangeSession } from '../../world/real-exchange-session.ts';
import { VirtualExchangeBroker } from '../../world/virtual-exchange-broker.ts';
import {
  type MessagesDocument,
  type MessageValidator,
  makeMessageValidator,
  type PassedMessage,
} from './validator.ts';

let known: MessageValidator | undefined;
const findings: string[] = [];
/** Files of one worker share this module, and each of them asks to look. */
let isObserving = false;

/** Looks at each message of this process on its way out: to the broker of a virtual world, and to a real one. */
export function observeExchanges(): void {
  if (isObserving) return;
  isObserving = true;
  for (const { prototype } of [VirtualExchangeBroker, RealExchangeSession]) {
    const session = prototype as { publish(message: PassedMessage & { exchange: string }): unknown };
    const { publish } = session;
    session.publish = function look(this: unknown, message) {
      if (message.exchange === EXCHANGE) note(message);
      return publish.call(this, message);
    };
  }
}

/** Looks at each message of the service that a consumer in this process takes out of a queue, whoever sent it. */
export function observeConsumer(model: ChannelModel): ChannelModel {
  const createChannel = model.createChannel.bind(model);
  model.createChannel = async (...options) => observeChannel(await createChannel(...options));
  return model;
}

function observeChannel(channel: Channel): Channel {
  const consume = channel.consume.bind(channel);
  channel.consume = (queue, hear, options) =>
    consume(
      queue,
      (message) => {
        if (message !== null) noteTaken(message);
        hear(message);
      },
      options,
    );
  const get = channel.get.bind(channel);
  channel.get = async (queue, options) => {
    const message = await get(queue, options);
    if (message !== false) noteTaken(message);
    return message;
  };
  return channel;
}

function noteTaken({ fields, properties, content }: ConsumeMessage | GetMessage): void {
  if (fields.exchange !== EXCHANGE) return;
  // The library has no types for properties: what they are is what is looked at.
  const { messageId, type, timestamp, contentType, headers = {} } = properties;
  const passed = { messageId, type, timestampS: timestamp, contentType, headers } as Omit<
    PassedMessage,
    'routingKey' | 'body'
  >;
  note({ ...passed, routingKey: fields.routingKey, body: content });
}

function note(message: PassedMessage): void {
  known ??= makeMessageValidator(
    asyncApiDocument({ baseUrl: 'http://service.test' }) as unknown as MessagesDocument,
  );
  for (const finding of known.findings(message)) findings.push(`${message.routingKey}: ${finding}`);
}

/** What was found since the last call; each finding once. */
export function takeMessageFindings(): readonly string[] {
  return [...new Set(findings.splice(0))];
}
