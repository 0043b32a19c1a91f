import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PermissionPatterns } from '../../brokers/amqp/permission-patterns.ts';
import { type AmqpAccount, openRawAmqpClient, type RawAmqpClient } from '../support/amqp/raw-amqp-client.ts';
import { type AmqpStep, playSteps } from '../support/amqp/refusal-script.ts';
import { type AmqpBrokerFixture, ownPrefix } from './amqp-consumer-contract.ts';
import type { Difference } from './amqp-consumer-differences.ts';

/** A broker, and a way to create a user with permissions given as expressions. */
export interface AmqpRightsFixture extends AmqpBrokerFixture {
  grant(patterns: Readonly<Record<keyof PermissionPatterns, string>>): Promise<AmqpAccount>;
}

interface Row {
  readonly name: string;
  readonly steps: readonly AmqpStep[];
  /** As RabbitMQ 3.10 says it: without the name of the right. */
  readonly says: string;
  /** The text of the embedded broker; `because` is then right-named. */
  readonly right?: keyof PermissionPatterns;
  readonly embedded?: { readonly says: string; readonly because: Difference };
}

const refused = (what: string, ids: string, right = '') =>
  `channel 403 ACCESS_REFUSED - ${right}access to ${what} in vhost '/' refused for user '~limited' (${ids})`;
const unknown = (queue: string) => ({
  says: refused(`queue '~${queue}'`, '50.10', 'read '),
  because: 'passive-needs-a-right' as const,
});
const notFound = (what: string, ids: string) => `channel 404 NOT_FOUND - no ${what} in vhost '/' (${ids})`;
const LOCKED =
  'It could be originally declared on another connection or the exclusive property value does not match that of the original declaration.';
const passive = (queue: string): readonly AmqpStep[] => [
  ['queue.declare', { queue: `~${queue}`, passive: true }],
];

/** A user who may read `~own`, write names that begin with `~w-`, and configure nothing. */
const ROWS: readonly Row[] = [
  { name: 'a queue to be read, passively declared', steps: passive('own'), says: 'queue.declare-ok' },
  { name: 'a queue to be written, passively declared', steps: passive('w-q'), says: 'queue.declare-ok' },
  {
    name: 'a missing queue to be read, passively declared',
    steps: passive('own-missing'),
    says: notFound("queue '~own-missing'", '50.10'),
  },
  {
    name: "somebody else's queue, passively declared",
    steps: passive('other'),
    says: 'queue.declare-ok',
    embedded: unknown('other'),
  },
  {
    name: 'a missing queue of somebody else, passively declared',
    steps: passive('missing'),
    says: notFound("queue '~missing'", '50.10'),
    embedded: unknown('missing'),
  },
  {
    name: "somebody else's exclusive queue, passively declared",
    steps: passive('locked'),
    says: `channel 405 RESOURCE_LOCKED - cannot obtain exclusive access to locked queue '~locked' in vhost '/'. ${LOCKED} (50.10)`,
    embedded: unknown('locked'),
  },
  ...(['other', 'missing', 'locked'] as const).flatMap((queue): readonly Row[] => [
    {
      name: `the ${queue} queue, declared`,
      steps: [['queue.declare', { queue: `~${queue}` }]],
      says: refused(`queue '~${queue}'`, '50.10'),
      right: 'configure',
    },
    {
      name: `the ${queue} queue, deleted`,
      steps: [['queue.delete', { queue: `~${queue}` }]],
      says: refused(`queue '~${queue}'`, '50.40'),
      right: 'configure',
    },
    {
      name: `the ${queue} queue, read`,
      steps: [['basic.get', { queue: `~${queue}` }]],
      says: refused(`queue '~${queue}'`, '60.70'),
      right: 'read',
    },
    {
      name: `the ${queue} queue, consumed`,
      steps: [['basic.consume', { queue: `~${queue}` }]],
      says: refused(`queue '~${queue}'`, '60.20'),
      right: 'read',
    },
    {
      name: `the ${queue} queue, purged`,
      steps: [['queue.purge', { queue: `~${queue}` }]],
      says: refused(`queue '~${queue}'`, '50.30'),
      right: 'read',
    },
    {
      name: `the ${queue} queue, bound`,
      steps: [['queue.bind', { queue: `~${queue}`, exchange: 'amq.topic' }]],
      says: refused(`queue '~${queue}'`, '50.20'),
      right: 'write',
    },
    {
      name: `the ${queue} queue, unbound`,
      steps: [['queue.unbind', { queue: `~${queue}`, exchange: 'amq.topic' }]],
      says: refused(`queue '~${queue}'`, '50.50'),
      right: 'write',
    },
  ]),
  {
    name: 'a missing queue to be read, read',
    steps: [['basic.get', { queue: '~own-missing' }]],
    says: notFound("queue '~own-missing'", '60.70'),
  },
  {
    name: 'a missing queue to be written, bound to an exchange that may not be read',
    steps: [['queue.bind', { queue: '~w-missing', exchange: 'amq.topic' }]],
    says: refused("exchange 'amq.topic'", '50.20'),
    right: 'read',
  },
  {
    name: 'a missing queue to be written, bound to the default exchange',
    steps: [['queue.bind', { queue: '~w-missing', exchange: '' }]],
    says: 'channel 403 ACCESS_REFUSED - operation not permitted on the default exchange (50.20)',
  },
  {
    name: 'a missing exchange, bound',
    steps: [['exchange.bind', { destination: '~missing', source: 'amq.topic' }]],
    says: refused("exchange '~missing'", '40.30'),
    right: 'write',
  },
  {
    name: 'a missing exchange, unbound',
    steps: [['exchange.unbind', { destination: '~missing', source: 'amq.topic' }]],
    says: refused("exchange '~missing'", '40.40'),
    right: 'write',
  },
  {
    name: 'the default exchange, bound',
    steps: [['exchange.bind', { destination: '', source: 'amq.topic' }]],
    says: refused("exchange 'amq.default'", '40.30'),
    right: 'write',
  },
  {
    name: 'the default exchange, published to',
    steps: [{ publish: { routingKey: '~other' } }],
    says: refused("exchange 'amq.default'", '60.40'),
    right: 'write',
  },
  {
    name: 'direct replies, which ask for no right',
    steps: [['basic.consume', { queue: 'amq.rabbitmq.reply-to', noAck: true }]],
    says: 'basic.consume-ok',
  },
];

/** Permissions are checked first: a user without them does not learn what exists. */
export function rightsContract(name: string, open: () => Promise<AmqpRightsFixture>): void {
  describe(`${name}: the answers to a user with few permissions`, () => {
    const prefix = ownPrefix();
    let fixture: AmqpRightsFixture;
    let owner: RawAmqpClient;
    let limited: AmqpAccount;
    let wires: RawAmqpClient[] = [];

    beforeAll(async () => {
      fixture = await open();
      limited = await fixture.grant({
        configure: '^$',
        write: `^${prefix}w-`,
        read: `^${prefix}own(-missing)?$`,
      });
      owner = await openRawAmqpClient(fixture.account);
      for (const queue of ['own', 'other', 'w-q', 'locked'])
        await owner.ask('queue.declare', { queue: `${prefix}${queue}`, exclusive: queue === 'locked' });
    });
    afterEach(() => {
      for (const wire of wires) wire.cut();
      wires = [];
    });
    afterAll(async () => {
      for (const queue of ['own', 'other', 'w-q'])
        await owner.ask('queue.delete', { queue: `${prefix}${queue}` });
      owner.cut();
      await fixture.close();
    });

    test.each(ROWS.map((row) => [row.name, row] as const))('%s', async (_, row) => {
      const wire = await openRawAmqpClient(limited);
      wires.push(wire);
      const said = await playSteps(row.steps, wire, () => openRawAmqpClient(limited), prefix);
      const named =
        row.right === undefined ? row.says : row.says.replace('- access', `- ${row.right} access`);
      const expected = fixture.kind === 'embedded' ? (row.embedded?.says ?? named) : row.says;
      expect(said.replace(`'${limited.username}'`, "'~limited'")).toBe(expected);
    });
  });
}
