import { LIMITS } from '../../contract/limits.ts';
import { problem, type Refusal } from '../../contract/problems.ts';
import type { Time } from '../../world/time/time.ts';
import { type CallCount, makeCallWindow, retryAfterS } from '../base/call-window.ts';
import { httpLimits } from '../base/limits.ts';

/** The quota's result for one call of a client. */
export interface QuotaResult {
  /** For every answer to this call. The reset is in seconds since 1970. */
  readonly headers: Readonly<Record<string, string>>;
  /** The call is one too many; `headers` are for that refusal alone. */
  readonly refusal:
    | { readonly refusal: Refusal; readonly headers: Readonly<Record<string, string>> }
    | undefined;
}

/** Counts each call of each client. */
export type Quota = (clientId: string) => QuotaResult | Promise<QuotaResult>;

/** The quota of `requestsPerMinute` calls for each client, of this backend alone; absent: as contract/limits.ts has it. */
export function makeQuota(
  time: Pick<Time, 'nowMs'>,
  requestsPerMinute: number = LIMITS.quota.requests,
): (clientId: string) => QuotaResult {
  const bounds = {
    limit: requestsPerMinute,
    windowMs: LIMITS.quota.windowMs,
    keys: httpLimits.quotaClients,
  };
  const window = makeCallWindow(bounds, time);
  return (clientId) => quotaResult(window.count(clientId), time.nowMs());
}

/** The quota of a client after a call was counted, for its answer. */
export function quotaResult(counted: CallCount, nowMs: number): QuotaResult {
  if (!counted.isOver) return { headers: headersOf(counted), refusal: undefined };
  const waitS = retryAfterS(counted, nowMs);
  const detail = `The client has used its ${counted.limit} requests of this minute. Try again in ${waitS} s.`;
  return {
    headers: headersOf(counted),
    refusal: {
      refusal: problem('too-many-requests', detail),
      headers: { 'Retry-After': String(waitS) },
    },
  };
}

function headersOf(counted: CallCount): Record<string, string> {
  return {
    'X-Rate-Limit-Limit': String(counted.limit),
    'X-Rate-Limit-Remaining': String(counted.remaining),
    'X-Rate-Limit-Reset': String(Math.ceil(counted.resetMs / 1000)),
  };
}
