import type { ExchangeDefinition, ProgramStep, QueueDefinition } from '../support/amqp/programs/program.ts';

/** A program of clients, and what RabbitMQ 3.10 says to its last step: words on channels, then lengths of queues. */
export interface ProgramRow {
  readonly name: string;
  readonly queues?: readonly Partial<QueueDefinition>[];
  readonly exchanges?: readonly Partial<ExchangeDefinition>[];
  readonly steps: readonly ProgramStep[];
  readonly says: readonly string[];
}

type Step<Name extends ProgramStep['does']> = Extract<ProgramStep, { does: Name }>;

/** Steps with what a row does not say. */
const publish = (key: string, more: Partial<Step<'publish'>> = {}): Step<'publish'> => ({
  does: 'publish',
  by: '0.1',
  exchange: -1,
  key,
  count: 1,
  mandatory: false,
  persistent: false,
  bodyBytes: 2,
  headers: {},
  properties: {},
  ...more,
});
const consume = (queue: number, more: Partial<Step<'consume'>> = {}): Step<'consume'> => ({
  does: 'consume',
  by: '0.1',
  queue,
  tag: 'c0',
  noAck: false,
  exclusive: false,
  args: {},
  ...more,
});
const get = (queue: number): Step<'get'> => ({ does: 'get', by: '1.1', queue, noAck: false });
const reject = (by: ProgramStep['by'], requeue: boolean): Step<'ack' | 'nack' | 'reject'> => ({
  does: 'reject',
  by,
  which: 0,
  multiple: false,
  requeue,
});
const dead = { args: { 'x-dead-letter-exchange': '' } };

/** The smallest programs in which the embedded broker once differed. */
export const PROGRAMS: readonly ProgramRow[] = [
  {
    name: 'a message that expires at once reaches a consumer that has room',
    steps: [consume(0), publish('~q0', { expiration: '0' })],
    says: [
      '0.1 basic.deliver consumerTag=c0 deliveryTag=1 redelivered=false exchange= routingKey=~q0 "m0" [expiration=0]',
      '~q0: 0 ready, 1 consumers',
      '~q1: 0 ready, 0 consumers',
      '~q2: 0 ready, 0 consumers',
    ],
  },
  {
    name: 'so it does in a queue that holds nothing for any time',
    queues: [{ args: { 'x-message-ttl': 0 } }],
    steps: [consume(0), publish('~q0', { count: 2 })],
    says: [
      '0.1 basic.deliver consumerTag=c0 deliveryTag=1 redelivered=false exchange= routingKey=~q0 "m0" []',
      '0.1 basic.deliver consumerTag=c0 deliveryTag=2 redelivered=false exchange= routingKey=~q0 "m1" []',
      '~q0: 0 ready, 1 consumers',
      '~q1: 0 ready, 0 consumers',
      '~q2: 0 ready, 0 consumers',
    ],
  },
  {
    name: 'a message beyond the length of a queue and out of time is dropped for the length',
    queues: [
      { args: { 'x-max-length': 0, 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': '~q1' } },
    ],
    steps: [publish('~q0', { expiration: '0' }), get(1)],
    says: [
      "1.1 basic.get-ok deliveryTag=1 redelivered=false exchange= routingKey=~q1 messageCount=0 \"m0\" [headers={x-death:[{count:l1,exchange:'',original-expiration:'0',queue:'~q0',reason:'maxlen',routing-keys:['~q0'],time:T}],x-first-death-exchange:'',x-first-death-queue:'~q0',x-first-death-reason:'maxlen'}]",
      '~q0: 0 ready, 0 consumers',
      '~q1: 0 ready, 0 consumers',
      '~q2: 0 ready, 0 consumers',
    ],
  },
  {
    name: 'a message that comes back to a full queue is dropped',
    queues: [{ args: { 'x-max-length': 0 } }],
    steps: [consume(0), publish('~q0'), reject('0.1', true)],
    says: ['~q0: 0 ready, 1 consumers', '~q1: 0 ready, 0 consumers', '~q2: 0 ready, 0 consumers'],
  },
  {
    name: 'a prefetch for later consumers ends one for the channel',
    steps: [
      { does: 'qos', by: '0.1', count: 1, global: true },
      consume(0),
      publish('~q0', { count: 2 }),
      { does: 'qos', by: '0.1', count: 3, global: false },
    ],
    says: [
      '0.1 basic.qos-ok',
      '0.1 basic.deliver consumerTag=c0 deliveryTag=2 redelivered=false exchange= routingKey=~q0 "m1" []',
      '~q0: 0 ready, 1 consumers',
      '~q1: 0 ready, 0 consumers',
      '~q2: 0 ready, 0 consumers',
    ],
  },
  {
    name: 'a prefetch for the channel holds back consumers that acknowledge nothing too',
    steps: [
      { does: 'qos', by: '0.1', count: 1, global: true },
      consume(0),
      publish('~q0'),
      consume(1, { tag: 'c1', noAck: true }),
      publish('~q1'),
    ],
    says: ['~q0: 0 ready, 1 consumers', '~q1: 1 ready, 1 consumers', '~q2: 0 ready, 0 consumers'],
  },
  {
    name: 'a consumer tag that is used twice, for a queue that is not there',
    steps: [
      { does: 'delete-queue', by: '0.1', queue: 1, ifUnused: false, ifEmpty: false },
      consume(0),
      consume(1),
    ],
    says: [
      "0 connection 530 NOT_ALLOWED - attempt to reuse consumer tag 'c0' (60.20)",
      '0 has ended',
      '~q0: 0 ready, 0 consumers',
      '~q1: 404',
      '~q2: 0 ready, 0 consumers',
    ],
  },
  {
    name: 'the end of a binding that is not there, for a queue of another connection',
    queues: [{ exclusive: true }],
    steps: [{ does: 'unbind', by: '1.1', exchange: 0, to: { kind: 'queue', number: 0 }, key: 'a', args: {} }],
    says: [
      '1.1 queue.unbind-ok',
      '~q0: 0 ready, 0 consumers',
      '~q1: 0 ready, 0 consumers',
      '~q2: 0 ready, 0 consumers',
    ],
  },
  {
    name: 'the end of a binding that is there, for a queue of another connection',
    queues: [{ exclusive: true }],
    steps: [
      { does: 'bind', by: '0.1', exchange: 0, to: { kind: 'queue', number: 0 }, key: 'a', args: {} },
      { does: 'unbind', by: '1.1', exchange: 0, to: { kind: 'queue', number: 0 }, key: 'a', args: {} },
    ],
    says: [
      "1.1 channel 405 RESOURCE_LOCKED - cannot obtain exclusive access to locked queue '~q0' in vhost '/'. It could be originally declared on another connection or the exclusive property value does not match that of the original declaration. (50.50)",
      '~q0: 0 ready, 0 consumers',
      '~q1: 0 ready, 0 consumers',
      '~q2: 0 ready, 0 consumers',
    ],
  },
  {
    name: 'a dead letter ends where it expires again after its last rejection',
    queues: [{ args: { 'x-message-ttl': 15, 'x-dead-letter-exchange': '' } }],
    steps: [
      consume(0),
      publish('~q0'),
      reject('0.1', false),
      { does: 'nack', by: '0.1', which: 0, multiple: false, requeue: true },
    ],
    says: ['~q0: 0 ready, 1 consumers', '~q1: 0 ready, 0 consumers', '~q2: 0 ready, 0 consumers'],
  },
  {
    name: 'basic.get counts nothing that has expired behind its message',
    steps: [publish('~q0'), publish('~q0', { expiration: '0' }), get(0)],
    says: [
      '1.1 basic.get-ok deliveryTag=1 redelivered=false exchange= routingKey=~q0 messageCount=0 "m0" []',
      '~q0: 0 ready, 0 consumers',
      '~q1: 0 ready, 0 consumers',
      '~q2: 0 ready, 0 consumers',
    ],
  },
  {
    name: 'a dead letter goes by the keys of CC too, and tells all of them',
    queues: [dead],
    steps: [consume(0), publish('~q0', { headers: { CC: ['~q1'] } }), reject('0.1', false), get(1), get(1)],
    says: [
      "1.1 basic.get-ok deliveryTag=2 redelivered=false exchange= routingKey=~q0 messageCount=0 \"m0\" [headers={CC:['~q1'],x-death:[{count:l1,exchange:'',queue:'~q0',reason:'rejected',routing-keys:['~q0','~q1'],time:T}],x-first-death-exchange:'',x-first-death-queue:'~q0',x-first-death-reason:'rejected'}]",
      '~q0: 0 ready, 1 consumers',
      '~q1: 0 ready, 0 consumers',
      '~q2: 0 ready, 0 consumers',
    ],
  },
  {
    name: 'a dead letter goes by the keys of BCC too, and does not tell them',
    queues: [dead],
    steps: [consume(0), publish('~q0', { headers: { BCC: ['~q1'] } }), reject('0.1', false), get(1), get(1)],
    says: [
      "1.1 basic.get-ok deliveryTag=2 redelivered=false exchange= routingKey=~q0 messageCount=0 \"m0\" [headers={x-death:[{count:l1,exchange:'',queue:'~q0',reason:'rejected',routing-keys:['~q0'],time:T}],x-first-death-exchange:'',x-first-death-queue:'~q0',x-first-death-reason:'rejected'}]",
      '~q0: 0 ready, 1 consumers',
      '~q1: 0 ready, 0 consumers',
      '~q2: 0 ready, 0 consumers',
    ],
  },
  {
    name: 'the dead letter key of a queue takes the place of all keys',
    queues: [{ args: { 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': '~q2' } }],
    steps: [consume(0), publish('~q0', { headers: { CC: ['~q1'] } }), reject('0.1', false), get(2)],
    says: [
      "1.1 basic.get-ok deliveryTag=1 redelivered=false exchange= routingKey=~q2 messageCount=0 \"m0\" [headers={x-death:[{count:l1,exchange:'',queue:'~q0',reason:'rejected',routing-keys:['~q0','~q1'],time:T}],x-first-death-exchange:'',x-first-death-queue:'~q0',x-first-death-reason:'rejected'}]",
      '~q0: 0 ready, 1 consumers',
      '~q1: 1 ready, 0 consumers',
      '~q2: 0 ready, 0 consumers',
    ],
  },
  {
    name: 'a queue that ends with its last consumer does not get back what that one held',
    queues: [
      {
        autoDelete: true,
        args: { 'x-max-length': 0, 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': '~q1' },
      },
    ],
    steps: [consume(0), publish('~q0'), { does: 'close-channel', by: '0.1' }],
    says: ['0.1 channel.close-ok', '~q0: 404', '~q1: 0 ready, 0 consumers', '~q2: 0 ready, 0 consumers'],
  },
  {
    name: 'an empty routing key has no word: * does not match it',
    exchanges: [{ type: 'topic' }],
    steps: [
      { does: 'bind', by: '0.1', exchange: 0, to: { kind: 'queue', number: 0 }, key: '*', args: {} },
      { does: 'bind', by: '0.1', exchange: 0, to: { kind: 'queue', number: 1 }, key: '#', args: {} },
      { does: 'bind', by: '0.1', exchange: 0, to: { kind: 'queue', number: 2 }, key: '', args: {} },
      publish('', { exchange: 0 }),
    ],
    says: ['~q0: 0 ready, 0 consumers', '~q1: 1 ready, 0 consumers', '~q2: 1 ready, 0 consumers'],
  },
  {
    name: 'a message that a full queue refuses is a dead letter where the queue says so',
    queues: [
      {
        args: {
          'x-max-length': 0,
          'x-overflow': 'reject-publish-dlx',
          'x-dead-letter-exchange': '',
          'x-dead-letter-routing-key': '~q1',
        },
      },
    ],
    steps: [publish('~q0'), get(1)],
    says: [
      "1.1 basic.get-ok deliveryTag=1 redelivered=false exchange= routingKey=~q1 messageCount=0 \"m0\" [headers={x-death:[{count:l1,exchange:'',queue:'~q0',reason:'maxlen',routing-keys:['~q0'],time:T}],x-first-death-exchange:'',x-first-death-queue:'~q0',x-first-death-reason:'maxlen'}]",
      '~q0: 0 ready, 0 consumers',
      '~q1: 0 ready, 0 consumers',
      '~q2: 0 ready, 0 consumers',
    ],
  },
  {
    name: 'the consumers of a channel give back one after the other, in the order of their tags',
    steps: [
      consume(0, { tag: 'c1' }),
      consume(0, { tag: 'c0' }),
      publish('~q0', { count: 3 }),
      { does: 'nack', by: '0.1', which: 'all', multiple: true, requeue: true },
    ],
    says: [
      '0.1 basic.deliver consumerTag=c0 deliveryTag=4 redelivered=true exchange= routingKey=~q0 "m1" []',
      '0.1 basic.deliver consumerTag=c1 deliveryTag=5 redelivered=true exchange= routingKey=~q0 "m0" []',
      '0.1 basic.deliver consumerTag=c0 deliveryTag=6 redelivered=true exchange= routingKey=~q0 "m2" []',
      '~q0: 0 ready, 2 consumers',
      '~q1: 0 ready, 0 consumers',
      '~q2: 0 ready, 0 consumers',
    ],
  },
  {
    name: 'a message that expires takes no turn of a consumer',
    steps: [
      consume(0),
      consume(0, { by: '1.1', noAck: true }),
      publish('~q0', { expiration: '0' }),
      reject('0.1', true),
      publish('~q0'),
    ],
    says: [
      '1.1 basic.deliver consumerTag=c0 deliveryTag=1 redelivered=false exchange= routingKey=~q0 "m1" []',
      '~q0: 0 ready, 2 consumers',
      '~q1: 0 ready, 0 consumers',
      '~q2: 0 ready, 0 consumers',
    ],
  },
  {
    name: 'what a channel gives back leaves room in its prefetch at once',
    steps: [
      { does: 'qos', by: '0.2', count: 1, global: true },
      consume(0, { by: '0.2' }),
      publish('~q0'),
      consume(0),
      reject('0.2', true),
    ],
    says: [
      '0.2 basic.deliver consumerTag=c0 deliveryTag=2 redelivered=true exchange= routingKey=~q0 "m0" []',
      '~q0: 0 ready, 2 consumers',
      '~q1: 0 ready, 0 consumers',
      '~q2: 0 ready, 0 consumers',
    ],
  },
  {
    name: 'a consumer that had no room when a message came is served after the others',
    steps: [
      publish('~q0', { count: 3 }),
      consume(0, { tag: 'c0', prefetch: 1 }),
      consume(0, { by: '1.1', tag: 'c1', prefetch: 2 }),
      reject('0.1', false),
      reject('1.1', false),
      reject('1.1', true),
    ],
    says: [
      '1.1 basic.deliver consumerTag=c1 deliveryTag=3 redelivered=true exchange= routingKey=~q0 "m2" []',
      '~q0: 0 ready, 2 consumers',
      '~q1: 0 ready, 0 consumers',
      '~q2: 0 ready, 0 consumers',
    ],
  },
];
