import { ExchangeRefused, type ExchangeSession, type QueueType } from '../../world/exchange.ts';
import type { Time } from '../../world/time.ts';
import type { QueueAccounts } from '../events/accounts.ts';
import type { Outlet } from '../events/outlet.ts';
import { TOPICS } from '../events/topics.ts';
import { declareQueues, type FleetQueue } from '../events/topology.ts';
import type { NewSubscription, Subscription } from '../store/subscription-store.ts';
import { subscriptionLimits } from './limits.ts';

/** The broker has a queue that stands in the way; what it says is for the caller. */
export class QueueInTheWay extends Error {
  override readonly name = 'QueueInTheWay';
}

/** The message broker, or its administration, did not do what was asked. Asking again is right. */
export class BrokerFailed extends Error {
  override readonly name = 'BrokerFailed';
}

export interface BrokerSideParts {
  readonly world: { readonly time: Time };
  /** The way to the message broker. Undefined: there is none at all. */
  readonly outlet: Pick<Outlet, 'session' | 'added' | 'removing'> | undefined;
  readonly accounts: QueueAccounts | undefined;
  readonly queueType: QueueType | undefined;
}

/** What of a subscription is at the message broker. Each call rejects with `BrokerFailed` where the broker fails. */
export interface BrokerSide {
  /** Rejects with `QueueInTheWay` where the broker has one of the queues already. */
  expectFree(wish: Pick<NewSubscription, 'queues'>): Promise<void>;
  /** Declares and binds the queues. Rejects with `QueueInTheWay` where one with other arguments is there. */
  declare(wish: Pick<Subscription, 'fleetId' | 'queues'>): Promise<void>;
  /** Makes the user, who can sign in from then on; does nothing where all share an account. */
  grant(wish: Pick<Subscription, 'user' | 'queues'>, password: string): Promise<void>;
  /** Takes user and queues away; what is not there is no error. */
  takeAway(subscription: Subscription): Promise<void>;
}

export function makeBrokerSide(parts: BrokerSideParts): BrokerSide {
  const { time } = parts.world;

  /** Over the session that stands; it must stand at the end as well, or a new one may have missed something. */
  async function arrange(work: (session: ExchangeSession) => Promise<void>): Promise<void> {
    const session = parts.outlet?.session();
    if (session === undefined) throw new BrokerFailed('there is no connection to the message broker');
    await inTime(time, work(session));
    if (parts.outlet?.session() !== session)
      throw new BrokerFailed('the connection to the message broker was lost');
  }

  return {
    expectFree: ({ queues }) =>
      asBrokerFailure(() =>
        arrange(async (session) => {
          for (const { name } of queues) {
            if (!(await session.hasQueue(name))) continue;
            throw new QueueInTheWay(
              `The message broker has a queue ${name} already, which is of no subscription. Delete that queue at the broker, or choose another discriminator.`,
            );
          }
        }),
      ),
    declare: (wish) =>
      asBrokerFailure(() =>
        arrange(async (session) => {
          const refused = await declareQueues(session, fleetQueues(wish), parts.queueType);
          if (refused.length > 0) throw new QueueInTheWay(refused.map(({ detail }) => detail).join(' '));
          parts.outlet?.added(fleetQueues(wish));
        }),
      ),
    grant: ({ user, queues }, password) =>
      asBrokerFailure(async () => {
        if (user === undefined) return;
        if (parts.accounts === undefined) throw new BrokerFailed(NO_ACCOUNTS);
        const { username } = user;
        await parts.accounts.grant({ username, password, queues: queues.map(({ name }) => name) });
      }),
    takeAway: ({ user, queues }) =>
      asBrokerFailure(async () => {
        parts.outlet?.removing(queues.map(({ name }) => name));
        // Both are tried, whichever fails: without readers a queue only grows, and without queues a reader reads nothing.
        const ends = await Promise.allSettled([
          user === undefined ? undefined : revoke(parts.accounts, user.username),
          arrange(async (session) => {
            for (const { name } of queues) await session.deleteQueue(name);
          }),
        ]);
        for (const end of ends) if (end.status === 'rejected') throw end.reason;
      }),
  };
}

const NO_ACCOUNTS = 'the settings name nothing that makes users at the message broker';

async function revoke(accounts: QueueAccounts | undefined, username: string): Promise<void> {
  if (accounts === undefined || accounts.kind === 'shared')
    throw new BrokerFailed(`the user ${username} cannot be taken away: ${NO_ACCOUNTS}`);
  await accounts.revoke(username);
}

/** The queues of a subscription as they are declared. */
export function fleetQueues({
  fleetId,
  queues,
}: Pick<Subscription, 'fleetId' | 'queues'>): readonly FleetQueue[] {
  return queues.flatMap(({ topic, name }) => {
    const messages = TOPICS.find((row) => row.topic === topic)?.message;
    // A topic of a newer program; its queue is left as it is.
    return messages === undefined ? [] : [{ name, fleetId, messages }];
  });
}

async function asBrokerFailure(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof QueueInTheWay || error instanceof BrokerFailed) throw error;
    if (error instanceof ExchangeRefused) throw new QueueInTheWay(error.message, { cause: error });
    throw new BrokerFailed(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** A broker may take a request and never answer it. */
function inTime(time: Time, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = time.alarm(time.nowMs() + subscriptionLimits.brokerMs, () =>
      reject(new BrokerFailed('the message broker did not answer')),
    );
    work.then(resolve, reject).finally(cancel);
  });
}
