import { REQUEST_KINDS } from '../../checkers.ts';
import type { AnsweredCall } from '../../evidence/evidence.ts';
import { RunTimes } from '../answers/run-times.ts';
import type { Checker } from '../check.ts';
import { Findings, nameOf } from '../findings.ts';
import { readRequests, type SeenReply, type SeenRequest } from './request-recording.ts';

/**
 * Compares the requests on the wire with each other: a command is sent only when the previous one of the same box is
 * answered, is past its expiry, or has been answered to its caller. Boxes of vehicles that were deleted or created
 * meanwhile are not compared: their commands end with the vehicles.
 */
export const oneOpenCommand: Checker = async (scope) => {
  const { evidence, vehicles } = scope;
  const times = new RunTimes(scope);
  const findings = new Findings();
  const calls = await evidence.calls();
  const changedHands = new Set(
    calls.flatMap(({ vehicle, method, path }) =>
      vehicle !== undefined && (method === 'DELETE' ? /^\/vehicles\/[^/]+$/ : /^\/vehicles$/).test(path)
        ? [vehicle.number]
        : [],
    ),
  );
  let sent = 0;
  for (const vehicle of vehicles) {
    if (vehicle.boxId === undefined || vehicle.group.isOnShelf || changedHands.has(vehicle.number)) continue;
    const { requests, replies } = await readRequests(evidence.frames(vehicle, REQUEST_KINDS));
    const inOrder = [...requests.values()].toSorted((a, b) => a.sentMs - b.sentMs);
    const own = calls.filter((call) => call.vehicle?.number === vehicle.number);
    sent += inOrder.length;
    for (const [index, next] of inOrder.entries()) {
      const before = inOrder[index - 1];
      if (before === undefined) continue;
      // A slow store opens it some time after it was created.
      const isSlow = times.isBroken('store slow', { fromMs: next.sentMs, toMs: next.seenMs });
      const openedMs = isSlow ? next.seenMs : next.sentMs;
      if (isEnded(before, replies.get(before.requestId), own, openedMs)) continue;
      // The earlier request may have been opened last, when the other one had ended.
      const isLater = before.seenMs > next.seenMs;
      if (isLater && isEnded(next, replies.get(next.requestId), own, before.seenMs)) continue;
      findings.add(
        'two open commands',
        `${nameOf(vehicle)} was sent ${next.command} (request ${next.requestId}) while ${before.command} (request ${before.requestId}) was open`,
        { vehicle, atMs: next.sentMs },
      );
    }
  }
  return findings.result([[sent, 'request']]);
};

function isEnded(
  request: SeenRequest,
  reply: SeenReply | undefined,
  calls: readonly AnsweredCall[],
  atMs: number,
): boolean {
  if (request.expiresMs <= atMs || (reply !== undefined && reply.atMs <= atMs)) return true;
  return calls.some(
    ({ path, askedMs, answeredMs }) =>
      path.endsWith(`/${request.command}`) &&
      askedMs <= request.sentMs &&
      answeredMs <= atMs &&
      answeredMs >= request.sentMs,
  );
}
