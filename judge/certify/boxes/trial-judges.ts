import { failed, judged, notSeen, passed, type Verdict } from '../../verdict.ts';
import { limits } from '../limits.ts';
import type { BoxEvidence, TriedRequest } from './box-evidence.ts';
import { hellosOf, upOf } from './sent-judges.ts';

/** The reply to a request of a trial: one of these outcomes, and correct. `isRight` says why it is not. */
export function judgeReply(
  tried: TriedRequest | undefined,
  outcomes: readonly string[],
  isRight: (reply: NonNullable<TriedRequest['reply']>) => true | string = () => true,
): Verdict {
  const expected = `a reply ${outcomes.join(' or ')}`;
  if (tried === undefined) return notSeen('The box did not get ready, or answered no command.');
  const { reply, requestId } = tried;
  if (reply === undefined)
    return failed(expected, `${requestId}: no reply within ${limits.replyMs / 1_000} s.`);
  const right = isRight(reply);
  if (!outcomes.includes(reply.outcome))
    return failed(expected, `${requestId}: ${reply.outcome} ${reply.error}`);
  return right === true
    ? passed(`${reply.outcome} to ${requestId}`)
    : failed(expected, `${requestId}: ${right}`);
}

/** A command that arrives twice has one reply. */
export function judgeOnce({ log, trials: { doubled } }: BoxEvidence): Verdict {
  const first = judgeReply(doubled, ['done']);
  if (doubled === undefined || first.result !== 'passed') return first;
  const keys = new Set(
    upOf(log).flatMap(({ frame: { epoch, sequence, message } }) =>
      message.kind === 'reply' && message.requestId === doubled.requestId ? [`${epoch}/${sequence}`] : [],
    ),
  );
  return keys.size === 1
    ? first
    : failed('one record', `${doubled.requestId} has the replies ${[...keys].join(' and ')}.`);
}

/** Of three revisions the higher and the same one are accepted, and the lower is refused. */
export function judgeConfiguration({ trials }: BoxEvidence): Verdict {
  const results = [
    judgeReply(trials.configured, ['done']),
    judgeReply(trials.configuredAgain, ['done']),
    judgeReply(trials.configuredLower, ['conflicting-state']),
  ];
  return (
    results.find(({ result }) => result !== 'passed') ?? passed('a higher, the same and a lower revision')
  );
}

/**
 * Whether it is sent again after its receipt is not judged: after a reset it may be sent once more, and before that
 * there is too little time.
 */
export function judgeRepeats({ log, trials: { withheld } }: BoxEvidence): Verdict {
  if (withheld === undefined || withheld.sequence === 0)
    return notSeen('No record came whose receipt could be withheld.');
  const { epoch, sequence, sinceMs } = withheld;
  const times = log.timesSent(epoch, sequence, sinceMs);
  return times > 1
    ? passed(`${epoch}/${sequence}: ${times} times`)
    : failed(
        'the record again after 30 s',
        `The record ${epoch}/${sequence} had no receipt, and was sent once in ${limits.repeatMs / 1_000} s.`,
      );
}

/** After a reset the same journal continues, with one boot more. */
export function judgeReset({ log, trials: { reset } }: BoxEvidence): Verdict {
  const first = judgeReply(reset, ['done']);
  if (reset === undefined || first.result !== 'passed') return first;
  const hellos = hellosOf(log);
  const before = hellos.filter(({ atMs }) => atMs < reset.sentMs).at(-1);
  const after = hellos.find(({ atMs }) => atMs > reset.sentMs);
  if (after === undefined || reset.readyAgainMs === undefined)
    return failed('a hello and a ready afterwards', `None came within ${limits.restartMs / 1_000} s.`);
  const complaints = [
    ...(before !== undefined && after.frame.boot <= before.frame.boot
      ? [`Its boot counter was ${before.frame.boot}, and is ${after.frame.boot}.`]
      : []),
    ...(before !== undefined && after.hello.connection <= before.hello.connection
      ? [`Its connection was ${before.hello.connection}, and is ${after.hello.connection}.`]
      : []),
    ...(before !== undefined && after.frame.epoch !== before.frame.epoch
      ? [`Its epoch was ${before.frame.epoch}, and is ${after.frame.epoch}: its journal was lost.`]
      : []),
    ...(after.hello.resetReason === 'USER'
      ? []
      : [`Its reset reason is ${after.hello.resetReason}, and not USER.`]),
  ];
  const tookS = Math.round((reset.readyAgainMs - reset.sentMs) / 1_000);
  return judged(
    'the same journal after one boot more',
    complaints,
    { count: 1, what: `reset, ready after ${tookS} s` },
    '',
  );
}
