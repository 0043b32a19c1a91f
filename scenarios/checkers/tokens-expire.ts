import { COMMANDS } from '../../protocol/commands.ts';
import { counted } from '../language/document/counted.ts';
import { BULK } from '../run/request.ts';
import type { AnsweredCall } from '../testbed/port/evidence.ts';
import { ClientHistory } from './answers/client-history.ts';
import type { Checker } from './check.ts';
import { Findings } from './findings.ts';
import { limits } from './limits.ts';

/** Below these nothing is told without a token. */
const GUARDED = ['/vehicles', BULK, '/message-subscriptions'];

/**
 * Compares each client's recording of its tokens with the answers: a token is taken until its end and refused (401)
 * from then on, and so it is from 5 s after its client was deleted; who has none, or a forged one, is refused always.
 * Where neither was decided nothing is said.
 */
export const tokensExpire: Checker = async ({ evidence, facts, factsDropped }) => {
  const findings = new Findings();
  const clients = new ClientHistory(facts);
  let count = 0;
  for (const call of await evidence.calls()) {
    const { status, token, as, askedMs, answeredMs } = call;
    if (status === 0 || !GUARDED.some((path) => isBelow(call.path, path))) continue;
    const verdict = verdictOf(call);
    if (verdict === 'not judged') continue;
    count += 1;
    const what = `call ${call.call}, ${call.method} ${call.path} as ${as}, answered ${status}`;
    const about = { ...(call.vehicle === undefined ? {} : { vehicle: call.vehicle }), atMs: answeredMs };
    const isTaken = verdict === 'taken';
    // Its life counts from when it was issued: between the request for it and its answer.
    const { endsMs = 0, latestMs = endsMs } = token ?? {};
    // A store that fails leaves it open.
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
  return findings.result(counted(count, 'answer'));
};

/**
 * What ranks before 401 was answered before anybody looked at the token (docs/api.md, Problems: the order of
 * refusals).
 */
const BEFORE_TOKEN: ReadonlySet<number> = new Set([405, 413, 415]);

function verdictOf({
  status,
  path,
}: Pick<AnsweredCall, 'status' | 'path'>): 'taken' | 'refused' | 'not judged' {
  if (BEFORE_TOKEN.has(status) || (status === 404 && !isOperation(path))) return 'not judged';
  return status === 401 ? 'refused' : 'taken';
}

/** The paths of which a 404 says that something is not there: of any other it says that there is no such path. */
const OPERATIONS: readonly RegExp[] = [
  /^\/vehicles(\/[A-Z0-9]{5,12})?$/,
  new RegExp(`^/vehicles/[A-Z0-9]{5,12}/commands/(${COMMANDS.map(({ name }) => name).join('|')})$`),
  new RegExp(`^${BULK}(/[0-9A-Za-z-]+)?$`),
  /^\/message-subscriptions(\/[0-9A-Za-z-]+)?$/,
];

/** An operation whose 404 comes from behind the token's check. The 404 of a path that none has is for everybody. */
function isOperation(path: string): boolean {
  const [plain = ''] = path.split('?', 1);
  return OPERATIONS.some((operation) => operation.test(plain));
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`) || path.startsWith(`${root}?`);
}

function seconds(durationMs: number): string {
  return `${Math.round(durationMs / 1_000)} s`;
}
