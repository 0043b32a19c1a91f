import { calledOperation, ROOT_PATHS } from '../../contract/operations.ts';
import type { AnsweredCall } from '../evidence/evidence.ts';
import { ClientHistory } from './answers/client-history.ts';
import type { Checker } from './check.ts';
import { Findings } from './findings.ts';
import { limits } from './limits.ts';

/**
 * Compares each client's recording of its tokens with the answers: a token is accepted until its end and refused (401)
 * from then on, also from 5 s after its client was deleted; a missing or forged one is always refused. Undetermined
 * cases are not judged.
 */
export const tokensExpire: Checker = async ({ evidence, facts, factsDropped }) => {
  const findings = new Findings();
  const clients = new ClientHistory(facts);
  let count = 0;
  for (const call of await evidence.calls()) {
    const { status, token, as, askedMs, answeredMs } = call;
    if (status === 0 || !ROOT_PATHS.some((path) => isBelow(call.path, path))) continue;
    const verdict = verdictOf(call);
    if (verdict === 'not judged') continue;
    count += 1;
    const what = `call ${call.call}, ${call.method} ${call.path} as ${as}, answered ${status}`;
    const about = { ...(call.vehicle === undefined ? {} : { vehicle: call.vehicle }), atMs: answeredMs };
    const isTaken = verdict === 'taken';
    // Its life counts from when it was issued: between the request for it and its answer.
    const { endsMs = 0, latestMs = endsMs } = token ?? {};
    // With a failing store this is undetermined.
    if (isTaken && status < 500 && factsDropped === 0 && clients.isGone(as, call))
      findings.add('taken though its client is gone', what, about);
    if (!isTaken && clients.mayBeGone(as, call)) continue;
    if (token === undefined) {
      if (isTaken && (as === 'nobody' || as === 'forged')) findings.add('taken without a token', what, about);
    } else if (isTaken && askedMs >= latestMs + limits.tokenEndMs)
      findings.add('taken after its time', `${what}: ${seconds(askedMs - latestMs)} behind its end`, about);
    else if (!isTaken && answeredMs < endsMs - limits.tokenEndMs)
      findings.add(
        'refused before its time',
        `${what}: ${seconds(endsMs - answeredMs)} before its end`,
        about,
      );
  }
  return findings.result([[count, 'answer']]);
};

/**
 * Problems that rank before 401 are found before the token is checked (docs/api.md, Problems: the order of refusals).
 */
const BEFORE_TOKEN: ReadonlySet<number> = new Set([405, 413, 415]);

function verdictOf(call: AnsweredCall): 'taken' | 'refused' | 'not judged' {
  const { status } = call;
  // The 404 of an unknown path needs no token.
  if (BEFORE_TOKEN.has(status) || (status === 404 && calledOperation(call) === undefined))
    return 'not judged';
  return status === 401 ? 'refused' : 'taken';
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`) || path.startsWith(`${root}?`);
}

function seconds(durationMs: number): string {
  return `${Math.round(durationMs / 1_000)} s`;
}
