import { z } from 'zod';
import { LIMITS } from '../../../contract/limits.ts';
import { MESSAGES, type MessageName, messageType, queueName, TOPICS } from '../../../contract/messages.ts';
import type { QueueAddress } from '../../events/accounts.ts';
import EXAMPLES from '../../events/asyncapi-examples.json' with { type: 'json' };
import { EXCHANGE } from '../../events/message.ts';
import { MESSAGE_SCHEMAS } from '../../events/message-table.ts';
import { plainSchemas } from './plain-schemas.ts';
import { withTitles } from './schema-titles.ts';

/** A part of the document, or a JSON schema in it. */
type Part = Readonly<Record<string, unknown>>;

const INFO = {
  title: 'Vehicle Telematics Service: Messages',
  // The version of the interface as a whole; each message also has its own version.
  version: '1.0',
  description: [
    'Vehicle states and detected events, as messages in queues (AMQP 0-9-1). A subscription, created with',
    'POST /message-subscriptions, names the queues and the credentials. Each message is delivered at least once, and for',
    'each vehicle in the order in which its reports were stored; a repeated one has the same message_id. Consumers must',
    'ignore properties that they do not know.',
  ].join(' '),
  license: { name: 'MIT' },
  tags: [{ name: 'Vehicles', description: 'Vehicle states, changes of vehicle data, and detected events.' }],
};

/** The port of amqps, and the default virtual host. */
const USUAL = { port: 5671, virtualHost: '/' } as const;
const BINDING_VERSION = '0.3.0';

/** A message that a consumer took out of a queue; test/support/openapi/record-examples.ts recorded it. */
export interface RecordedMessage {
  readonly name: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly payload: unknown;
}

/** The addresses that the document contains. */
export interface AsyncApiFacts {
  /** Of the HTTP interface, without a trailing slash. */
  readonly baseUrl: string;
  /** Where consumers connect; absent: only the answer to a subscription has it. */
  readonly broker?: QueueAddress | undefined;
}

/**
 * The AsyncAPI 3.0 document of all messages: from the schemas that describe them, and with examples that a consumer
 * received.
 */
export function asyncApiDocument({ baseUrl, broker }: AsyncApiFacts): Part {
  const virtualHost = broker?.virtualHost ?? USUAL.virtualHost;
  const byTopic = <T>(part: (row: (typeof TOPICS)[number]) => readonly [string, T]) =>
    Object.fromEntries(TOPICS.map(part));
  return {
    asyncapi: '3.0.0',
    info: { ...INFO, externalDocs: { description: 'The HTTP interface.', url: `${baseUrl}/openapi.json` } },
    defaultContentType: 'application/json',
    servers: { broker: server(broker) },
    channels: {
      ...byTopic(({ topic, message }) => [topic, queueChannel(topic, message, virtualHost)]),
      ...byTopic(({ message }) => [message, exchangeChannel(message, virtualHost)]),
    },
    operations: {
      ...byTopic(({ topic, message }) => [
        `deliver${message}`,
        operation(topic, message, 'Delivered to the consumers of the queue, until it is acknowledged.', {
          ack: true,
        }),
      ]),
      ...byTopic(({ message }) => [
        `publish${message}`,
        operation(message, message, 'Published to the exchange, which routes it to the queues.', {
          deliveryMode: 2,
          timestamp: true,
          mandatory: true,
        }),
      ]),
    },
    components: {
      messages: byTopic(({ message }) => [message, messageObject(message)]),
      schemas: byTopic(({ message }) => [message, withTitles(jsonSchema(MESSAGE_SCHEMAS[message]), message)]),
      correlationIds: {
        flow: { description: 'The flow that the message is part of.', location: '$message.header#/Flow-ID' },
      },
      securitySchemes: {
        account: {
          type: 'userPassword',
          description: 'As they were returned, once, when the subscription was created.',
        },
      },
    },
  };
}

function server(broker: QueueAddress | undefined): Part {
  return {
    host: '{host}:{port}',
    protocol: 'amqps',
    protocolVersion: '0.9.1',
    pathname: '/{virtual_host}',
    description: 'Host, port and virtual host are in the answer to the subscription.',
    variables: {
      host: broker === undefined ? { examples: ['broker.example'] } : { default: broker.host },
      port: { default: String(broker?.port ?? USUAL.port) },
      // As in the path of an amqps URL: a slash would end it.
      virtual_host: { default: encodeURIComponent(broker?.virtualHost ?? USUAL.virtualHost) },
    },
    security: [{ $ref: '#/components/securitySchemes/account' }],
  };
}

/** The queue of a subscription, which is what consumers read. */
function queueChannel(topic: string, message: MessageName, vhost: string): Part {
  const address = queueName(topic, '{queue_discriminator}');
  return {
    address,
    title: topic,
    description: `${message} of all vehicles of the fleet.`,
    servers: [{ $ref: '#/servers/broker' }],
    parameters: {
      queue_discriminator: {
        description: 'Chosen with the subscription: 1 to 64 of A-Z a-z 0-9 . _ -',
        examples: ['demo'],
      },
    },
    messages: { [message]: { $ref: `#/components/messages/${message}` } },
    bindings: {
      amqp: {
        is: 'queue',
        queue: { name: address, durable: true, exclusive: false, autoDelete: false, vhost },
        'x-queue-arguments': { 'x-message-ttl': LIMITS.subscription.messageTtlMs },
        'x-bound-to': { exchange: EXCHANGE, type: 'topic', routing_key: `{fleet_id}.${message}` },
        bindingVersion: BINDING_VERSION,
      },
    },
  };
}

/** Where the service publishes to; the queues are bound to it. */
function exchangeChannel(message: MessageName, vhost: string): Part {
  return {
    address: `{fleet_id}.${message}`,
    title: `${message} at the exchange`,
    description: `The routing key at the exchange ${EXCHANGE}, to which the queues are bound.`,
    servers: [{ $ref: '#/servers/broker' }],
    parameters: {
      fleet_id: {
        description: 'The fleet that owns the vehicle.',
        location: '$message.payload#/data/fleet_id',
      },
    },
    messages: { [message]: { $ref: `#/components/messages/${message}` } },
    bindings: {
      amqp: {
        is: 'routingKey',
        exchange: { name: EXCHANGE, type: 'topic', durable: true, autoDelete: false, vhost },
        bindingVersion: BINDING_VERSION,
      },
    },
  };
}

function operation(channel: string, message: MessageName, description: string, amqp: Part): Part {
  return {
    action: 'send',
    channel: { $ref: `#/channels/${channel}` },
    summary: MESSAGES[message].about,
    description,
    messages: [{ $ref: `#/channels/${channel}/messages/${message}` }],
    bindings: { amqp: { ...amqp, bindingVersion: BINDING_VERSION } },
  };
}

function messageObject(name: MessageName): Part {
  const examples = (EXAMPLES as readonly RecordedMessage[]).filter((message) => message.name === name);
  const { version, about } = MESSAGES[name];
  return {
    name: messageType(name),
    title: `${name} ${version}`,
    summary: about,
    contentType: 'application/json',
    correlationId: { $ref: '#/components/correlationIds/flow' },
    headers: withTitles(headersSchema(name, version), `${name}Headers`),
    payload: { $ref: `#/components/schemas/${name}` },
    bindings: { amqp: { messageType: messageType(name), bindingVersion: BINDING_VERSION } },
    examples: examples.map(({ headers, payload }) => ({ headers, payload })),
  };
}

/** The headers of ours are strings, equal to what the metadata say; a broker may add its own. */
function headersSchema(name: MessageName, version: string): Part {
  return {
    type: 'object',
    properties: {
      'Flow-ID': { type: 'string', description: 'Equal to metadata.flow_id.' },
      'Message-Type': { type: 'string', const: messageType(name) },
      'Message-Version': { type: 'string', const: version },
      'x-delivery-count': {
        type: 'integer',
        description:
          'Added by the broker where a message of a quorum queue is delivered again: how often it was before.',
      },
    },
    required: ['Flow-ID', 'Message-Type', 'Message-Version'],
  };
}

function jsonSchema(schema: z.ZodType): Part {
  // AsyncAPI's own dialect is a superset of draft 7, and is the default of a schema without $schema.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7' });
  return plainSchemas(rest);
}
