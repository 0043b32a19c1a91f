import type { World } from '../../world/world.ts';
import { AccountsUnreachable, type QueueAccounts } from '../events/accounts.ts';
import { subscriptionLimits } from './limits.ts';

/** `none`: nobody makes accounts, or they cannot be away. */
export type AccountsCondition = 'none' | 'works' | 'away';

/** The administration of accounts, and how it stands with it. */
export interface AccountsWatch {
  /** The same accounts; how their calls end is noticed. */
  readonly accounts: QueueAccounts | undefined;
  condition(): AccountsCondition;
  stop(): void;
}

/**
 * Notices when the administration of the broker's accounts does not answer: by every call, and by a look of its own, at
 * the start and from then on, so that it is not found out by the first subscriber. It is said once, and once that it is
 * over; `back` is told then too.
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
        'the administration of the message broker does not answer: no subscription can be made or taken away until it does; it is tried again',
      );
      return;
    }
    world.log.warn({}, 'the administration of the message broker answers again');
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
