import { LIMITS } from '../../../contract/limits.ts';
import type { AnsweredCall } from '../../evidence/evidence.ts';
import { counted } from '../../wording.ts';
import type { Checker } from '../check.ts';
import { Findings } from '../findings.ts';
import { limits } from '../limits.ts';
import { RunTimes, type Span } from './run-times.ts';

/**
 * Compares the answers to each client of the scenario with its quota (docs/api.md, Limits), over all backends together:
 * in a window, which begins with the first call after an idle minute, at most the limit is served; nothing is refused
 * for the quota while clearly fewer calls were made; and a refusal states this, and when to retry. The clients of the
 * testbed are excluded, since its reads are not recorded; and so are times at which a backend could not count with the
 * others.
 */
export const quotaHolds: Checker = async (scope) => {
  const { evidence, plan, facts } = scope;
  const findings = new Findings();
  const calls = await evidence.calls();
  const refusals = calls.filter(isRefused);
  for (const call of refusals) judgeForm(call, findings);
  const limit = plan.rateLimit;
  // With a token of another client, the quota of that client counts, not of the named one.
  if (limit === undefined || plan.sharesTokens || evidence.unrecorded().calls > 0)
    return findings.result([[refusals.length, 'refusal']], ', and no limit to compare');
  const times = new RunTimes({ facts });
  const { backends } = plan;
  let windows = 0;
  for (const { name } of plan.clients) {
    const own = calls.filter(({ as }) => as === name).toSorted((one, other) => one.askedMs - other.askedMs);
    for (const fromMs of beginnings(own)) {
      windows += 1;
      const span = { fromMs, toMs: fromMs + LIMITS.quota.windowMs };
      const served = own.filter(
        (call) => isServed(call) && call.askedMs >= fromMs && call.answeredMs < span.toMs,
      );
      if (served.length > limit && !isUncounted(times, span, backends))
        findings.add(
          'more than its limit',
          `client ${name}: ${served.length} calls were served within a minute, and ${limit} is its limit`,
          { atMs: served[limit]?.answeredMs ?? fromMs },
        );
    }
    for (const refused of own.filter(isRefused)) {
      const span = { fromMs: refused.askedMs - LIMITS.quota.windowMs, toMs: refused.answeredMs };
      const asked = own.filter(
        (call) => !isRefused(call) && call.askedMs <= span.toMs && call.answeredMs >= span.fromMs,
      ).length;
      if (asked + backends < limit * limits.leastQuotaShare && !isUncounted(times, span, backends))
        findings.add(
          'refused below its limit',
          `client ${name}, call ${refused.call}: refused after ${asked} calls in a minute, and ${limit} is its limit`,
          { atMs: refused.answeredMs },
        );
    }
  }
  return findings.result([[windows, 'window']], ` of ${counted(calls.length, 'answer')}`);
};

const PROBLEM = '/problems/too-many-requests';

function isRefused({ status }: AnsweredCall): boolean {
  return status === 429;
}

/** Such answers were counted: a call that is refused for its method, body or token is not. */
function isServed({ status }: AnsweredCall): boolean {
  return (status >= 200 && status < 300) || status === 409;
}

function judgeForm(call: AnsweredCall, findings: Findings): void {
  const what = `call ${call.call}, ${call.method} ${call.path} as ${call.as}`;
  const about = { atMs: call.answeredMs };
  if (call.problem !== PROBLEM)
    findings.add('a refusal that does not say so', `${what}: ${call.problem ?? 'no problem'}`, about);
  const waitS = Number(call.retryAfter ?? Number.NaN);
  if (!(Number.isInteger(waitS) && waitS >= 1 && waitS * 1_000 <= LIMITS.quota.windowMs))
    findings.add(
      'a refusal that does not say when to try again',
      `${what}: Retry-After ${call.retryAfter ?? 'is missing'}`,
      about,
    );
}

/** When those calls began before which all earlier ones had been answered for a whole window; oldest first. */
function beginnings(calls: readonly AnsweredCall[]): readonly number[] {
  const found: number[] = [];
  let answeredMs = Number.NEGATIVE_INFINITY;
  for (const call of calls) {
    if (call.askedMs >= answeredMs + LIMITS.quota.windowMs) found.push(call.askedMs);
    answeredMs = Math.max(answeredMs, call.answeredMs);
  }
  return found;
}

/** Whether some backend may have counted for itself meanwhile, or forgotten what it had counted. */
function isUncounted(times: RunTimes, span: Span, backends: number): boolean {
  return (
    times.isBroken('store', span) ||
    times.isBroken('backend cut_off', span) ||
    (backends === 1 && times.isBroken('the service', span))
  );
}
