import { counted } from '../../language/document/counted.ts';
import type { AnsweredCall } from '../../testbed/port/evidence.ts';
import type { Checker } from '../check.ts';
import { Findings } from '../findings.ts';
import { limits } from '../limits.ts';
import { RunTimes, type Span } from './run-times.ts';

/**
 * Compares the answers to each client of the scenario with its quota (docs/api.md, Limits), over all backends together: of a
 * window, which begins with the first call after a minute of silence, no more is served than the limit; nothing is refused for
 * it while clearly less than that was asked; and a refusal says so, and when to try again. The clients that the testbed looks
 * with are left out, since their looks are not recorded; and so are times at which a backend could not count with the others.
 */
export const quotaHolds: Checker = async (scope) => {
  const { evidence, scenario, facts } = scope;
  const findings = new Findings();
  const calls = await evidence.calls();
  for (const call of calls) if (isRefused(call)) judgeForm(call, findings);
  const limit = scenario.rateLimit;
  // Behind a token that is handed on stands another client than the one that is named.
  const isHandedOn = scenario.steps.some(
    ({ does }) => does?.kind === 'call' && does.call.bearer !== undefined,
  );
  if (limit === undefined || isHandedOn || evidence.unrecorded().calls > 0)
    return findings.result(`${counted(calls.length, 'answer')}, and no limit to compare`);
  const times = new RunTimes({ facts });
  const backends = scenario.backends ?? 1;
  let windows = 0;
  for (const { name } of scenario.clients) {
    const own = calls.filter(({ as }) => as === name).toSorted((one, other) => one.askedMs - other.askedMs);
    for (const fromMs of beginnings(own)) {
      windows += 1;
      const span = { fromMs, toMs: fromMs + limits.quotaWindowMs };
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
      const span = { fromMs: refused.askedMs - limits.quotaWindowMs, toMs: refused.answeredMs };
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
  return findings.result(`${counted(calls.length, 'answer')}, ${counted(windows, 'window')}`);
};

const PROBLEM = '/problems/too-many-requests';

function isRefused({ status }: AnsweredCall): boolean {
  return status === 429;
}

/** What is answered so was counted: a call that is refused for its method, body or token is not. */
function isServed({ status }: AnsweredCall): boolean {
  return (status >= 200 && status < 300) || status === 409;
}

function judgeForm(call: AnsweredCall, findings: Findings): void {
  const what = `call ${call.call}, ${call.method} ${call.path} as ${call.as}`;
  const about = { atMs: call.answeredMs };
  if (call.problem !== PROBLEM)
    findings.add('a refusal that does not say so', `${what}: ${call.problem ?? 'no problem'}`, about);
  const waitS = Number(call.retryAfter ?? Number.NaN);
  if (!(Number.isInteger(waitS) && waitS >= 1 && waitS * 1_000 <= limits.quotaWindowMs))
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
    if (call.askedMs >= answeredMs + limits.quotaWindowMs) found.push(call.askedMs);
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
