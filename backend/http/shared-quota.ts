import { LIMITS } from '../../contract/limits.ts';
import type { Time } from '../../world/time/time.ts';
import { httpLimits } from '../base/limits.ts';
import type { QuotaStore } from '../store/port/quota-store.ts';
import { StoreFailed } from '../store/port/store.ts';
import { makeQuota, type Quota, type QuotaResult, quotaResult } from './quota.ts';
import { afterAnswer, type QuotaShare, tellSpent, useOne } from './quota-share.ts';

/** A client that has called. */
interface KnownClient {
  share: QuotaShare | undefined;
  /** Calls that wait for the store. */
  waiting: number;
  /** The question in progress; resolves with whether the store has answered. */
  asking: Promise<boolean> | undefined;
}

/**
 * The quota of `requestsPerMinute` calls for each client, shared by all backends on the store: each reserves some calls
 * from time to time, and allows them on its own (backend/store/calls/quotas.ts).
 *
 * While the store fails, reserved calls are allowed; beyond that each backend counts for itself, as if it were alone: a
 * client is not refused for a fault of the service, and most calls need the store anyway.
 */
export function makeSharedQuota(
  time: Pick<Time, 'nowMs'>,
  store: QuotaStore,
  requestsPerMinute: number = LIMITS.quota.requests,
): Quota {
  const clients = new Map<string, KnownClient>();
  const alone = makeQuota(time, requestsPerMinute);

  function clientOf(clientId: string): KnownClient {
    const known = clients.get(clientId);
    if (known !== undefined) return known;
    const oldest = clients.size >= httpLimits.quotaClients ? clients.keys().next() : undefined;
    if (oldest?.done === false) clients.delete(oldest.value);
    const client: KnownClient = { share: undefined, waiting: 0, asking: undefined };
    clients.set(clientId, client);
    return client;
  }

  async function ask(clientId: string, client: KnownClient): Promise<boolean> {
    const askedMs = time.nowMs();
    const { share, spent } = tellSpent(client.share);
    client.share = share;
    try {
      const allotment = await store.take(clientId, {
        limit: requestsPerMinute,
        windowMs: LIMITS.quota.windowMs,
        wanted: client.waiting,
        spent,
      });
      client.share = afterAnswer(client.share, allotment, askedMs);
      return true;
    } catch (error) {
      if (!(error instanceof StoreFailed)) throw error;
      return false;
    } finally {
      client.asking = undefined;
    }
  }

  return async (clientId): Promise<QuotaResult> => {
    const client = clientOf(clientId);
    for (;;) {
      const { share, verdict } = useOne(client.share, time.nowMs());
      client.share = share;
      if (share !== undefined && verdict !== 'ask') {
        const { calls, left, resetMs } = share;
        const counted = {
          limit: requestsPerMinute,
          remaining: calls + left,
          resetMs,
          isOver: verdict === 'over',
        };
        return quotaResult(counted, time.nowMs());
      }
      client.waiting += 1;
      client.asking ??= ask(clientId, client);
      const hasAnswered = await client.asking.finally(() => {
        client.waiting -= 1;
      });
      if (!hasAnswered) return alone(clientId);
    }
  };
}
