import fc from 'fast-check';
import type {
  Actor,
  Arguments,
  ClientProgram,
  ExchangeDefinition,
  ProgramStep,
  QueueDefinition,
} from './program.ts';
import { EXCHANGES, QUEUE_EXPIRES_MS, QUEUES, SHORT_TTL_MS } from './program.ts';

/** Some channels and queues do more than others: so steps meet what earlier ones have left. */
const BY: readonly Actor[] = ['0.1', '0.1', '0.1', '0.2', '1.1', '1.1', '1.2'];
const QUEUE_NUMBERS = [0, 0, 0, 1, 1, 2];

function seldom<Value>(arbitrary: fc.Arbitrary<Value>, never: number): fc.Arbitrary<Value | undefined> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: never, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary },
  );
}

/** True once in so many times. */
const rarely = (never: number) => seldom(fc.constant(true), never).map((each) => each === true);

const queueName = fc.constantFrom(...QUEUE_NUMBERS.map((number) => `~q${number}`));
const exchangeName = fc.constantFrom('~x0', '~x1');

const queueArguments: fc.Arbitrary<Arguments> = fc.record({
  'x-message-ttl': seldom(fc.constantFrom(0, SHORT_TTL_MS, 60_000), 6),
  'x-expires': seldom(fc.constant(QUEUE_EXPIRES_MS), 30),
  'x-max-length': seldom(fc.constantFrom(0, 1, 2, 3), 3),
  'x-max-length-bytes': seldom(fc.constantFrom(0, 4, 10), 12),
  'x-overflow': seldom(fc.constantFrom('reject-publish', 'reject-publish-dlx', 'drop-head'), 2),
  'x-dead-letter-exchange': seldom(fc.oneof(fc.constant(''), exchangeName, fc.constant('~missing')), 1),
  'x-dead-letter-routing-key': seldom(fc.oneof(queueName, fc.constant('a.b')), 1),
  'x-single-active-consumer': seldom(fc.constant(true), 8),
  'x-queue-mode': seldom(fc.constant('lazy'), 12),
});

/** Without a dead letter exchange its key would be refused each time; that refusal has a row elsewhere. */
const queueDefinition: fc.Arbitrary<QueueDefinition> = fc.record({
  durable: fc.boolean(),
  exclusive: rarely(6),
  autoDelete: rarely(3),
  args: queueArguments.map((args) =>
    args['x-dead-letter-exchange'] === undefined ? { ...args, 'x-dead-letter-routing-key': undefined } : args,
  ),
});

const exchangeDefinition: fc.Arbitrary<ExchangeDefinition> = fc.record({
  type: fc.constantFrom('direct', 'fanout', 'topic', 'headers'),
  durable: fc.boolean(),
  autoDelete: rarely(2),
  internal: rarely(10),
  args: fc.record({
    'alternate-exchange': seldom(fc.oneof(exchangeName, fc.constantFrom('amq.fanout', '~missing')), 3),
  }),
});

const by = fc.constantFrom(...BY);
const queue = fc.constantFrom(...QUEUE_NUMBERS);
const exchange = fc.nat({ max: EXCHANGES - 1 });
const key = fc.constantFrom('a', 'a.b', 'b', '');
const pattern = fc.constantFrom('a', 'a.b', 'b', '', '#', '*', 'a.*', '*.b', 'a.#', '#.b');
const tag = fc.constantFrom('c0', 'c1', 'c2', 'c3', 'c4', 'c5');
const matchArguments: fc.Arbitrary<Arguments> = seldom(
  fc.record({
    'x-match': seldom(fc.constantFrom('all', 'any', 'all-with-x', 'any-with-x'), 1),
    g: seldom(fc.constantFrom('one', 2), 1),
    h: seldom(fc.constantFrom('one', 'two', 1), 1),
    'x-h': seldom(fc.constantFrom('one', 2), 3),
  }),
  1,
).map((args) => args ?? {});

const headers: fc.Arbitrary<Arguments> = fc.record({
  g: seldom(fc.constantFrom('one', 2), 2),
  h: seldom(fc.constantFrom('one', 'two', 1), 2),
  'x-h': seldom(fc.constantFrom('one', 2), 5),
  CC: seldom(fc.array(fc.oneof(queueName, fc.constant('a')), { maxLength: 2 }), 12),
  BCC: seldom(fc.array(fc.oneof(queueName, fc.constant('b')), { maxLength: 2 }), 18),
});

const properties: fc.Arbitrary<Readonly<Record<string, string | number>>> = seldom(
  fc.constantFrom<Readonly<Record<string, string | number>>>(
    { contentType: 'text/plain', contentEncoding: 'utf-8' },
    { correlationId: 'c', replyTo: 'r', messageId: 'm' },
    { type: 't', appId: 'a', clusterId: '', userId: 'guest' },
    { priority: 0 },
  ),
  4,
).map((each) => each ?? {});

const publish = {
  does: fc.constant('publish' as const),
  by,
  count: fc.constantFrom(1, 2, 3, 4),
  mandatory: rarely(3),
  persistent: fc.boolean(),
  expiration: seldom(fc.constantFrom('0', `${SHORT_TTL_MS}`, '60000'), 5),
  bodyBytes: fc.constantFrom(3, 3, 0, 8),
  headers,
  properties,
};

const publication: fc.Arbitrary<ProgramStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      ...publish,
      exchange: fc.constant(-1),
      key: fc.oneof(
        { weight: 9, arbitrary: queueName },
        { weight: 1, arbitrary: fc.constantFrom('', '~no') },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ ...publish, exchange, key }) },
);

const binding: fc.Arbitrary<ProgramStep> = fc.record({
  does: fc.constantFrom('bind', 'bind', 'unbind'),
  by,
  exchange,
  to: fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('queue' as const), number: queue }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('exchange' as const), number: exchange }) },
  ),
  key: pattern,
  args: matchArguments,
});

const settlement: fc.Arbitrary<ProgramStep> = fc.record({
  does: fc.constantFrom('ack', 'nack', 'reject'),
  by,
  which: fc.oneof(
    { weight: 20, arbitrary: fc.nat({ max: 3 }) },
    { weight: 2, arbitrary: fc.constant('all' as const) },
    { weight: 1, arbitrary: fc.constant('unknown' as const) },
  ),
  multiple: fc.boolean(),
  requeue: fc.boolean(),
});

const consuming: fc.Arbitrary<ProgramStep> = fc.record({
  does: fc.constant('consume' as const),
  by,
  queue,
  tag,
  prefetch: seldom(fc.constantFrom(1, 2), 2),
  noAck: rarely(3),
  exclusive: rarely(4),
  args: fc.constant({}),
});

const rare: fc.Arbitrary<ProgramStep> = fc.oneof(
  fc.record({
    does: fc.constant('declare-queue' as const),
    by,
    queue,
    how: fc.constantFrom('same', 'passive', 'other-durable', 'other-auto-delete', 'other-arguments'),
  }),
  fc.record({
    does: fc.constant('delete-queue' as const),
    by,
    queue,
    ifUnused: rarely(2),
    ifEmpty: rarely(2),
  }),
  fc.record({ does: fc.constant('purge' as const), by, queue }),
  fc.record({
    does: fc.constant('declare-exchange' as const),
    by,
    exchange,
    how: fc.constantFrom('same', 'same', 'passive', 'other-type', 'other-durable'),
  }),
  fc.record({ does: fc.constant('delete-exchange' as const), by, exchange, ifUnused: fc.boolean() }),
  fc.record({
    does: fc.constantFrom('recover' as const, 'recover' as const, 'recover-async' as const),
    by,
    requeue: rarely(6).map((each) => !each),
  }),
  fc.record({ does: fc.constant('idle' as const), by }),
);

const endings: fc.Arbitrary<ProgramStep> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('close-channel' as const), by }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('close-connection', 'cut'), by }) },
);

const step: fc.Arbitrary<ProgramStep> = fc.oneof(
  { weight: 9, arbitrary: publication },
  { weight: 6, arbitrary: consuming },
  { weight: 10, arbitrary: settlement },
  { weight: 5, arbitrary: binding },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('get' as const), by, queue, noAck: rarely(2) }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('cancel' as const), by, tag }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('qos' as const),
      by,
      count: fc.constantFrom(1, 2, 3, 0),
      global: fc.constantFrom(true, true, false),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('confirm' as const), by }) },
  { weight: 4, arbitrary: rare },
  { weight: 2, arbitrary: endings },
) as fc.Arbitrary<ProgramStep>;

/** A queue that may dead-letter a message as soon as it has it. */
function deadLettersAtOnce({ args }: QueueDefinition): boolean {
  const isLimited =
    args['x-max-length'] !== undefined ||
    args['x-max-length-bytes'] !== undefined ||
    (args['x-message-ttl'] ?? 60_000) !== 60_000;
  return isLimited && (args['x-dead-letter-exchange'] ?? '~missing') !== '~missing';
}

/**
 * The program without what leaves an order open: at RabbitMQ each queue is a process, so a message that reaches a queue
 * directly and as a dead letter of another one arrives in any order. Where a queue dead-letters at once, no publication
 * reaches several queues.
 */
function withoutRaces(program: ClientProgram): ClientProgram {
  const { queues, exchanges, steps } = program;
  const expires = steps.some((step) => step.does === 'publish' && (step.expiration ?? '60000') !== '60000');
  const isDead = ({ args }: QueueDefinition) => (args['x-dead-letter-exchange'] ?? '~missing') !== '~missing';
  if (!queues.some(deadLettersAtOnce) && !(expires && queues.some(isDead))) return program;
  const bound = steps.flatMap((step) =>
    step.does === 'bind' && step.to.kind === 'queue' ? [step.to.number] : [],
  );
  return {
    queues,
    exchanges,
    steps: steps.flatMap((step): readonly ProgramStep[] => {
      if (step.does === 'bind' && step.to.kind === 'queue') return step.to.number === bound[0] ? [step] : [];
      if (step.does !== 'publish') return [step];
      return [{ ...step, headers: { ...step.headers, CC: undefined, BCC: undefined } }];
    }),
  };
}

/** Programs of clients: the generator of the comparison with RabbitMQ. */
export const clientProgram: fc.Arbitrary<ClientProgram> = fc
  .record({
    queues: fc.array(queueDefinition, { minLength: QUEUES, maxLength: QUEUES }),
    exchanges: fc.array(exchangeDefinition, { minLength: EXCHANGES, maxLength: EXCHANGES }),
    steps: fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }),
  })
  .map(withoutRaces);
