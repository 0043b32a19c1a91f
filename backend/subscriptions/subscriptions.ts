import { LIMITS } from '../../contract/limits.ts';
import { queueName } from '../../contract/messages.ts';
import { problem, type Refusal } from '../../contract/problems.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { subscriptionLimits } from '../base/limits.ts';
import { quote } from '../base/quoted-text.ts';
import type { QueueAccounts } from '../events/accounts.ts';
import type { AmqpConnection } from '../events/amqp-connection.ts';
import type { FleetQueue } from '../events/topology.ts';
import type {
  BeginResult,
  NewSubscription,
  Subscription,
  SubscriptionStore,
} from '../store/port/subscription-store.ts';
import { type AccountsCondition, type AccountsWatch, watchAccounts } from './accounts-watch.ts';
import {
  BrokerFailed,
  type BrokerProvisioning,
  type BrokerProvisioningParts,
  fleetQueues,
  makeBrokerProvisioning,
  QueueConflict,
} from './broker-provisioning.ts';
import {
  makeStandingSubscriptions,
  type StandingSubscription,
  type StandingSubscriptions,
} from './standing-subscriptions.ts';
import { makeSweeper, type Sweeper } from './sweeper.ts';

export interface SubscriptionsParts extends Omit<BrokerProvisioningParts, 'world'> {
  readonly amqpConnection:
    | Pick<AmqpConnection, 'session' | 'added' | 'removing' | 'subscribedElsewhere'>
    | undefined;
  readonly world: Pick<World, 'time' | 'ids' | 'crypto' | 'log'>;
  readonly store: SubscriptionStore;
  readonly counters: Counters;
}

/** The subscriptions to messages, in the store and at the message broker. */
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
  /** Another backend has made or ended a subscription. */
  changedElsewhere(): void;
  stop(): void;
}

export interface SubscriptionRequest {
  readonly fleetId: string;
  readonly discriminator: string;
  /** At least one of contract/messages.ts, none twice. */
  readonly topics: readonly string[];
}

export interface Subscribed {
  readonly subscription: Subscription;
  readonly username: string;
  readonly password: string;
}

/**
 * A subscription is stored as making, then made at the broker, then live; its deletion stores it as ending, deletes it
 * at the broker, then removes it. What fails half way, or is left by a killed process, is deleted by the sweeper, which
 * retries until it succeeds.
 */
export function makeSubscriptions(parts: SubscriptionsParts): Subscriptions {
  return new BrokerSubscriptions(parts);
}

class BrokerSubscriptions implements Subscriptions {
  readonly accounts: QueueAccounts | undefined;
  readonly #parts: SubscriptionsParts;
  readonly #world: SubscriptionsParts['world'];
  readonly #store: SubscriptionsParts['store'];
  readonly #counters: SubscriptionsParts['counters'];
  readonly #watch: AccountsWatch;
  readonly #accounts: QueueAccounts | undefined;
  readonly #broker: BrokerProvisioning;
  readonly #sweeper: Sweeper;
  readonly #standing: StandingSubscriptions;
  readonly #BOUNDS = { perFleet: LIMITS.subscription.perFleet };
  readonly #UNBOUNDED = { perFleet: Number.MAX_SAFE_INTEGER };

  constructor(parts: SubscriptionsParts) {
    this.#parts = parts;
    this.#world = parts.world;
    this.#store = parts.store;
    this.#counters = parts.counters;
    this.#watch = watchAccounts(this.#world, parts.accounts, () => {
      this.#sweeper.wake();
      this.#standing.wake();
    });
    this.#accounts = this.#watch.accounts;
    this.#broker = makeBrokerProvisioning({ ...parts, accounts: this.#accounts });
    this.#sweeper = makeSweeper({
      world: this.#world,
      store: this.#store,
      broker: this.#broker,
      counters: this.#counters,
    });
    this.#standing = makeStandingSubscriptions({
      world: this.#world,
      store: this.#store,
      broker: this.#broker,
      accounts: this.#accounts,
      begins: this.#sweeper.dueBy,
    });
    this.accounts = this.#accounts;
  }

  async subscribe({ fleetId, discriminator, topics }: SubscriptionRequest): Promise<Subscribed | Refusal> {
    if (this.#parts.amqpConnection === undefined) return NO_EXCHANGE;
    const shared = this.#accounts?.shared();
    if (this.#accounts === undefined || (this.#accounts.kind === 'shared' && shared === undefined))
      return NO_ACCOUNTS;
    const createdMs = this.#world.time.nowMs();
    const id = this.#world.ids.ulid();
    const username = shared?.username ?? `subscription-${id.toLowerCase()}`;
    const password = shared?.password ?? this.#world.ids.secret(subscriptionLimits.passwordBytes);
    const requested: NewSubscription = {
      id,
      fleetId,
      discriminator,
      user:
        shared === undefined
          ? { username, secretHash: await this.#world.crypto.hashSecret(password) }
          : undefined,
      queues: topics.map((topic) => ({ topic, name: queueName(topic, discriminator) })),
      createdMs,
      dueMs: createdMs + subscriptionLimits.makingMs,
    };
    // Before anything is stored: only what this subscription itself made may be deleted later.
    const looked = taken(await this.#store.look(requested, this.#BOUNDS), requested);
    if (looked !== undefined) return looked;
    const conflict = await this.#broker.expectFree(requested).then(
      () => undefined,
      (error) => this.#refusalOf(error),
    );
    if (conflict !== undefined) return conflict;
    this.#sweeper.dueBy(requested.dueMs);
    const begun = taken(await this.#store.begin(requested, this.#BOUNDS), requested);
    if (begun !== undefined) return begun;
    const refusal = await this.#makeAtBroker(requested, password);
    if (refusal !== undefined) return refusal;
    this.#counters.add('subscriptions.made');
    return { subscription: requested, username, password };
  }

  async cancel(fleetId: string, id: string): Promise<'ended' | 'unknown' | Refusal> {
    const subscription = await this.#store.find(id);
    if (subscription?.fleetId !== fleetId) return 'unknown';
    const dueMs = this.#world.time.nowMs() + subscriptionLimits.endingMs;
    this.#sweeper.dueBy(dueMs);
    await this.#store.end(id, dueMs);
    return (await this.#sweeper.takeAway(subscription))
      ? 'ended'
      : problem('internal-server-error', STILL_THERE);
  }

  async find(fleetId: string, id: string): Promise<Subscription | undefined> {
    const subscription = await this.#store.find(id);
    return subscription?.fleetId === fleetId ? subscription : undefined;
  }

  ofFleet(fleetId: string): Promise<readonly Subscription[]> {
    return this.#store.ofFleet(fleetId);
  }

  async queues(): Promise<readonly FleetQueue[]> {
    return (await this.#store.live()).flatMap(fleetQueues);
  }

  ensure(wanted: StandingSubscription): Promise<void> {
    return this.#standing.ensure(wanted);
  }

  connected(): void {
    this.#sweeper.wake();
    this.#standing.wake();
  }

  changedElsewhere(): void {
    this.#parts.amqpConnection?.subscribedElsewhere();
    this.#standing.wake();
  }

  accountsCondition(): AccountsCondition {
    return this.#watch.condition();
  }

  stop(): void {
    this.#watch.stop();
    this.#sweeper.stop();
    this.#standing.stop();
  }

  async #makeAtBroker(requested: NewSubscription, password: string): Promise<Refusal | undefined> {
    try {
      await this.#broker.declare(requested);
      await this.#broker.grant(requested, password);
      if (await this.#store.finish(requested.id)) return undefined;
      throw new BrokerFailed('it took too long');
    } catch (error) {
      this.#counters.add('subscriptions.failed');
      await this.#giveUp(requested);
      this.#sweeper.wake();
      return this.#refusalOf(error);
    }
  }

  /**
   * Stores that it must be deleted. If this took so long that another backend has deleted it already, parts of it may
   * have reached the broker since: it is stored again, and its names stay reserved until all parts are deleted.
   */
  async #giveUp(requested: NewSubscription): Promise<void> {
    const nowMs = this.#world.time.nowMs();
    if (await this.#store.end(requested.id, nowMs)) return;
    const { kind } = await this.#store.begin({ ...requested, dueMs: nowMs }, this.#UNBOUNDED);
    if (kind === 'begun') return;
    // The queues belong to another subscription by now. The user does not.
    await this.#broker.takeAway({ ...requested, queues: [] }).catch((error: unknown) => {
      this.#world.log.error(
        { user: requested.user?.username, error: String(error) },
        'a user of no subscription could not be deleted at the message broker: delete it there',
      );
    });
  }

  #refusalOf(error: unknown): Refusal {
    if (error instanceof QueueConflict) return problem('conflicting-resource', error.message);
    if (!(error instanceof BrokerFailed)) throw error;
    this.#world.log.warn(
      { error: error.message },
      'a subscription could not be created at the message broker',
    );
    return problem('internal-server-error', UNREACHABLE);
  }
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
        `The fleet has ${LIMITS.subscription.perFleet} subscriptions, which is the limit. Delete one first.`,
      );
    default:
      return verdict satisfies never;
  }
}
