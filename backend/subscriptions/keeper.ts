import type { World } from '../../world/world.ts';
import type { QueueAccounts } from '../events/accounts.ts';
import { queueName } from '../events/topics.ts';
import type { Subscription, SubscriptionStore } from '../store/subscription-store.ts';
import { type BrokerSide, QueueInTheWay } from './broker-side.ts';
import { subscriptionLimits } from './limits.ts';

/** A subscription that whoever runs the service wants to be there, under names and credentials of its own. */
export interface KeptSubscription {
  readonly fleetId: string;
  readonly discriminator: string;
  /** At least one of topics.ts, none twice. */
  readonly topics: readonly string[];
  /** Without meaning where all consumers share one account. */
  readonly username: string;
  readonly password: string;
}

export interface KeeperParts {
  readonly world: Pick<World, 'time' | 'mint' | 'seal' | 'log'>;
  readonly store: Pick<SubscriptionStore, 'ofFleet' | 'begin' | 'finish' | 'setUser'>;
  readonly broker: Pick<BrokerSide, 'declare' | 'grant'>;
  readonly accounts: QueueAccounts | undefined;
  /** One is being written down that is overdue then, unless it becomes live. */
  begins(dueMs: number): void;
}

export interface Keeper {
  ensure(wanted: KeptSubscription): Promise<void>;
  /** The broker may have come back. */
  wake(): void;
  stop(): void;
}

/**
 * Nobody waits at the other end of a request here, so the subscription is live from the moment that it is written
 * down: the outlet declares its queues whenever the broker comes. A queue of that name that is at the broker already,
 * of an earlier data directory, is taken over.
 */
export function makeKeeper({ world, store, broker, accounts, begins }: KeeperParts): Keeper {
  const waiting = new Set<() => void>();
  let isOver = false;

  async function writtenDown(wanted: KeptSubscription): Promise<Subscription> {
    const { fleetId, discriminator, topics, username, password } = wanted;
    const isOwn = accounts?.kind === 'own';
    const user = isOwn ? { username, secretHash: await world.seal.hashSecret(password) } : undefined;
    const queues = topics.map((topic) => ({ topic, name: queueName(topic, discriminator) }));
    const known = (await store.ofFleet(fleetId)).find((one) =>
      queues.some(({ name }) => one.queues.some((queue) => queue.name === name)),
    );
    if (known !== undefined) {
      await store.setUser(known.id, user);
      return { ...known, user };
    }
    const createdMs = world.time.nowMs();
    const wish = { id: world.mint.ulid(), fleetId, discriminator, user, queues, createdMs };
    const dueMs = createdMs + subscriptionLimits.makingMs;
    begins(dueMs);
    const { kind } = await store.begin({ ...wish, dueMs }, { perFleet: Number.MAX_SAFE_INTEGER });
    if (kind !== 'begun') throw new Error(`The discriminator ${discriminator} is taken: ${kind}.`);
    await store.finish(wish.id);
    return wish;
  }

  async function make(subscription: Subscription, password: string): Promise<void> {
    try {
      await broker.declare(subscription);
    } catch (error) {
      if (!(error instanceof QueueInTheWay)) throw error;
      // It may be read as it is; whoever runs the service has to decide what becomes of it.
      world.log.error({ detail: error.message }, 'the message broker refuses a queue');
    }
    await broker.grant(subscription, password);
  }

  return {
    async ensure(wanted) {
      const subscription = await writtenDown(wanted);
      for (;;) {
        try {
          return await make(subscription, wanted.password);
        } catch (error) {
          if (isOver) return;
          world.log.info({ reason: String(error) }, 'a subscription waits for the message broker');
        }
        await new Promise<void>((resolve) => {
          const goOn = (): void => {
            cancel();
            waiting.delete(goOn);
            resolve();
          };
          const cancel = world.time.alarm(world.time.nowMs() + subscriptionLimits.retryMs, goOn);
          waiting.add(goOn);
        });
        if (isOver) return;
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
