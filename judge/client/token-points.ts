import { failed, notSeen, passed } from '../verdict.ts';
import { evidenceOf } from './evidence.ts';
import { limits } from './limits.ts';
import { type AnsweredCall, type Call, callsOf, isAnswered, isTokenCall } from './observed.ts';
import { countText, type Point } from './point.ts';

/** An issued token. */
interface Grant {
  readonly call: Call;
  readonly token: number;
  readonly atMs: number;
  readonly lifeMs: number;
}

const grantsOf = (calls: readonly Call[]): readonly Grant[] =>
  calls.flatMap((call) => {
    const { answer } = call;
    if (!isTokenCall(call) || answer?.issued === undefined) return [];
    return [{ call, token: answer.issued.token, atMs: answer.atMs, lifeMs: answer.issued.lifeS * 1_000 }];
  });

const isRefusedToken = (call: Call): call is AnsweredCall => isAnswered(call, 401) && !isTokenCall(call);

/** What a client does with its access tokens. */
export const TOKEN_POINTS = [
  {
    name: 'token-reuse',
    about: 'It uses a token for many requests.',
    judge({ events }) {
      const calls = callsOf(events);
      const grants = grantsOf(calls);
      if (grants.length === 0) return notSeen('It got no token.');
      const refused = new Set(calls.filter(isRefusedToken).map(({ token }) => token));
      const wasted = grants.filter((grant, index) => {
        const next = grants[index + 1];
        return (
          next !== undefined &&
          !refused.has(grant.token) &&
          next.call.atMs - grant.atMs < grant.lifeMs * limits.earlyRenewal
        );
      });
      const requests = calls.length - calls.filter(isTokenCall).length;
      const text = `${countText(grants.length, 'token')} for ${countText(requests, 'request')}`;
      if (wasted.length >= limits.wastedTokens && wasted.length >= requests * limits.wastedShare)
        return failed(
          `${text}, and ${wasted.length} of them were replaced in the first fifth of their life.`,
          evidenceOf(wasted.map(({ call }) => call)),
        );
      return requests === 0 ? notSeen(`${text}: it made none.`) : passed(`${text}.`);
    },
  },
  {
    name: 'token-expiry',
    about: 'It gets a new token before its token ends or once it is refused, and uses the old one no more.',
    judge({ events }) {
      const calls = callsOf(events);
      const grants = grantsOf(calls);
      const lastMs = calls.filter((call) => !isTokenCall(call)).at(-1)?.atMs ?? 0;
      const ended = grants.filter(({ atMs, lifeMs }) => atMs + lifeMs <= lastMs);
      const refusals = calls.filter(isRefusedToken);
      if (ended.length === 0 && refusals.length === 0)
        return notSeen('It made no request so long after it got a token that the token had ended.');
      const firstRefusals = new Map<number, AnsweredCall>();
      for (const call of refusals) {
        const token = call.token ?? 0;
        const first = firstRefusals.get(token);
        if (first === undefined || call.answer.atMs < first.answer.atMs) firstRefusals.set(token, call);
      }
      for (const [token, first] of firstRefusals) {
        const late = calls.filter(
          (call) =>
            !isTokenCall(call) &&
            (call.token ?? 0) === token &&
            call.atMs > first.answer.atMs + limits.underWayMs &&
            !isExcused(calls, call),
        );
        if (late.length > limits.lateUses)
          return failed(
            `A token was refused with 401, and ${countText(late.length, 'request')} had it all the same later.`,
            evidenceOf([first, ...late]),
          );
      }
      const text =
        refusals.length === 0
          ? `${countText(ended.length, 'token')} ended, and each was replaced before.`
          : `${countText(firstRefusals.size, 'token')} refused, and replaced after ${countText(refusals.length, 'request')}.`;
      return passed(text, evidenceOf([...firstRefusals.values()]));
    },
  },
] as const satisfies readonly Point[];

/** It could get no other token: the last time that it asked for one it was refused. */
function isExcused(calls: readonly Call[], { atMs }: Call): boolean {
  const last = calls.filter((call) => isTokenCall(call) && call.atMs < atMs).at(-1);
  const hasFailed = last?.answer === undefined || last.answer.status !== 200;
  return last !== undefined && hasFailed && atMs - last.atMs < limits.repetitionMs;
}
