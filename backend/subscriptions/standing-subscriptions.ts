import { queueName } from '../../contract/messages.ts';
import type { World } from '../../world/world.ts';
import { subscriptionLimits } from '../base/limits.ts';
import type { QueueAccounts } from '../events/accounts.ts';
import type { Subscription, SubscriptionStore } from '../store/port/subscription-store.ts';
import { type BrokerProvisioning, QueueConflict } from './broker-provisioning.ts';

/** A subscription that the operator wants to exist, with given names and credentials. */
export interface StandingSubscription {
  readonly fleetId: string;
  readonly discriminator: string;
  /** At least one of contract/messages.ts, none twice. */
  readonly topics: readonly string[];
  /** Ignored if all consumers share one account. */
  readonly username: string;
  readonly password: string;
}

export interface StandingSubscriptionsParts {
  readonly world: Pick<World, 'time' | 'ids' | 'crypto' | 'log'>;
  readonly store: Pick<SubscriptionStore, 'ofFleet' | 'begin' | 'finish' | 'setUser'>;
  readonly broker: Pick<BrokerProvisioning, 'declare' | 'grant'>;
  readonly accounts: QueueAccounts | undefined;
  /** One is about to be stored that is due then, unless it becomes live. */
  begins(dueMs: number): void;
}

export interface StandingSubscriptions {
  ensure(wanted: StandingSubscription): Promise<void>;
  /** The broker may be back, or another backend has changed a subscription. */
  wake(): void;
  stop(): void;
}

/**
 * No request waits for an answer here, so the subscription is live as soon as it is stored: the AMQP
 * connection declares its queues when the broker is reachable. An existing queue of that name, left from an
 * earlier data directory, is taken over.
 */
export function makeStandingSubscriptions({
  world,
  store,
  broker,
  accounts,
  begins,
}: StandingSubscriptionsParts): StandingSubscriptions {
  const waiting = new Set<() => void>();
  let isOver = false;

  /** Undefined: it was stopped meanwhile. */
  async function writtenDown(wanted: StandingSubscription): Promise<Subscription | undefined> {
    const { fleetId, discriminator, topics, username, password } = wanted;
    const isOwn = accounts?.kind === 'own';
    const user = isOwn ? { username, secretHash: await world.crypto.hashSecret(password) } : undefined;
    const queues = topics.map((topic) => ({ topic, name: queueName(topic, discriminator) }));
    while (!isOver) {
      const known = (await store.ofFleet(fleetId)).find((one) =>
        queues.some(({ name }) => one.queues.some((queue) => queue.name === name)),
      );
      if (known !== undefined) {
        await store.setUser(known.id, user);
        return { ...known, user };
      }
      const createdMs = world.time.nowMs();
      const requested = { id: world.ids.ulid(), fleetId, discriminator, user, queues, createdMs };
      const dueMs = createdMs + subscriptionLimits.makingMs;
      begins(dueMs);
      const { kind } = await store.begin({ ...requested, dueMs }, { perFleet: Number.MAX_SAFE_INTEGER });
      if (kind === 'begun' && (await store.finish(requested.id))) return requested;
      if (kind === 'others')
        throw new Error(`The discriminator ${discriminator} is taken by another fleet. Choose another one.`);
      // Another backend is making the same one, or it was not finished and is being deleted.
      await pause();
    }
    return undefined;
  }

  /** Until a wake-up, or for a while. */
  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const goOn = (): void => {
        cancel();
        waiting.delete(goOn);
        resolve();
      };
      const cancel = world.time.alarm(world.time.nowMs() + subscriptionLimits.retryMs, goOn);
      waiting.add(goOn);
    });
  }

  async function make(subscription: Subscription, password: string): Promise<void> {
    try {
      await broker.declare(subscription);
    } catch (error) {
      if (!(error instanceof QueueConflict)) throw error;
      // It may be readable as it is; the operator must decide what to do with it.
      world.log.error({ detail: error.message }, 'the message broker refuses a queue');
    }
    await broker.grant(subscription, password);
  }

  return {
    async ensure(wanted) {
      const subscription = await writtenDown(wanted);
      while (subscription !== undefined && !isOver) {
        try {
          return await make(subscription, wanted.password);
        } catch (error) {
          if (isOver) return;
          world.log.info({ reason: String(error) }, 'a subscription waits for the message broker');
        }
        await pause();
      }
    },
    wake() {
      for (const goOn of [...waiting]) goOn();
    },
    stop() {
      isOver = true;
      for (const goOn of [...waiting]) goOn();
    },
  };
}
