import type { Refusal } from '../support/amqp/refusal-script.ts';

/**
 * Refusals of arguments, in the words of RabbitMQ 3.10. The embedded broker sends the same unless the row
 * names a difference.
 */
export const ARGUMENT_REFUSALS: readonly Refusal[] = [
  {
    name: 'x-message-ttl that is no number',
    steps: [['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-message-ttl': 'a' } }]],
    says: "channel 406 PRECONDITION_FAILED - invalid arg 'x-message-ttl' for queue '~q' in vhost '/': \"expected integer, got longstr\" (50.10)",
  },
  {
    name: 'x-message-ttl below zero',
    steps: [['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-message-ttl': -1 } }]],
    says: "channel 406 PRECONDITION_FAILED - invalid arg 'x-message-ttl' for queue '~q' in vhost '/': {value_negative,-1} (50.10)",
  },
  {
    name: 'x-expires of zero',
    steps: [['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-expires': 0 } }]],
    says: "channel 406 PRECONDITION_FAILED - invalid arg 'x-expires' for queue '~q' in vhost '/': {value_zero,0} (50.10)",
  },
  {
    name: 'x-expires below zero',
    steps: [['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-expires': -4 } }]],
    says: "channel 406 PRECONDITION_FAILED - invalid arg 'x-expires' for queue '~q' in vhost '/': {value_negative,-4} (50.10)",
  },
  {
    name: 'x-max-length below zero',
    steps: [['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-max-length': -1 } }]],
    says: "channel 406 PRECONDITION_FAILED - invalid arg 'x-max-length' for queue '~q' in vhost '/': {value_negative,-1} (50.10)",
  },
  {
    name: 'x-max-length that is no number',
    steps: [['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-max-length': 'a' } }]],
    says: "channel 406 PRECONDITION_FAILED - invalid arg 'x-max-length' for queue '~q' in vhost '/': \"expected integer, got longstr\" (50.10)",
  },
  {
    name: 'x-max-length-bytes that is no number',
    steps: [['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-max-length-bytes': true } }]],
    says: "channel 406 PRECONDITION_FAILED - invalid arg 'x-max-length-bytes' for queue '~q' in vhost '/': \"expected integer, got bool\" (50.10)",
  },
  {
    name: 'x-overflow that is unknown',
    steps: [['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-overflow': 'odd' } }]],
    says: "channel 406 PRECONDITION_FAILED - invalid arg 'x-overflow' for queue '~q' in vhost '/': invalid_overflow (50.10)",
  },
  {
    name: 'x-overflow that is no text',
    steps: [['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-overflow': 5 } }]],
    says: "channel 406 PRECONDITION_FAILED - invalid arg 'x-overflow' for queue '~q' in vhost '/': {unacceptable_type,signedint} (50.10)",
  },
  {
    name: 'x-dead-letter-exchange that is no text',
    steps: [['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-dead-letter-exchange': 5 } }]],
    says: "channel 406 PRECONDITION_FAILED - invalid type 'signedint' for arg 'x-dead-letter-exchange' in queue '~q' in vhost '/' (50.10)",
  },
  {
    name: 'x-dead-letter-routing-key without an exchange',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-dead-letter-routing-key': 'k' } }],
    ],
    says: "channel 406 PRECONDITION_FAILED - invalid arg 'x-dead-letter-routing-key' for queue '~q' in vhost '/': routing_key_but_no_dlx_defined (50.10)",
  },
  {
    name: 'x-queue-type that is unknown',
    steps: [['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-queue-type': 'odd' } }]],
    says: "channel 406 PRECONDITION_FAILED - invalid arg 'x-queue-type' for queue '~q' in vhost '/': \"unsupported queue type 'odd'\" (50.10)",
  },
  {
    name: 'x-queue-type that is no text',
    steps: [['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-queue-type': 4 } }]],
    says: "channel 406 PRECONDITION_FAILED - invalid arg 'x-queue-type' for queue '~q' in vhost '/': {unacceptable_type,signedint} (50.10)",
  },
  {
    name: 'x-max-priority that is no number',
    steps: [['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-max-priority': 'z' } }]],
    says: "channel 406 PRECONDITION_FAILED - invalid arg 'x-max-priority' for queue '~q' in vhost '/': \"expected integer, got longstr\" (50.10)",
  },
  {
    name: 'x-max-priority above 255',
    steps: [['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-max-priority': 300 } }]],
    says: "channel 406 PRECONDITION_FAILED - invalid arg 'x-max-priority' for queue '~q' in vhost '/': {max_value_exceeded,300} (50.10)",
  },
  {
    name: 'x-single-active-consumer that is no truth',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-single-active-consumer': 'q' } }],
    ],
    says: "channel 406 PRECONDITION_FAILED - invalid arg 'x-single-active-consumer' for queue '~q' in vhost '/': {unacceptable_type,longstr} (50.10)",
  },
  {
    name: 'x-queue-mode that is unknown',
    steps: [['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-queue-mode': 'odd' } }]],
    says: "channel 406 PRECONDITION_FAILED - invalid arg 'x-queue-mode' for queue '~q' in vhost '/': \"unsupported queue mode 'odd'\" (50.10)",
  },
  {
    name: 'an argument that nobody knows',
    steps: [['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-unknown': 1 } }]],
    says: 'queue.declare-ok',
  },
  {
    name: 'another x-message-ttl',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-message-ttl': 5 } }],
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-message-ttl': 6 } }],
    ],
    says: "channel 406 PRECONDITION_FAILED - inequivalent arg 'x-message-ttl' for queue '~q' in vhost '/': received '6' but current is '5' (50.10)",
  },
  {
    name: 'x-message-ttl no more',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-message-ttl': 5 } }],
      ['queue.declare', { queue: '~q', exclusive: true, arguments: {} }],
    ],
    says: "channel 406 PRECONDITION_FAILED - inequivalent arg 'x-message-ttl' for queue '~q' in vhost '/': received none but current is the value '5' of type 'signedint' (50.10)",
  },
  {
    name: 'x-message-ttl anew',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true, arguments: {} }],
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-message-ttl': 5 } }],
    ],
    says: "channel 406 PRECONDITION_FAILED - inequivalent arg 'x-message-ttl' for queue '~q' in vhost '/': received the value '5' of type 'signedint' but current is none (50.10)",
  },
  {
    name: 'another x-dead-letter-exchange',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-dead-letter-exchange': 'a' } }],
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-dead-letter-exchange': 'b' } }],
    ],
    says: "channel 406 PRECONDITION_FAILED - inequivalent arg 'x-dead-letter-exchange' for queue '~q' in vhost '/': received 'b' but current is 'a' (50.10)",
  },
  {
    name: 'x-dead-letter-exchange anew',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true, arguments: {} }],
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-dead-letter-exchange': 'b' } }],
    ],
    says: "channel 406 PRECONDITION_FAILED - inequivalent arg 'x-dead-letter-exchange' for queue '~q' in vhost '/': received the value 'b' of type 'longstr' but current is none (50.10)",
  },
  {
    name: 'another x-max-length',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-max-length': 1 } }],
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-max-length': 2 } }],
    ],
    says: "channel 406 PRECONDITION_FAILED - inequivalent arg 'x-max-length' for queue '~q' in vhost '/': received '2' but current is '1' (50.10)",
  },
  {
    name: 'another x-overflow',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-overflow': 'drop-head' } }],
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-overflow': 'reject-publish' } }],
    ],
    says: "channel 406 PRECONDITION_FAILED - inequivalent arg 'x-overflow' for queue '~q' in vhost '/': received 'reject-publish' but current is 'drop-head' (50.10)",
  },
  {
    name: 'another x-single-active-consumer',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-single-active-consumer': true } }],
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-single-active-consumer': false } }],
    ],
    says: "channel 406 PRECONDITION_FAILED - inequivalent arg 'x-single-active-consumer' for queue '~q' in vhost '/': received 'false' but current is 'true' (50.10)",
  },
  {
    name: 'another x-queue-type',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-queue-type': 'classic' } }],
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-queue-type': 'quorum' } }],
    ],
    says: "channel 406 PRECONDITION_FAILED - inequivalent arg 'x-queue-type' for queue '~q' in vhost '/': received 'quorum' but current is 'classic' (50.10)",
  },
  {
    name: 'x-queue-type anew',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true, arguments: {} }],
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-queue-type': 'quorum' } }],
    ],
    says: "channel 406 PRECONDITION_FAILED - inequivalent arg 'x-queue-type' for queue '~q' in vhost '/': received the value 'quorum' of type 'longstr' but current is none (50.10)",
  },
  {
    name: 'x-queue-type as it is anyway',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true, arguments: {} }],
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-queue-type': 'classic' } }],
    ],
    says: 'queue.declare-ok',
  },
  {
    name: 'another argument that nobody knows',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-unknown': 1 } }],
      ['queue.declare', { queue: '~q', exclusive: true, arguments: { 'x-unknown': 2 } }],
    ],
    says: 'queue.declare-ok',
  },
  {
    name: 'a quorum queue that is exclusive',
    steps: [
      [
        'queue.declare',
        { queue: '~q', exclusive: true, durable: true, arguments: { 'x-queue-type': 'quorum' } },
      ],
    ],
    says: "channel 406 PRECONDITION_FAILED - invalid property 'exclusive-owner' for queue '~q' in vhost '/' (50.10)",
  },
  {
    name: 'a quorum queue that is not durable',
    steps: [['queue.declare', { queue: '~q', arguments: { 'x-queue-type': 'quorum' } }]],
    says: "channel 406 PRECONDITION_FAILED - invalid property 'non-durable' for queue '~q' in vhost '/' (50.10)",
  },
  {
    name: 'a quorum queue that deletes itself',
    steps: [
      [
        'queue.declare',
        { queue: '~q', durable: true, autoDelete: true, arguments: { 'x-queue-type': 'quorum' } },
      ],
    ],
    says: "channel 406 PRECONDITION_FAILED - invalid property 'auto-delete' for queue '~q' in vhost '/' (50.10)",
  },
  {
    name: 'a stream',
    steps: [
      [
        'queue.declare',
        { queue: '~q', durable: true, autoDelete: true, arguments: { 'x-queue-type': 'stream' } },
      ],
    ],
    says: "channel 406 PRECONDITION_FAILED - invalid property 'auto-delete' for queue '~q' in vhost '/' (50.10)",
    embedded: {
      says: "channel 406 PRECONDITION_FAILED - invalid arg 'x-queue-type' for queue '~q' in vhost '/': \"unsupported queue type 'stream'\" (50.10)",
      because: 'streams',
    },
  },
  {
    name: 'an acknowledgement of nothing',
    steps: [['basic.ack', { deliveryTag: 1n }]],
    says: 'channel 406 PRECONDITION_FAILED - unknown delivery tag 1 (60.80)',
  },
  {
    name: 'an acknowledgement of nothing and all before',
    steps: [['basic.ack', { deliveryTag: 9n, multiple: true }]],
    says: 'channel 406 PRECONDITION_FAILED - unknown delivery tag 9 (60.80)',
  },
  {
    name: 'an acknowledgement of all, where there is nothing',
    steps: [['basic.ack', { multiple: true }], ['basic.qos']],
    says: 'basic.qos-ok',
  },
  {
    name: 'a nack of nothing',
    steps: [['basic.nack', { deliveryTag: 3n }]],
    says: 'channel 406 PRECONDITION_FAILED - unknown delivery tag 3 (60.120)',
  },
  {
    name: 'a rejection of nothing',
    steps: [['basic.reject', { deliveryTag: 3n }]],
    says: 'channel 406 PRECONDITION_FAILED - unknown delivery tag 3 (60.90)',
  },
  {
    name: 'a prefetch of bytes',
    steps: [['basic.qos', { prefetchSize: 10 }]],
    says: 'connection 540 NOT_IMPLEMENTED - prefetch_size!=0 (10) (60.10)',
  },
  {
    name: 'a recover without requeue',
    steps: [['basic.recover']],
    says: 'connection 540 NOT_IMPLEMENTED - requeue=false (60.110)',
  },
  {
    name: 'a stop of the flow',
    steps: [['channel.flow']],
    says: 'connection 540 NOT_IMPLEMENTED - active=false (20.20)',
  },
  { name: 'a cancel of nobody', steps: [['basic.cancel', { consumerTag: 'no' }]], says: 'basic.cancel-ok' },
  {
    name: 'a consumer tag twice',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true }],
      ['basic.consume', { queue: '~q', consumerTag: 't' }],
      ['basic.consume', { queue: '~q', consumerTag: 't' }],
    ],
    says: "connection 530 NOT_ALLOWED - attempt to reuse consumer tag 't' (60.20)",
  },
  {
    name: 'a second consumer beside an exclusive one',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true }],
      ['basic.consume', { queue: '~q', exclusive: true }],
      ['basic.consume', { queue: '~q' }],
    ],
    says: "channel 403 ACCESS_REFUSED - queue '~q' in vhost '/' in exclusive use (60.20)",
  },
  {
    name: 'an exclusive consumer beside another',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true }],
      ['basic.consume', { queue: '~q' }],
      ['basic.consume', { queue: '~q', exclusive: true }],
    ],
    says: "channel 403 ACCESS_REFUSED - queue '~q' in vhost '/' in exclusive use (60.20)",
  },
  {
    name: 'a message for at once or never',
    steps: [{ publish: { routingKey: 'k', immediate: true } }],
    says: 'connection 540 NOT_IMPLEMENTED - immediate=true (60.40)',
  },
  {
    name: 'an expiration that is no number',
    steps: [{ publish: { routingKey: 'k' }, properties: { expiration: 'abc' } }],
    says: "channel 406 PRECONDITION_FAILED - invalid expiration 'abc': no_integer (60.40)",
  },
  {
    name: 'an expiration with a rest',
    steps: [{ publish: { routingKey: 'k' }, properties: { expiration: '12abc' } }],
    says: 'channel 406 PRECONDITION_FAILED - invalid expiration \'12abc\': {leftover_string,"abc"} (60.40)',
  },
  {
    name: 'an expiration below zero',
    steps: [{ publish: { routingKey: 'k' }, properties: { expiration: '-1' } }],
    says: "channel 406 PRECONDITION_FAILED - invalid expiration '-1': {value_negative,-1} (60.40)",
  },
  {
    name: 'an expiration of centuries',
    steps: [{ publish: { routingKey: 'k' }, properties: { expiration: '99999999999999' } }],
    says: "channel 406 PRECONDITION_FAILED - invalid expiration '99999999999999': {value_too_large,99999999999999} (60.40)",
  },
  {
    name: 'an empty expiration',
    steps: [{ publish: { routingKey: 'k' }, properties: { expiration: '' } }],
    says: "channel 406 PRECONDITION_FAILED - invalid expiration '': no_integer (60.40)",
  },
  {
    name: 'a user id of another',
    steps: [{ publish: { routingKey: 'k' }, properties: { userId: 'somebody' } }],
    says: "channel 406 PRECONDITION_FAILED - user_id property set to 'somebody' but authenticated user was 'guest' (60.40)",
  },
  {
    name: 'a header CC that is no list',
    steps: [{ publish: { routingKey: 'k' }, properties: { headers: { CC: 'a' } } }],
    says: 'channel 406 PRECONDITION_FAILED - invalid message: {unacceptable_type_in_header,"CC",longstr} (60.40)',
  },
  {
    name: 'a transaction',
    steps: [['tx.select']],
    says: '90.11',
    embedded: {
      says: 'connection 540 NOT_IMPLEMENTED - transactions are not supported; use confirms (90.10)',
      because: 'transactions',
    },
  },
  {
    name: 'a name with a line break',
    steps: [
      ['queue.declare', { queue: '~q\n', exclusive: true }],
      ['queue.declare', { queue: '~q', passive: true }],
    ],
    says: 'queue.declare-ok',
    embedded: { says: "channel 404 NOT_FOUND - no queue '~q' in vhost '/' (50.10)", because: 'line-breaks' },
  },
];
