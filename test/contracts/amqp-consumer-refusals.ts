import type { Refusal } from '../support/amqp/refusal-script.ts';

/**
 * Refusals on a channel, in the words of RabbitMQ 3.10. The embedded broker sends the same unless the row
 * names a difference.
 */
export const REFUSALS: readonly Refusal[] = [
  {
    name: 'a missing queue, declared as passive',
    steps: [['queue.declare', { queue: '~no', passive: true }]],
    says: "channel 404 NOT_FOUND - no queue '~no' in vhost '/' (50.10)",
  },
  {
    name: 'a missing queue, read',
    steps: [['basic.get', { queue: '~no' }]],
    says: "channel 404 NOT_FOUND - no queue '~no' in vhost '/' (60.70)",
  },
  {
    name: 'a missing queue, consumed',
    steps: [['basic.consume', { queue: '~no' }]],
    says: "channel 404 NOT_FOUND - no queue '~no' in vhost '/' (60.20)",
  },
  {
    name: 'a missing queue, purged',
    steps: [['queue.purge', { queue: '~no' }]],
    says: "channel 404 NOT_FOUND - no queue '~no' in vhost '/' (50.30)",
  },
  { name: 'a missing queue, deleted', steps: [['queue.delete', { queue: '~no' }]], says: 'queue.delete-ok' },
  {
    name: 'a missing queue, bound',
    steps: [['queue.bind', { queue: '~no', exchange: 'amq.topic' }]],
    says: "channel 404 NOT_FOUND - no queue '~no' in vhost '/' (50.20)",
  },
  {
    name: 'a missing exchange, bound to',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true }],
      ['queue.bind', { queue: '~q', exchange: '~no' }],
    ],
    says: "channel 404 NOT_FOUND - no exchange '~no' in vhost '/' (50.20)",
  },
  {
    name: 'a missing queue bound to a missing exchange',
    steps: [['queue.bind', { queue: '~no', exchange: '~no' }]],
    says: "channel 404 NOT_FOUND - no exchange '~no' in vhost '/' (50.20)",
  },
  {
    name: 'a missing queue, unbound',
    steps: [['queue.unbind', { queue: '~no', exchange: 'amq.topic' }]],
    says: 'queue.unbind-ok',
  },
  {
    name: 'a missing exchange, unbound from',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true }],
      ['queue.unbind', { queue: '~q', exchange: '~no' }],
    ],
    says: 'queue.unbind-ok',
  },
  {
    name: 'a missing exchange, published to',
    steps: [{ publish: { exchange: '~no', routingKey: 'k' } }],
    says: "channel 404 NOT_FOUND - no exchange '~no' in vhost '/' (60.40)",
  },
  {
    name: 'a missing exchange, declared as passive',
    steps: [['exchange.declare', { exchange: '~no', type: 'topic', autoDelete: true, passive: true }]],
    says: "channel 404 NOT_FOUND - no exchange '~no' in vhost '/' (40.10)",
  },
  {
    name: 'a missing exchange, deleted',
    steps: [['exchange.delete', { exchange: '~no' }]],
    says: 'exchange.delete-ok',
  },
  {
    name: 'a missing exchange bound to one',
    steps: [['exchange.bind', { destination: '~no', source: 'amq.topic' }]],
    says: "channel 404 NOT_FOUND - no exchange '~no' in vhost '/' (40.30)",
  },
  {
    name: 'an exchange bound to a missing one',
    steps: [['exchange.bind', { destination: 'amq.topic', source: '~no' }]],
    says: "channel 404 NOT_FOUND - no exchange '~no' in vhost '/' (40.30)",
  },
  {
    name: 'a missing exchange, unbound',
    steps: [['exchange.unbind', { destination: '~no', source: 'amq.topic' }]],
    says: 'exchange.unbind-ok',
  },
  {
    name: 'the last queue, where there was none',
    steps: [['basic.get', { queue: '' }]],
    says: 'channel 404 NOT_FOUND - no previously declared queue (60.70)',
  },
  {
    name: 'the last queue deleted, where there was none',
    steps: [['queue.delete', { queue: '' }]],
    says: 'channel 404 NOT_FOUND - no previously declared queue (50.40)',
  },
  {
    name: 'a queue of another connection, declared',
    steps: [
      { other: ['queue.declare', { queue: '~q', exclusive: true }] },
      ['queue.declare', { queue: '~q' }],
    ],
    says: "channel 405 RESOURCE_LOCKED - cannot obtain exclusive access to locked queue '~q' in vhost '/'. It could be originally declared on another connection or the exclusive property value does not match that of the original declaration. (50.10)",
  },
  {
    name: 'a queue of another connection, read',
    steps: [{ other: ['queue.declare', { queue: '~q', exclusive: true }] }, ['basic.get', { queue: '~q' }]],
    says: "channel 405 RESOURCE_LOCKED - cannot obtain exclusive access to locked queue '~q' in vhost '/'. It could be originally declared on another connection or the exclusive property value does not match that of the original declaration. (60.70)",
  },
  {
    name: 'a queue of another connection, deleted',
    steps: [
      { other: ['queue.declare', { queue: '~q', exclusive: true }] },
      ['queue.delete', { queue: '~q' }],
    ],
    says: "channel 405 RESOURCE_LOCKED - cannot obtain exclusive access to locked queue '~q' in vhost '/'. It could be originally declared on another connection or the exclusive property value does not match that of the original declaration. (50.40)",
  },
  {
    name: 'a queue of another connection, bound',
    steps: [
      { other: ['queue.declare', { queue: '~q', exclusive: true }] },
      ['queue.bind', { queue: '~q', exchange: 'amq.topic' }],
    ],
    says: "channel 405 RESOURCE_LOCKED - cannot obtain exclusive access to locked queue '~q' in vhost '/'. It could be originally declared on another connection or the exclusive property value does not match that of the original declaration. (50.20)",
  },
  {
    name: 'an exclusive queue, declared as shared',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true }],
      ['queue.declare', { queue: '~q' }],
    ],
    says: "channel 405 RESOURCE_LOCKED - cannot obtain exclusive access to locked queue '~q' in vhost '/'. It could be originally declared on another connection or the exclusive property value does not match that of the original declaration. (50.10)",
  },
  {
    name: 'an exclusive queue is not durable',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true, durable: true }],
      ['queue.declare', { queue: '~q', exclusive: true }],
    ],
    says: 'queue.declare-ok',
  },
  {
    name: 'a queue declared again with auto-delete',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true }],
      ['queue.declare', { queue: '~q', exclusive: true, autoDelete: true }],
    ],
    says: "channel 406 PRECONDITION_FAILED - inequivalent arg 'auto_delete' for queue '~q' in vhost '/': received 'true' but current is 'false' (50.10)",
  },
  {
    name: 'a queue with a reserved name',
    steps: [['queue.declare', { queue: 'amq.mine' }]],
    says: "channel 403 ACCESS_REFUSED - queue name 'amq.mine' contains reserved prefix 'amq.*' (50.10)",
  },
  {
    name: 'an exchange with a reserved name',
    steps: [['exchange.declare', { exchange: 'amq.mine', type: 'topic', autoDelete: true }]],
    says: "channel 403 ACCESS_REFUSED - exchange name 'amq.mine' contains reserved prefix 'amq.*' (40.10)",
  },
  {
    name: 'an exchange of an unknown type',
    steps: [['exchange.declare', { exchange: '~x', type: 'weird', autoDelete: true }]],
    says: "connection 503 COMMAND_INVALID - unknown exchange type 'weird' (40.10)",
  },
  {
    name: 'an exchange declared again with another type',
    steps: [
      ['exchange.declare', { exchange: '~x', type: 'topic', autoDelete: true }],
      ['exchange.declare', { exchange: '~x', type: 'direct', autoDelete: true }],
    ],
    says: "channel 406 PRECONDITION_FAILED - inequivalent arg 'type' for exchange '~x' in vhost '/': received 'direct' but current is 'topic' (40.10)",
  },
  {
    name: 'an exchange declared again as durable',
    steps: [
      ['exchange.declare', { exchange: '~x', type: 'topic', autoDelete: true }],
      ['exchange.declare', { exchange: '~x', type: 'topic', autoDelete: true, durable: true }],
    ],
    says: "channel 406 PRECONDITION_FAILED - inequivalent arg 'durable' for exchange '~x' in vhost '/': received 'true' but current is 'false' (40.10)",
  },
  {
    name: 'an exchange declared again without auto-delete',
    steps: [
      ['exchange.declare', { exchange: '~x', type: 'topic', autoDelete: true }],
      ['exchange.declare', { exchange: '~x', type: 'topic', autoDelete: false }],
    ],
    says: "channel 406 PRECONDITION_FAILED - inequivalent arg 'auto_delete' for exchange '~x' in vhost '/': received 'false' but current is 'true' (40.10)",
  },
  {
    name: 'an exchange declared again as internal',
    steps: [
      ['exchange.declare', { exchange: '~x', type: 'topic', autoDelete: true }],
      ['exchange.declare', { exchange: '~x', type: 'topic', autoDelete: true, internal: true }],
    ],
    says: "channel 406 PRECONDITION_FAILED - inequivalent arg 'internal' for exchange '~x' in vhost '/': received 'true' but current is 'false' (40.10)",
  },
  {
    name: 'an exchange declared again with an alternate',
    steps: [
      ['exchange.declare', { exchange: '~x', type: 'topic', autoDelete: true }],
      [
        'exchange.declare',
        {
          exchange: '~x',
          type: 'topic',
          autoDelete: true,
          arguments: { 'alternate-exchange': 'amq.fanout' },
        },
      ],
    ],
    says: "channel 406 PRECONDITION_FAILED - inequivalent arg 'alternate-exchange' for exchange '~x' in vhost '/': received the value 'amq.fanout' of type 'longstr' but current is none (40.10)",
  },
  {
    name: 'an alternate exchange that is no text',
    steps: [
      [
        'exchange.declare',
        { exchange: '~x', type: 'topic', autoDelete: true, arguments: { 'alternate-exchange': 4 } },
      ],
    ],
    says: "channel 406 PRECONDITION_FAILED - invalid type 'signedint' for arg 'alternate-exchange' in exchange '~x' in vhost '/' (40.10)",
  },
  {
    name: 'the default exchange, declared',
    steps: [['exchange.declare', { exchange: '', type: 'topic', autoDelete: true }]],
    says: 'channel 403 ACCESS_REFUSED - operation not permitted on the default exchange (40.10)',
  },
  {
    name: 'the default exchange, declared as passive',
    steps: [['exchange.declare', { exchange: '', type: 'topic', autoDelete: true, passive: true }]],
    says: 'channel 403 ACCESS_REFUSED - operation not permitted on the default exchange (40.10)',
  },
  {
    name: 'the default exchange, deleted',
    steps: [['exchange.delete', { exchange: '' }]],
    says: 'channel 403 ACCESS_REFUSED - operation not permitted on the default exchange (40.20)',
  },
  {
    name: 'the default exchange, bound to',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true }],
      ['queue.bind', { queue: '~q', exchange: '' }],
    ],
    says: 'channel 403 ACCESS_REFUSED - operation not permitted on the default exchange (50.20)',
  },
  {
    name: 'the default exchange, bound',
    steps: [['exchange.bind', { destination: 'amq.topic', source: '' }]],
    says: 'channel 403 ACCESS_REFUSED - operation not permitted on the default exchange (40.30)',
  },
  {
    name: 'a system exchange, deleted',
    steps: [['exchange.delete', { exchange: 'amq.topic' }]],
    says: "channel 403 ACCESS_REFUSED - deletion of system exchange 'amq.topic' in vhost '/' not allowed (40.20)",
  },
  {
    name: 'an exchange that is used, deleted if unused',
    steps: [
      ['exchange.declare', { exchange: '~x', type: 'topic', autoDelete: true }],
      ['queue.declare', { queue: '~q', exclusive: true }],
      ['queue.bind', { queue: '~q', exchange: '~x' }],
      ['exchange.delete', { exchange: '~x', ifUnused: true }],
    ],
    says: "channel 406 PRECONDITION_FAILED - exchange '~x' in vhost '/' in use (40.20)",
  },
  {
    name: 'an internal exchange, published to',
    steps: [
      ['exchange.declare', { exchange: '~x', type: 'topic', autoDelete: true, internal: true }],
      { publish: { exchange: '~x' } },
    ],
    says: "channel 403 ACCESS_REFUSED - cannot publish to internal exchange '~x' in vhost '/' (60.40)",
  },
  {
    name: 'a queue that is used, deleted if unused',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true }],
      ['basic.consume', { queue: '~q', consumerTag: 't' }],
      ['queue.delete', { queue: '~q', ifUnused: true }],
    ],
    says: "channel 406 PRECONDITION_FAILED - queue '~q' in vhost '/' in use (50.40)",
  },
  {
    name: 'a queue that holds something, deleted if empty',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true }],
      ['confirm.select'],
      { publish: { routingKey: '~q' } },
      { next: 1 },
      ['queue.delete', { queue: '~q', ifEmpty: true }],
    ],
    says: "channel 406 PRECONDITION_FAILED - queue '~q' in vhost '/' not empty (50.40)",
  },
  {
    name: 'a match of headers that is unknown',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true }],
      ['queue.bind', { queue: '~q', exchange: 'amq.headers', arguments: { 'x-match': 'some' } }],
    ],
    says: 'channel 406 PRECONDITION_FAILED - Invalid x-match field value <<"some">>; expected all, any, all-with-x, or any-with-x (50.20)',
  },
  {
    name: 'a match of headers that is no text',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true }],
      ['queue.bind', { queue: '~q', exchange: 'amq.headers', arguments: { 'x-match': 5 } }],
    ],
    says: 'channel 406 PRECONDITION_FAILED - Invalid x-match field type signedint (value 5); expected longstr (50.20)',
  },
];
