import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import type { QueueAccounts } from '../events/accounts.ts';
import type { AmqpConnection } from '../events/amqp-connection.ts';
import { queueName } from '../events/topics.ts';
import type { FleetQueue } from '../events/topology.ts';
import { problem, type Refusal } from '../http/problem.ts';
import { quote } from '../http/quoted-text.ts';
import type {
  BeginResult,
  NewSubscription,
  Subscription,
  SubscriptionStore,
} from '../store/port/subscription-store.ts';
import { type AccountsCondition, watchAccounts } from './accounts-watch.ts';
import {
  BrokerFailed,
  type BrokerProvisioningParts,
  fleetQueues,
  makeBrokerProvisioning,
  QueueInTheWay,
} from './broker-provisioning.ts';
import { subscriptionLimits } from './limits.ts';
import { makeStandingSubscriptions, type StandingSubscription } from './standing-subscriptions.ts';
import { makeSweeper } from './sweeper.ts';

export interface SubscriptionsParts extends Omit<BrokerProvisioningParts, 'world'> {
  readonly amqpConnection:
    | Pick<AmqpConnection, 'session' | 'added' | 'removing' | 'subscribedElsewhere'>
    | undefined;
  readonly world: Pick<World, 'time' | 'ids' | 'crypto' | 'log'>;
  readonly store: SubscriptionStore;
  readonly counters: Counters;
}

/** Who has subscribed to messages, in the store and at the message broker. */
export interface Subscriptions {
  readonly accounts: QueueAccounts | undefined;
  /** Creates a subscription; resolves once it can be used. The only call that returns its password. */
  subscribe(requested: SubscriptionRequest): Promise<Subscribed | Refusal>;
  /** `unknown`: the fleet has none of that id. A refusal: it has ended, but its queues could not be deleted yet. */
  cancel(fleetId: string, id: string): Promise<'ended' | 'unknown' | Refusal>;
  find(fleetId: string, id: string): Promise<Subscription | undefined>;
  ofFleet(fleetId: string): Promise<readonly Subscription[]>;
  /** All queues that must exist. */
  queues(): Promise<readonly FleetQueue[]>;
  /**
   * Ensures that a subscription with fixed names and credentials exists, at the broker as soon as it can be reached; an
   * existing one keeps its queues. Resolves once it can be used. Rejects if the names are taken.
   */
  ensure(wanted: StandingSubscription): Promise<void>;
  /** Whether users can be created at the broker. */
  accountsCondition(): AccountsCondition;
  /** A connection to the broker has been opened. */
  connected(): void;
  /** Another backend has made a subscription, or ended one. */
  changedElsewhere(): void;
  stop(): void;
}

export interface SubscriptionRequest {
  readonly fleetId: string;
  readonly discriminator: string;
  /** At least one of backend/events/topics.ts, none twice. */
  readonly topics: readonly string[];
}

export interface Subscribed {
  readonly subscription: Subscription;
  readonly username: string;
  readonly password: string;
}

/**
 * A subscription is written down as making, then made at the broker, then live; the other way round it is ending,
 * then taken away, then forgotten. What fails half way, or is left by a process that died, is taken away by the
 * sweeper, which tries until it succeeds.
 */
export function makeSubscriptions(parts: SubscriptionsParts): Subscriptions {
  const { world, store, counters } = parts;
  const watch = watchAccounts(world, parts.accounts, () => {
    sweeper.wake();
    standing.wake();
  });
  const { accounts } = watch;
  const broker = makeBrokerProvisioning({ ...parts, accounts });
  const sweeper = makeSweeper({ world, store, broker, counters });
  const standing = makeStandingSubscriptions({ world, store, broker, accounts, begins: sweeper.dueBy });
  const BOUNDS = { perFleet: subscriptionLimits.perFleet };
  const UNBOUNDED = { perFleet: Number.MAX_SAFE_INTEGER };

  async function makeAtBroker(requested: NewSubscription, password: string): Promise<Refusal | undefined> {
    try {
      await broker.declare(requested);
      await broker.grant(requested, password);
      if (await store.finish(requested.id)) return undefined;
      throw new BrokerFailed('it took too long');
    } catch (error) {
      counters.add('subscriptions.failed');
      await giveUp(requested);
      sweeper.wake();
      return refusalOf(error);
    }
  }

  /**
   * Writes down that it has to be taken away. Where it took so long that another backend has done so already, something of
   * it may have come to the broker since: it is written down anew, and its names are kept until all is gone.
   */
  async function giveUp(requested: NewSubscription): Promise<void> {
    const nowMs = world.time.nowMs();
    if (await store.end(requested.id, nowMs)) return;
    const { kind } = await store.begin({ ...requested, dueMs: nowMs }, UNBOUNDED);
    if (kind === 'begun') return;
    // The queues are another subscription's by now. The user is not.
    await broker.takeAway({ ...requested, queues: [] }).catch((error: unknown) => {
      world.log.error(
        { user: requested.user?.username, error: String(error) },
        'a user of no subscription could not be deleted at the message broker: delete it there',
      );
    });
  }

  function refusalOf(error: unknown): Refusal {
    if (error instanceof QueueInTheWay) return problem('conflicting-resource', error.message);
    if (!(error instanceof BrokerFailed)) throw error;
    world.log.warn({ error: error.message }, 'a subscription could not be created at the message broker');
    return problem('internal-server-error', UNREACHABLE);
  }

  return {
    accounts,
    async subscribe({ fleetId, discriminator, topics }) {
      if (parts.amqpConnection === undefined) return NO_EXCHANGE;
      const shared = accounts?.shared();
      if (accounts === undefined || (accounts.kind === 'shared' && shared === undefined)) return NO_ACCOUNTS;
      const createdMs = world.time.nowMs();
      const id = world.ids.ulid();
      const username = shared?.username ?? `subscription-${id.toLowerCase()}`;
      const password = shared?.password ?? world.ids.secret(subscriptionLimits.passwordBytes);
      const requested: NewSubscription = {
        id,
        fleetId,
        discriminator,
        user:
          shared === undefined
            ? { username, secretHash: await world.crypto.hashSecret(password) }
            : undefined,
        queues: topics.map((topic) => ({ topic, name: queueName(topic, discriminator) })),
        createdMs,
        dueMs: createdMs + subscriptionLimits.makingMs,
      };
      // Before anything is written down: what is taken away later must be of this subscription's own making.
      const looked = taken(await store.look(requested, BOUNDS), requested);
      if (looked !== undefined) return looked;
      const inTheWay = await broker.expectFree(requested).then(() => undefined, refusalOf);
      if (inTheWay !== undefined) return inTheWay;
      sweeper.dueBy(requested.dueMs);
      const begun = taken(await store.begin(requested, BOUNDS), requested);
      if (begun !== undefined) return begun;
      const refusal = await makeAtBroker(requested, password);
      if (refusal !== undefined) return refusal;
      counters.add('subscriptions.made');
      return { subscription: requested, username, password };
    },
    async cancel(fleetId, id) {
      const subscription = await store.find(id);
      if (subscription?.fleetId !== fleetId) return 'unknown';
      const dueMs = world.time.nowMs() + subscriptionLimits.endingMs;
      sweeper.dueBy(dueMs);
      await store.end(id, dueMs);
      return (await sweeper.takeAway(subscription)) ? 'ended' : problem('internal-server-error', STILL_THERE);
    },
    async find(fleetId, id) {
      const subscription = await store.find(id);
      return subscription?.fleetId === fleetId ? subscription : undefined;
    },
    ofFleet: (fleetId) => store.ofFleet(fleetId),
    queues: async () => (await store.live()).flatMap(fleetQueues),
    ensure: (wanted) => standing.ensure(wanted),
    connected() {
      sweeper.wake();
      standing.wake();
    },
    changedElsewhere() {
      parts.amqpConnection?.subscribedElsewhere();
      standing.wake();
    },
    accountsCondition: watch.condition,
    stop() {
      watch.stop();
      sweeper.stop();
      standing.stop();
    },
  };
}

const NO_EXCHANGE = problem(
  'conflicting-resource',
  'This service has no message broker. Start it with one (--amqp).',
);
const NO_ACCOUNTS = problem(
  'conflicting-resource',
  "This service cannot create users at the message broker. Start it with --amqp-admin and the address of RabbitMQ's management interface, or with --amqp-consumer and an account that all consumers share.",
);
const UNREACHABLE =
  'The message broker could not be reached, or did not carry out the request. There is no subscription; try again. The operator has been notified.';
const STILL_THERE =
  'The subscription has ended, but the message broker could not be reached to delete its queues and its user. The service keeps trying; the operator has been notified.';

function taken(verdict: BeginResult, { discriminator }: NewSubscription): Refusal | undefined {
  switch (verdict.kind) {
    case 'begun':
      return undefined;
    case 'others':
      return problem(
        'conflicting-resource',
        `queue_discriminator: ${quote(discriminator)} is taken by another fleet. Choose another one.`,
      );
    case 'own':
      return problem(
        'conflicting-resource',
        verdict.isEnding
          ? `The queue ${verdict.queue} of a subscription that has ended, or was never finished, is being deleted. Try again in a while.`
          : `The queue ${verdict.queue} belongs to another subscription of the fleet. Delete that one first, or choose another discriminator.`,
      );
    case 'full':
      return problem(
        'conflicting-resource',
        `The fleet has ${subscriptionLimits.perFleet} subscriptions, which is the limit. Delete one first.`,
      );
    default:
      return verdict satisfies never;
  }
}
