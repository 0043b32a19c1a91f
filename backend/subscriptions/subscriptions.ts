import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import type { QueueAccounts } from '../events/accounts.ts';
import { queueName } from '../events/topics.ts';
import type { FleetQueue } from '../events/topology.ts';
import { problem, type Refusal } from '../http/problem.ts';
import { quote } from '../http/quote.ts';
import type {
  BeginVerdict,
  NewSubscription,
  Subscription,
  SubscriptionStore,
} from '../store/subscription-store.ts';
import { type AccountsCondition, watchAccounts } from './accounts-watch.ts';
import {
  BrokerFailed,
  type BrokerSideParts,
  fleetQueues,
  makeBrokerSide,
  QueueInTheWay,
} from './broker-side.ts';
import { type KeptSubscription, makeKeeper } from './keeper.ts';
import { subscriptionLimits } from './limits.ts';
import { makeSweeper } from './sweeper.ts';

export interface SubscriptionsParts extends Omit<BrokerSideParts, 'world'> {
  readonly world: Pick<World, 'time' | 'mint' | 'seal' | 'log'>;
  readonly store: SubscriptionStore;
  readonly counters: Counters;
}

/** Who has subscribed to messages, in the store and at the message broker. */
export interface Subscriptions {
  readonly accounts: QueueAccounts | undefined;
  /** Makes a subscription; resolves once it can be used. The only time that its password is told. */
  subscribe(wish: SubscriptionWish): Promise<Subscribed | Refusal>;
  /** `unknown`: the fleet has none of that id. A refusal: it has ended, but its queues could not be taken away yet. */
  cancel(fleetId: string, id: string): Promise<'ended' | 'unknown' | Refusal>;
  find(fleetId: string, id: string): Promise<Subscription | undefined>;
  ofFleet(fleetId: string): Promise<readonly Subscription[]>;
  /** All queues that are to be there. */
  queues(): Promise<readonly FleetQueue[]>;
  /**
   * Makes sure that a subscription of fixed names and credentials is there, at the broker as soon as that can be
   * reached; one that is there keeps its queues. Resolves once it can be used. Rejects where the names are taken.
   */
  ensure(wanted: KeptSubscription): Promise<void>;
  /** How it stands with whoever makes users at the broker. */
  accountsCondition(): AccountsCondition;
  /** A connection to the broker has been opened. */
  connected(): void;
  stop(): void;
}

export interface SubscriptionWish {
  readonly fleetId: string;
  readonly discriminator: string;
  /** At least one of topics.ts, none twice. */
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
    keeper.wake();
  });
  const { accounts } = watch;
  const broker = makeBrokerSide({ ...parts, accounts });
  const sweeper = makeSweeper({ world, store, broker, counters });
  const keeper = makeKeeper({ world, store, broker, accounts, begins: sweeper.dueBy });
  const BOUNDS = { perFleet: subscriptionLimits.perFleet };

  async function makeAtBroker(wish: NewSubscription, password: string): Promise<Refusal | undefined> {
    try {
      await broker.declare(wish);
      await broker.grant(wish, password);
      if (await store.finish(wish.id)) return undefined;
      throw new BrokerFailed('it took too long');
    } catch (error) {
      counters.add('subscriptions.failed');
      await store.end(wish.id, world.time.nowMs());
      sweeper.wake();
      return refusalOf(error);
    }
  }

  function refusalOf(error: unknown): Refusal {
    if (error instanceof QueueInTheWay) return problem('conflicting-resource', error.message);
    if (!(error instanceof BrokerFailed)) throw error;
    world.log.warn({ error: error.message }, 'a subscription could not be made at the message broker');
    return problem('internal-server-error', UNREACHABLE);
  }

  return {
    accounts,
    async subscribe({ fleetId, discriminator, topics }) {
      if (parts.outlet === undefined) return NO_EXCHANGE;
      const shared = accounts?.shared();
      if (accounts === undefined || (accounts.kind === 'shared' && shared === undefined)) return NO_ACCOUNTS;
      const createdMs = world.time.nowMs();
      const id = world.mint.ulid();
      const username = shared?.username ?? `subscription-${id.toLowerCase()}`;
      const password = shared?.password ?? world.mint.secret(subscriptionLimits.passwordBytes);
      const wish: NewSubscription = {
        id,
        fleetId,
        discriminator,
        user:
          shared === undefined ? { username, secretHash: await world.seal.hashSecret(password) } : undefined,
        queues: topics.map((topic) => ({ topic, name: queueName(topic, discriminator) })),
        createdMs,
        dueMs: createdMs + subscriptionLimits.makingMs,
      };
      // Before anything is written down: what is taken away later must be of this subscription's own making.
      const looked = taken(await store.look(wish, BOUNDS), wish);
      if (looked !== undefined) return looked;
      const inTheWay = await broker.expectFree(wish).then(() => undefined, refusalOf);
      if (inTheWay !== undefined) return inTheWay;
      sweeper.dueBy(wish.dueMs);
      const begun = taken(await store.begin(wish, BOUNDS), wish);
      if (begun !== undefined) return begun;
      const refusal = await makeAtBroker(wish, password);
      if (refusal !== undefined) return refusal;
      counters.add('subscriptions.made');
      return { subscription: wish, username, password };
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
    ensure: (wanted) => keeper.ensure(wanted),
    connected() {
      sweeper.wake();
      keeper.wake();
    },
    accountsCondition: watch.condition,
    stop() {
      watch.stop();
      sweeper.stop();
      keeper.stop();
    },
  };
}

const NO_EXCHANGE = problem(
  'conflicting-resource',
  'This service has no message broker. Start it with one (--amqp).',
);
const NO_ACCOUNTS = problem(
  'conflicting-resource',
  "This service cannot make users at the message broker. Start it with --amqp-admin and the address of RabbitMQ's management interface, or with --amqp-consumer and an account that all consumers share.",
);
const UNREACHABLE =
  'The message broker could not be reached, or did not do what it was asked. There is no subscription; try again. The operator has been told.';
const STILL_THERE =
  'The subscription has ended, but the message broker could not be reached to take its queues and its user away. The service goes on trying; the operator has been told.';

function taken(verdict: BeginVerdict, { discriminator }: NewSubscription): Refusal | undefined {
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
          ? `The queue ${verdict.queue} of a subscription that has ended, or was never finished, is being taken away. Try again in a while.`
          : `The queue ${verdict.queue} is of another subscription of the fleet. Delete that one first, or choose another discriminator.`,
      );
    case 'full':
      return problem(
        'conflicting-resource',
        `The fleet has ${subscriptionLimits.perFleet} subscriptions, as many as it may. Delete one first.`,
      );
    default:
      return verdict satisfies never;
  }
}
