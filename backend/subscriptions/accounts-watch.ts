import type { World } from '../../world/world.ts';
import { subscriptionLimits } from '../base/limits.ts';
import { AccountsUnreachable, type QueueAccounts } from '../events/accounts.ts';

/** `none`: there is no administration of accounts, or it is always reachable. */
export type AccountsCondition = 'none' | 'works' | 'away';

/** The administration of accounts, and its condition. */
export interface AccountsWatch {
  /** The same accounts; the results of their calls are noticed. */
  readonly accounts: QueueAccounts | undefined;
  condition(): AccountsCondition;
  stop(): void;
}

/**
 * Notices when the administration of the broker's accounts does not answer: by every call, and by periodic checks from
 * the start, so that a failure is noticed before the first subscriber. Failure and recovery are logged once each;
 * `back` is called on recovery.
 */
export function watchAccounts(
  world: Pick<World, 'time' | 'log'>,
  given: QueueAccounts | undefined,
  back: () => void,
): AccountsWatch {
  const check = given?.check;
  if (given === undefined || check === undefined)
    return { accounts: given, condition: () => 'none', stop: () => undefined };
  let condition: AccountsCondition = 'works';
  let isOver = false;
  let cancelAlarm = (): void => undefined;

  function ended(error: unknown): void {
    const isAway = error instanceof AccountsUnreachable;
    if (isOver || (error !== undefined && !isAway) || isAway === (condition === 'away')) return;
    condition = isAway ? 'away' : 'works';
    if (isAway) {
      world.log.warn(
        { reason: error.message },
        'the management interface of the message broker does not answer: no subscription can be created or deleted until it does; the service keeps trying',
      );
      return;
    }
    world.log.warn({}, 'the management interface of the message broker answers again');
    back();
  }

  async function noticed(work: Promise<void>): Promise<void> {
    try {
      await work;
      ended(undefined);
    } catch (error) {
      ended(error);
      throw error;
    }
  }

  async function look(): Promise<void> {
    await noticed(check?.() ?? Promise.resolve()).catch(() => undefined);
    if (isOver) return;
    const waitMs = condition === 'away' ? subscriptionLimits.retryMs : subscriptionLimits.accountsLookMs;
    cancelAlarm = world.time.alarm(world.time.nowMs() + waitMs, () => void look());
  }

  void look();
  return {
    accounts: {
      ...given,
      grant: (account) => noticed(given.grant(account)),
      revoke: (username) => noticed(given.revoke(username)),
    },
    condition: () => condition,
    stop() {
      isOver = true;
      cancelAlarm();
    },
  };
}
