import type { Channel, ChannelModel, ConsumeMessage, GetMessage } from 'amqplib';
import { EXCHANGE } from '../../../backend/events/message.ts';
import { asyncApiDocument } from '../../../backend/http/openapi/asyncapi.ts';
import {
  type MessagesDocument,
  type MessageValidator,
  makeMessageValidator,
  type ObservedMessage,
} from '../../../judge/certify/message-validator.ts';
import { RealAmqpPublisherSession } from '../../../world/amqp/real-amqp-publisher-session.ts';
import { VirtualAmqpBroker } from '../../../world/amqp/virtual-amqp-broker.ts';

let known: MessageValidator | undefined;
const findings: string[] = [];
/** Files of one worker share this module, and each of them starts the observation. */
let isObserving = false;

/** Checks each message that this process publishes, to the virtual and to a real broker. */
export function observePublishers(): void {
  if (isObserving) return;
  isObserving = true;
  for (const { prototype } of [VirtualAmqpBroker, RealAmqpPublisherSession]) {
    const session = prototype as { publish(message: ObservedMessage & { exchange: string }): unknown };
    const { publish } = session;
    session.publish = function look(this: unknown, message) {
      if (message.exchange === EXCHANGE) note(message);
      return publish.call(this, message);
    };
  }
}

/** Checks each message of the service that a consumer in this process receives, whichever process sent it. */
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
  // The library has no types for properties; they are checked here.
  const { messageId, type, timestamp, contentType, headers = {} } = properties;
  const passed = { messageId, type, timestampS: timestamp, contentType, headers } as Omit<
    ObservedMessage,
    'routingKey' | 'body'
  >;
  note({ ...passed, routingKey: fields.routingKey, body: content });
}

function note(message: ObservedMessage): void {
  known ??= makeMessageValidator(
    asyncApiDocument({ baseUrl: 'http://service.test' }) as unknown as MessagesDocument,
  );
  for (const finding of known.findings(message)) findings.push(`${message.routingKey}: ${finding}`);
}

/** The findings since the last call; each once. */
export function takeMessageFindings(): readonly string[] {
  return [...new Set(findings.splice(0))];
}
