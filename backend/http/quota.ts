import type { Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import { httpLimits } from './limits.ts';
import { problem, type Refusal } from './problem.ts';
import { type CallCount, makeCallWindow, retryAfterS } from './quota-window.ts';

/** What the quota says of one call of a client. */
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

/** The quota of `requestsPerMinute` calls for each client, of this backend alone; absent: as limits.ts has it. */
export function makeQuota(
  time: Pick<Time, 'nowMs'>,
  requestsPerMinute: number = limits.requestsPerMinute,
): (clientId: string) => QuotaResult {
  const bounds = {
    limit: requestsPerMinute,
    windowMs: httpLimits.quotaWindowMs,
    keys: httpLimits.quotaClients,
  };
  const window = makeCallWindow(bounds, time);
  return (clientId) => quotaResult(window.count(clientId), time.nowMs());
}

/** What a client is told of its quota after a call was counted. */
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
