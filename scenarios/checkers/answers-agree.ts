import { DEEDS } from '../../simulator/firmware/deeds.ts';
import { counted } from '../language/counted.ts';
import type { Acted, AnsweredCall } from '../run/evidence.ts';
import type { Player } from '../run/theatre.ts';
import { OF_REQUESTS } from './books.ts';
import type { Check } from './check.ts';
import { Findings, nameOf } from './findings.ts';
import { type RequestBook, readRequests, type SeenRequest } from './request-book.ts';

const COMMAND = /^\/vehicles\/[^/]+\/(?:box-)?commands\/([a-z-]+)$/;

/** Details of a 504 in which the service says for certain that nothing was done. */
const CERTAIN = /did not connect|was not sent|was not carried out/;

/**
 * Compares each answer to a command with the wire and with the box's own log. 200 and 204: one of the requests that
 * went down meanwhile was answered `done`, and moved the outputs where the command does. A refusal (4xx), and a 504
 * that says that nothing was done: no request that can only be this call's was carried out. Any other 504, a 5xx and
 * an answer that never came may be either.
 */
export const answersAgree: Check = async ({ evidence, players }) => {
  const findings = new Findings();
  const isWireWhole = evidence.unbooked().frames === 0;
  const byPlayer = new Map<number, AnsweredCall[]>();
  for (const call of await evidence.calls()) {
    if (call.player?.boxId === undefined || call.method !== 'POST' || !COMMAND.test(call.path)) continue;
    const of = byPlayer.get(call.player.number) ?? [];
    byPlayer.set(call.player.number, of);
    of.push(call);
  }
  let count = 0;
  for (const player of players) {
    const calls = byPlayer.get(player.number);
    if (calls === undefined) continue;
    const wire = await readRequests(evidence.frames(player, OF_REQUESTS));
    const acted = await evidence.acted(player);
    count += calls.length;
    for (const { text, kind, atMs } of isWireWhole ? judgeCalls(player, calls, wire, acted) : [])
      findings.say(kind, text, { player, atMs });
  }
  return findings.checked(
    isWireWhole
      ? counted(count, 'answer')
      : 'nothing: the book of frames was full, and absence proves nothing',
  );
};

interface Disagreement {
  readonly kind: string;
  readonly text: string;
  readonly atMs: number;
}

function judgeCalls(
  player: Player,
  calls: readonly AnsweredCall[],
  wire: RequestBook,
  acted: readonly Acted[],
): readonly Disagreement[] {
  const moved = new Set(acted.map(({ requestId }) => requestId));
  const requests = [...wire.requests.values()];
  const found: Disagreement[] = [];
  /** Requests that a success has claimed: two successes need two. */
  const claimed = new Set<string>();
  const inOrder = calls.toSorted(
    (a, b) => Number(isSuccess(b)) - Number(isSuccess(a)) || a.askedMs - b.askedMs,
  );
  for (const call of inOrder) {
    const command = COMMAND.exec(call.path)?.[1] ?? '';
    const own = requests.filter((one) => isDuring(one, call, command));
    const what = `${call.status} to call ${call.call}, ${command}, of ${nameOf(player)}`;
    const say = (kind: string, why: string) =>
      found.push({ kind, text: `${what}: ${why}`, atMs: call.answeredMs });
    if (isSuccess(call)) {
      const done = own.find(({ requestId }) => {
        const reply = wire.replies.get(requestId);
        return !claimed.has(requestId) && reply?.outcome === 'done' && reply.atMs <= call.answeredMs;
      });
      if (done === undefined)
        say('a success that was none', `the box had not answered ${idsOf(own)} with 'done'`);
      else {
        claimed.add(done.requestId);
        if (isMove(command) && !moved.has(done.requestId))
          say('a success that moved nothing', `the outputs of the box did not move at ${idsOf([done])}`);
      }
    } else if (isRefusal(call)) {
      for (const request of own) {
        const { requestId } = request;
        const isOnlyIts = calls.every((other) => other === call || !isDuring(request, other, command));
        const isDone =
          moved.has(requestId) || (!isMove(command) && wire.replies.get(requestId)?.outcome === 'done');
        if (isOnlyIts && isDone)
          say(
            'a refusal that was carried out',
            `the box carried request ${requestId} out (${call.detail ?? ''})`,
          );
      }
    }
  }
  return found;
}

function isSuccess({ status }: AnsweredCall): boolean {
  return status === 200 || status === 204;
}

function isRefusal({ status, detail = '' }: AnsweredCall): boolean {
  return (status >= 400 && status < 500) || (status === 504 && CERTAIN.test(detail));
}

function isDuring(
  { command, sentMs }: SeenRequest,
  { askedMs, answeredMs, path }: AnsweredCall,
  name: string,
): boolean {
  return command === name && path.endsWith(`/${name}`) && sentMs >= askedMs && sentMs <= answeredMs;
}

function isMove(command: string): boolean {
  return Object.hasOwn(DEEDS, command) && DEEDS[command as keyof typeof DEEDS].do === 'actuate';
}

function idsOf(requests: readonly SeenRequest[]): string {
  return requests.length === 0
    ? 'any request: none crossed the wire'
    : requests.map(({ requestId }) => `request ${requestId}`).join(' or ');
}
