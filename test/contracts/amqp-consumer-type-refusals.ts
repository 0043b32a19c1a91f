import type { AmqpStep, Refusal } from '../support/amqp/refusal-script.ts';

/** Arguments of another type of queue, with a value that would be valid there. */
const MISPLACED: readonly (readonly [
  arg: string,
  value: string | number,
  ...types: ('classic' | 'quorum')[],
])[] = [
  ['x-max-priority', 5, 'quorum'],
  ['x-queue-mode', 'lazy', 'quorum'],
  ['x-queue-version', 1, 'quorum'],
  ['x-queue-master-locator', 'client-local', 'quorum'],
  ['x-delivery-limit', 3, 'classic'],
  ['x-dead-letter-strategy', 'at-most-once', 'classic'],
  ['x-max-in-memory-length', 5, 'classic'],
  ['x-max-in-memory-bytes', 5, 'classic'],
  ['x-queue-leader-locator', 'client-local', 'classic'],
  ['x-quorum-initial-group-size', 3, 'classic'],
  ['x-initial-cluster-size', 1, 'classic', 'quorum'],
  ['x-max-age', '1h', 'classic', 'quorum'],
  ['x-stream-max-segment-size-bytes', 1_000, 'classic', 'quorum'],
];

const consume = (args: Readonly<Record<string, string | number | boolean>>): readonly AmqpStep[] => [
  ['queue.declare', { queue: '~q', exclusive: true }],
  ['basic.consume', { queue: '~q', arguments: args }],
];
const publish = (properties: Readonly<Record<string, number | string>>): readonly AmqpStep[] => [
  ['confirm.select'],
  { publish: { routingKey: '~no' }, properties },
];

/**
 * Invalid arguments for a type of queue, a consumer or a message, and invalid methods of a connection, in the
 * words of RabbitMQ 3.10.
 */
export const TYPE_REFUSALS: readonly Refusal[] = [
  ...MISPLACED.flatMap(([arg, value, ...types]) =>
    types.map((type) => ({
      name: `a ${type} queue with ${arg}`,
      steps: [
        [
          'queue.declare',
          {
            queue: '~q',
            durable: type === 'quorum',
            exclusive: type === 'classic',
            arguments: { 'x-queue-type': type, [arg]: value },
          },
        ] as const,
      ],
      says: `channel 406 PRECONDITION_FAILED - invalid arg '${arg}' for queue '~q' in vhost '/' of queue type rabbit_${type}_queue (50.10)`,
    })),
  ),
  {
    name: 'a consumer with the offset of a stream',
    steps: consume({ 'x-stream-offset': 'first' }),
    says: "channel 406 PRECONDITION_FAILED - invalid arg 'x-stream-offset' for queue '~q' in vhost '/' of queue type rabbit_classic_queue (60.20)",
  },
  {
    name: 'a consumer with a priority that is no number',
    steps: consume({ 'x-priority': 'high' }),
    says: `channel 406 PRECONDITION_FAILED - invalid arg 'x-priority' for queue '~q' in vhost '/': "expected integer, got longstr" (60.20)`,
  },
  {
    name: 'a consumer with a wish about mirrors that is no yes or no',
    steps: consume({ 'x-cancel-on-ha-failover': 'yes' }),
    says: "channel 406 PRECONDITION_FAILED - invalid arg 'x-cancel-on-ha-failover' for queue '~q' in vhost '/': {unacceptable_type,longstr} (60.20)",
  },
  {
    name: 'a consumer with a priority and an argument that nobody knows',
    steps: consume({ 'x-priority': 5, 'x-cancel-on-ha-failover': true, constructor: 1 }),
    says: 'basic.consume-ok',
  },
  {
    name: 'an exclusive consumer of a queue with a single active one',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-single-active-consumer': true } }],
      ['basic.consume', { queue: '~q', exclusive: true }],
    ],
    says: "channel 403 ACCESS_REFUSED - queue '~q' in vhost '/' in exclusive use (60.20)",
  },
  {
    name: 'a message that is neither transient nor persistent',
    steps: publish({ deliveryMode: 3 }),
    says: 'channel 406 PRECONDITION_FAILED - invalid message: {delivery_mode_unknown,3} (60.40)',
  },
  {
    name: 'a message of somebody else with an expiration that cannot be read',
    steps: publish({ userId: 'other', expiration: 'soon' }),
    says: "channel 406 PRECONDITION_FAILED - user_id property set to 'other' but authenticated user was 'guest' (60.40)",
  },
  {
    name: 'a message of unknown mode with an expiration that cannot be read',
    steps: publish({ deliveryMode: 3, expiration: 'soon' }),
    says: "channel 406 PRECONDITION_FAILED - invalid expiration 'soon': no_integer (60.40)",
  },
  {
    name: 'a new secret for the connection',
    steps: [{ on: 0, method: 'connection.update-secret', args: { reason: 'it was time' } }],
    says: 'connection.update-secret-ok',
  },
  {
    name: 'a new secret on a channel',
    steps: [['connection.update-secret', { reason: 'it was time' }]],
    says: 'connection 503 COMMAND_INVALID - unimplemented method (10.70)',
  },
  {
    name: 'the answer to a new secret, by a client',
    steps: [{ on: 0, method: 'connection.update-secret-ok' }],
    says: 'connection 504 CHANNEL_ERROR - unexpected method in connection state running (10.71)',
  },
  {
    name: 'a transaction begun',
    steps: [['tx.select']],
    says: '90.11',
    embedded: {
      says: 'connection 540 NOT_IMPLEMENTED - transactions are not supported; use confirms (90.10)',
      because: 'transactions',
    },
  },
  {
    name: 'the exchange of traced messages, looked for',
    steps: [['exchange.declare', { exchange: 'amq.rabbitmq.trace', type: 'topic', passive: true }]],
    says: 'exchange.declare-ok',
    embedded: {
      says: "channel 404 NOT_FOUND - no exchange 'amq.rabbitmq.trace' in vhost '/' (40.10)",
      because: 'no-tracing',
    },
  },
  {
    name: 'a version of a queue that there is none of',
    steps: [['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-queue-version': 9 } }]],
    says: `channel 406 PRECONDITION_FAILED - invalid arg 'x-queue-version' for queue '~q' in vhost '/': "unsupported queue version '9'" (50.10)`,
    embedded: { says: 'queue.declare-ok', because: 'values-without-effect' },
  },
];
