import { kindOf } from '../../../protocol/codec/kinds.ts';
import type { Hello } from '../../../protocol/message.ts';
import { limits } from '../limits.ts';
import { failed, judged, notTried, type PointPlan, type PointResult, passed } from '../point.ts';
import type { BoxLog, LoggedFrame } from './box-log.ts';
import { type BoxTrials, type TriedRequest, timesSent } from './box-trials.ts';

/** One box: what passed, and what was tried. */
export interface BoxEvidence {
  readonly log: BoxLog;
  readonly trials: BoxTrials;
}

const plan = (name: string, about: string, heading: string): PointPlan => ({
  ...{ id: `box/${name}`, about },
  clause: `docs/wire.md, ${heading}`,
});

/** What is promised of a box on the wire, with what judges it. */
export const BOX_POINTS: readonly {
  readonly plan: PointPlan;
  readonly judge: (evidence: BoxEvidence) => PointResult;
}[] = [
  {
    plan: plan(
      'frames',
      'Every payload is made of frames by the layouts, on a topic of the box.',
      'The envelope',
    ),
    judge: judgeFrames,
  },
  {
    plan: plan(
      'directions',
      'A box sends what goes up, and birth and gone alone on its presence topic.',
      'Topics',
    ),
    judge: judgeDirections,
  },
  {
    plan: plan(
      'hello',
      'A connection begins with birth and hello of one connection, and is ready after the receipt.',
      'A connection',
    ),
    judge: judgeHello,
  },
  {
    plan: plan(
      'presence',
      'The connection counter only rises, and a reset ends with gone or going-down.',
      'A connection',
    ),
    judge: judgePresence,
  },
  {
    plan: plan(
      'order',
      'Sequences rise without gaps; one place in the journal holds one record.',
      'The envelope',
    ),
    judge: judgeOrder,
  },
  {
    plan: plan('clock', 'After the first receipt the box knows the time.', 'A connection'),
    judge: judgeClock,
  },
  {
    plan: plan('status', 'request-system-status is answered with the status.', 'A connection'),
    judge: ({ trials }) =>
      judgeReply(trials.status, ['done'], ({ status }) => status !== undefined || 'it has no system status'),
  },
  {
    plan: plan('state', 'request-vehicle-state is answered with the signals.', 'A connection'),
    judge: ({ trials }) =>
      judgeReply(
        trials.state,
        ['done', 'unsupported'],
        ({ outcome, signals }) => outcome !== 'done' || signals !== undefined || 'it has no signals',
      ),
  },
  {
    plan: plan(
      'expiry',
      'A command past its expiry is answered expired, and not carried out.',
      'A connection',
    ),
    judge: ({ trials }) => judgeReply(trials.expired, ['expired']),
  },
  {
    plan: plan('at most once', 'A command that comes twice is answered by one record.', 'A connection'),
    judge: judgeOnce,
  },
  {
    plan: plan(
      'configuration',
      'A higher revision is taken, the same one confirmed, a lower one refused.',
      'A connection',
    ),
    judge: judgeConfiguration,
  },
  {
    plan: plan('repeats', 'A record without a receipt is sent again.', 'A connection'),
    judge: judgeRepeats,
  },
  {
    plan: plan(
      'reset',
      'A reset is confirmed; boot counter and connection rise, the epoch stays, and the box is ready again.',
      'A connection',
    ),
    judge: judgeReset,
  },
];

function upOf({ frames }: BoxLog): readonly LoggedFrame[] {
  return frames.filter(({ direction, isRetained }) => direction === 'up' && !isRetained);
}

function judgeFrames({ log }: BoxEvidence): PointResult {
  const complaints = log.faults.map(({ atMs, text }) => `${timeText(atMs)}: ${text}`);
  return judged(
    'frames by the layouts',
    complaints,
    { count: log.payloads, what: 'payloads' },
    'It sent nothing.',
  );
}

function judgeDirections({ log }: BoxEvidence): PointResult {
  const up = upOf(log);
  const complaints = up.flatMap(({ atMs, channel, frame }) => {
    const { name, direction } = kindOf(frame.message);
    const isPresence = name === 'birth' || name === 'gone';
    if (direction !== 'up') return [`${timeText(atMs)}: it sent a ${name}, which goes down.`];
    return isPresence === (channel === 'presence')
      ? []
      : [`${timeText(atMs)}: it sent a ${name} on ${channel}.`];
  });
  return judged(
    'each kind on its topic',
    complaints,
    { count: up.length, what: 'frames' },
    'It sent nothing.',
  );
}

function hellosOf(log: BoxLog): readonly (LoggedFrame & { readonly hello: Hello })[] {
  return upOf(log).flatMap((entry) => {
    const { message } = entry.frame;
    return message.kind === 'hello' ? [{ ...entry, hello: message }] : [];
  });
}

function judgeHello({ log, trials }: BoxEvidence): PointResult {
  const births = log.frames.flatMap(({ frame: { message } }) =>
    message.kind === 'birth' ? [message.connection] : [],
  );
  const hellos = hellosOf(log);
  const complaints = hellos.flatMap(({ hello }) => [
    ...(births.includes(hello.connection)
      ? []
      : [`The hello of connection ${hello.connection} has no birth.`]),
    ...(hello.lowestHeld >= 1 && hello.lowestHeld <= hello.nextSequence
      ? []
      : [`It holds from ${hello.lowestHeld}, and the next sequence is ${hello.nextSequence}.`]),
  ]);
  if (!trials.isReady) complaints.push(`No ready came within ${limits.helloMs / 1_000} s.`);
  return judged(
    'birth, hello, and ready after the receipt',
    complaints,
    { count: hellos.length, what: 'hellos' },
    'It said no hello.',
  );
}

function judgePresence({ log, trials }: BoxEvidence): PointResult {
  const complaints: string[] = [];
  let before = 0;
  for (const { hello } of hellosOf(log)) {
    if (hello.connection < before) complaints.push(`Connection ${hello.connection} follows ${before}.`);
    before = Math.max(before, hello.connection);
  }
  const births = upOf(log).filter(({ frame }) => frame.message.kind === 'birth').length;
  const { reset } = trials;
  if (reset?.reply?.outcome === 'done') {
    const isTold = log.find('gone', reset.sentMs) ?? log.find('going-down', reset.sentMs);
    if (isTold === undefined) complaints.push('Its reset came without gone and without going-down.');
  }
  return judged(
    'a rising connection counter',
    complaints,
    { count: births, what: 'connections' },
    'It did not connect while it was watched.',
  );
}

function judgeOrder({ log }: BoxEvidence): PointResult {
  const complaints: string[] = [];
  const contents = new Map<string, string>();
  let count = 0;
  let highest: { readonly epoch: number; readonly sequence: number } | undefined;
  const [first] = hellosOf(log);
  for (const { frame, bytes, atMs } of upOf(log)) {
    const { epoch, sequence, message } = frame;
    if (sequence === 0) continue;
    count += 1;
    const key = `${epoch}/${sequence}`;
    // The envelope of a repeated record has the clock and boot of its first sending.
    const known = contents.get(key);
    if (known !== undefined && known !== bytes)
      complaints.push(`${timeText(atMs)}: the record ${key} came with two contents.`);
    const isNew = known === undefined;
    contents.set(key, known ?? bytes);
    if (!isNew) continue;
    if (
      highest?.epoch === epoch &&
      sequence > highest.sequence + 1 &&
      message.kind !== 'tombstone' &&
      !isEarlier(log, highest.sequence, epoch, sequence)
    )
      complaints.push(
        `${timeText(atMs)}: ${sequence} follows ${highest.sequence}, and what is between never came.`,
      );
    if (highest === undefined || highest.epoch !== epoch || sequence > highest.sequence)
      highest = { epoch, sequence };
  }
  const [next] = first === undefined ? [] : [first.hello.nextSequence];
  const tooHigh = hellosOf(log).filter(
    ({ hello, frame }) =>
      highest !== undefined &&
      frame.epoch === highest.epoch &&
      hello.nextSequence > highest.sequence + 1 &&
      hello.nextSequence !== next,
  );
  for (const { hello } of tooHigh)
    complaints.push(
      `A hello says that ${hello.nextSequence} is next, and ${highest?.sequence ?? 0} was the last.`,
    );
  return judged(
    'rising sequences, one record each',
    complaints,
    { count, what: 'records' },
    'It sent no record.',
  );
}

/** Whether all records between these came at some time: events overtake reports. */
function isEarlier(log: BoxLog, from: number, epoch: number, to: number): boolean {
  for (let sequence = from + 1; sequence < to; sequence += 1)
    if (timesSent(log, epoch, sequence, 0) === 0) return false;
  return true;
}

function judgeClock({ log }: BoxEvidence): PointResult {
  const firstMs = log.frames.find(
    ({ direction, frame }) => direction === 'down' && frame.message.kind === 'receipt',
  )?.atMs;
  // Records of before, and what the broker publishes in the box's place, have the clock of their own time.
  const told = upOf(log).filter(
    ({ atMs, frame }) =>
      firstMs !== undefined &&
      atMs > firstMs &&
      ['ready', 'going-down', 'reply'].includes(frame.message.kind),
  );
  const seen = new Set<string>();
  const complaints = told.flatMap(({ atMs, frame: { epoch, sequence, clockMs, message } }) => {
    const key = `${epoch}/${sequence}`;
    const isRepeat = sequence > 0 && seen.has(key);
    seen.add(key);
    if (isRepeat || Math.abs(clockMs - atMs) <= limits.clockMs) return [];
    return [
      `${timeText(atMs)}: a ${message.kind} says ${clockMs === 0 ? 'that it does not know the time' : timeText(clockMs)}.`,
    ];
  });
  return judged(
    'the time, to 5 s',
    complaints,
    { count: told.length, what: 'frames' },
    'It sent nothing after a receipt.',
  );
}

function judgeReply(
  tried: TriedRequest | undefined,
  outcomes: readonly string[],
  isRight: (reply: NonNullable<TriedRequest['reply']>) => true | string = () => true,
): PointResult {
  const expected = `a reply ${outcomes.join(' or ')}`;
  if (tried === undefined) return notTried('The box did not get ready, or answered no command.');
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

function judgeOnce({ log, trials: { doubled } }: BoxEvidence): PointResult {
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

function judgeConfiguration({ trials }: BoxEvidence): PointResult {
  const results = [
    judgeReply(trials.configured, ['done']),
    judgeReply(trials.configuredAgain, ['done']),
    judgeReply(trials.configuredLower, ['conflicting-state']),
  ];
  return (
    results.find(({ result }) => result !== 'passed') ?? passed('a higher, the same and a lower revision')
  );
}

/** That it is sent no more after its receipt is not judged: after a reset it may be once, and before that there is too little time. */
function judgeRepeats({ log, trials: { withheld } }: BoxEvidence): PointResult {
  if (withheld === undefined || withheld.sequence === 0)
    return notTried('No record came whose receipt could be withheld.');
  const { epoch, sequence, sinceMs } = withheld;
  const times = timesSent(log, epoch, sequence, sinceMs);
  return times > 1
    ? passed(`${epoch}/${sequence}: ${times} times`)
    : failed(
        'the record again after 30 s',
        `The record ${epoch}/${sequence} had no receipt, and was sent once in ${limits.repeatMs / 1_000} s.`,
      );
}

function judgeReset({ log, trials: { reset } }: BoxEvidence): PointResult {
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

function timeText(ms: number): string {
  return Number.isSafeInteger(ms) && ms < 8.64e15 ? new Date(ms).toISOString() : String(ms);
}
