import type { AnsweredCall } from '../run/evidence.ts';
import { BULK } from '../run/request.ts';
import type { Check } from './check.ts';
import { Findings } from './findings.ts';
import { limits } from './limits.ts';

/** Below these nothing is told without a token. */
const GUARDED = ['/vehicles', BULK, '/message-subscriptions'];

/**
 * Compares each client's book of its tokens with the answers: a token is taken until its end and refused (401) from
 * then on, and who has none, or a forged one, is refused always.
 */
export const tokensExpire: Check = async ({ evidence }) => {
  const findings = new Findings();
  let count = 0;
  for (const call of await evidence.calls()) {
    const { status, token, as, askedMs, answeredMs } = call;
    if (status === 0 || !GUARDED.some((path) => isBelow(call.path, path))) continue;
    count += 1;
    const what = `call ${call.call}, ${call.method} ${call.path} as ${as}, answered ${status}`;
    const about = { ...(call.player === undefined ? {} : { player: call.player }), atMs: answeredMs };
    const isTaken = !isRefused(call);
    if (token === undefined) {
      if (isTaken && (as === 'nobody' || as === 'forged')) findings.say('taken without a token', what, about);
    } else if (isTaken && askedMs >= token.endsMs + limits.tokenEndMs)
      findings.say(
        'taken after its time',
        `${what}: ${seconds(askedMs - token.endsMs)} behind its end`,
        about,
      );
    else if (!isTaken && answeredMs < token.endsMs - limits.tokenEndMs)
      findings.say(
        'refused before its time',
        `${what}: ${seconds(token.endsMs - answeredMs)} before its end`,
        about,
      );
  }
  return findings.checked(`${count} answers`);
};

/** What ranks before 401 says nothing of the token: 405, 413 and 415 (gaps.md, Order of refusals). */
function isRefused({ status }: AnsweredCall): boolean {
  return status === 401 || status === 405 || status === 413 || status === 415;
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`) || path.startsWith(`${root}?`);
}

function seconds(durationMs: number): string {
  return `${Math.round(durationMs / 1_000)} s`;
}
