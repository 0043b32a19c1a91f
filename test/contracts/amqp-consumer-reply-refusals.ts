import type { Refusal } from '../support/amqp/refusal-script.ts';

const REPLY_TO = 'amq.rabbitmq.reply-to';
const CONSUME = { queue: REPLY_TO, noAck: true, consumerTag: 'a' };

/** Direct reply-to: what is refused, and what is not, as RabbitMQ 3.10 says it. */
export const REPLY_REFUSALS: readonly Refusal[] = [
  { name: 'direct replies, consumed', steps: [['basic.consume', CONSUME]], says: 'basic.consume-ok' },
  {
    name: 'direct replies, consumed with acknowledgement',
    steps: [['basic.consume', { queue: REPLY_TO }]],
    says: 'channel 406 PRECONDITION_FAILED - reply consumer cannot acknowledge (60.20)',
  },
  {
    name: 'direct replies, consumed twice',
    steps: [
      ['basic.consume', CONSUME],
      ['basic.consume', { ...CONSUME, consumerTag: 'b' }],
    ],
    says: 'channel 406 PRECONDITION_FAILED - reply consumer already set (60.20)',
  },
  {
    name: 'direct replies, consumed twice under one tag',
    steps: [
      ['basic.consume', CONSUME],
      ['basic.consume', CONSUME],
    ],
    says: 'channel 406 PRECONDITION_FAILED - reply consumer already set (60.20)',
  },
  {
    name: 'direct replies, consumed a second time with acknowledgement',
    steps: [
      ['basic.consume', CONSUME],
      ['basic.consume', { queue: REPLY_TO, consumerTag: 'b' }],
    ],
    says: 'channel 406 PRECONDITION_FAILED - reply consumer cannot acknowledge (60.20)',
  },
  {
    name: 'direct replies, consumed under the tag of another consumer',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true }],
      ['basic.consume', { queue: '~q', consumerTag: 'a' }],
      ['basic.consume', CONSUME],
    ],
    says: "connection 530 NOT_ALLOWED - attempt to reuse consumer tag 'a' (60.20)",
  },
  {
    name: 'a queue, consumed under the tag of direct replies',
    steps: [
      ['queue.declare', { queue: '~q', exclusive: true }],
      ['basic.consume', CONSUME],
      ['basic.consume', { queue: '~q', consumerTag: 'a' }],
    ],
    says: 'basic.consume-ok',
  },
  {
    name: 'direct replies, cancelled and consumed again',
    steps: [
      ['basic.consume', CONSUME],
      ['basic.cancel', { consumerTag: 'a' }],
      ['basic.consume', CONSUME],
    ],
    says: 'basic.consume-ok',
  },
  {
    name: 'a call without a consumer of direct replies',
    steps: [{ publish: { routingKey: '~no' }, properties: { replyTo: REPLY_TO } }],
    says: 'channel 406 PRECONDITION_FAILED - fast reply consumer does not exist (60.40)',
  },
  {
    name: 'a call without a consumer of direct replies, to a missing exchange',
    steps: [{ publish: { exchange: '~no', routingKey: 'k' }, properties: { replyTo: REPLY_TO } }],
    says: "channel 404 NOT_FOUND - no exchange '~no' in vhost '/' (60.40)",
  },
  {
    name: 'a call without a consumer of direct replies that is wrong otherwise too',
    steps: [
      {
        publish: { routingKey: '~no' },
        properties: { replyTo: REPLY_TO, userId: 'other', expiration: 'soon' },
      },
    ],
    says: 'channel 406 PRECONDITION_FAILED - fast reply consumer does not exist (60.40)',
  },
  {
    name: 'the queue of direct replies, declared',
    steps: [['queue.declare', { queue: REPLY_TO, durable: true }]],
    says: 'queue.declare-ok',
  },
  {
    name: 'the queue of direct replies, consumed as the last one declared',
    steps: [
      ['queue.declare', { queue: REPLY_TO }],
      ['basic.consume', { queue: '', noAck: true }],
    ],
    says: 'basic.consume-ok',
  },
  {
    name: 'a caller who is not there, declared',
    steps: [['queue.declare', { queue: `${REPLY_TO}.nobody` }]],
    says: `channel 404 NOT_FOUND - no queue '${REPLY_TO}.nobody' in vhost '/' (50.10)`,
  },
  {
    name: 'a name that begins like that of direct replies, declared',
    steps: [['queue.declare', { queue: `${REPLY_TO}x` }]],
    says: `channel 404 NOT_FOUND - no queue '${REPLY_TO}x' in vhost '/' (50.10)`,
  },
  {
    name: 'a caller who is not there, consumed',
    steps: [['basic.consume', { queue: `${REPLY_TO}.nobody`, noAck: true }]],
    says: `channel 404 NOT_FOUND - no queue '${REPLY_TO}.nobody' in vhost '/' (60.20)`,
  },
  {
    name: 'direct replies, read one by one',
    steps: [['basic.get', { queue: REPLY_TO, noAck: true }]],
    says: `channel 404 NOT_FOUND - no queue '${REPLY_TO}' in vhost '/' (60.70)`,
  },
  {
    name: 'direct replies, purged',
    steps: [['queue.purge', { queue: REPLY_TO }]],
    says: `channel 404 NOT_FOUND - no queue '${REPLY_TO}' in vhost '/' (50.30)`,
  },
  {
    name: 'direct replies, bound',
    steps: [['queue.bind', { queue: REPLY_TO, exchange: 'amq.topic' }]],
    says: `channel 404 NOT_FOUND - no queue '${REPLY_TO}' in vhost '/' (50.20)`,
  },
  {
    name: 'direct replies, deleted',
    steps: [['queue.delete', { queue: REPLY_TO }]],
    says: 'queue.delete-ok',
  },
];
