import { TOPICS } from '../../contract/messages.ts';
import {
  type AmqpPublisherSession,
  type AmqpQueueType,
  AmqpRefused,
} from '../../world/amqp/amqp-publisher.ts';
import { errorText } from '../../world/error-text.ts';
import type { Time } from '../../world/time/time.ts';
import { subscriptionLimits } from '../base/limits.ts';
import type { QueueAccounts } from '../events/accounts.ts';
import type { AmqpConnection } from '../events/amqp-connection.ts';
import { declareQueues, type FleetQueue, isNodeDown } from '../events/topology.ts';
import type { NewSubscription, Subscription } from '../store/port/subscription-store.ts';

/** A queue at the broker prevents the subscription; the message is for the caller. */
export class QueueConflict extends Error {
  override readonly name = 'QueueConflict';
}

/** The message broker, or its administration, failed. A retry is appropriate. */
export class BrokerFailed extends Error {
  override readonly name = 'BrokerFailed';
}

export interface BrokerProvisioningParts {
  readonly world: { readonly time: Time };
  /** The connection to the message broker. Undefined: no broker is configured. */
  readonly amqpConnection: Pick<AmqpConnection, 'session' | 'added' | 'removing'> | undefined;
  readonly accounts: QueueAccounts | undefined;
  readonly queueType: AmqpQueueType | undefined;
}

/** The part of a subscription at the message broker. Each call rejects with `BrokerFailed` if the broker fails. */
export interface BrokerProvisioning {
  /** Rejects with `QueueConflict` if the broker has one of the queues already. */
  expectFree(requested: Pick<NewSubscription, 'queues'>): Promise<void>;
  /** Declares and binds the queues. Rejects with `QueueConflict` if one exists with other arguments. */
  declare(requested: Pick<Subscription, 'fleetId' | 'queues'>): Promise<void>;
  /** Creates the user, who can sign in from then on; does nothing if all share an account. */
  grant(requested: Pick<Subscription, 'user' | 'queues'>, password: string): Promise<void>;
  /** Deletes the user and the queues; what does not exist is not an error. */
  takeAway(subscription: Subscription): Promise<void>;
}

export function makeBrokerProvisioning(parts: BrokerProvisioningParts): BrokerProvisioning {
  const { time } = parts.world;

  /** Uses the open session, which must still be open at the end: a new one may have missed something. */
  async function arrange(work: (session: AmqpPublisherSession) => Promise<void>): Promise<void> {
    const session = parts.amqpConnection?.session();
    if (session === undefined) throw new BrokerFailed('there is no connection to the message broker');
    await inTime(time, work(session));
    if (parts.amqpConnection?.session() !== session)
      throw new BrokerFailed('the connection to the message broker was lost');
  }

  return {
    expectFree: ({ queues }) =>
      asBrokerFailure(() =>
        arrange(async (session) => {
          for (const { name } of queues) {
            if (!(await session.hasQueue(name))) continue;
            throw new QueueConflict(
              `The message broker has a queue ${name} already, which belongs to no subscription. Delete that queue at the broker, or choose another discriminator.`,
            );
          }
        }),
      ),
    declare: (requested) =>
      asBrokerFailure(() =>
        arrange(async (session) => {
          const queues = fleetQueues(requested);
          const { refused, unreachable } = await declareQueues(session, queues, parts.queueType);
          if (refused.length > 0) throw new QueueConflict(refused.map(({ detail }) => detail).join(' '));
          if (unreachable.length > 0) throw new BrokerFailed('the node of a queue is down');
          parts.amqpConnection?.added(queues);
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
        parts.amqpConnection?.removing(queues.map(({ name }) => name));
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

const NO_ACCOUNTS = 'the settings contain no interface that creates users at the message broker';

async function revoke(accounts: QueueAccounts | undefined, username: string): Promise<void> {
  if (accounts === undefined || accounts.kind === 'shared')
    throw new BrokerFailed(`the user ${username} cannot be deleted: ${NO_ACCOUNTS}`);
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
    if (error instanceof QueueConflict || error instanceof BrokerFailed) throw error;
    if (error instanceof AmqpRefused && !isNodeDown(error))
      throw new QueueConflict(error.message, { cause: error });
    throw new BrokerFailed(errorText(error), { cause: error });
  }
}

/** A broker may accept a request and never answer it. */
function inTime(time: Time, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = time.alarm(time.nowMs() + subscriptionLimits.brokerMs, () =>
      reject(new BrokerFailed('the message broker did not answer')),
    );
    work.then(resolve, reject).finally(cancel);
  });
}
