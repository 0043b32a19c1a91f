import type { Hello } from '../../../protocol/message.ts';
import { kindOf } from '../../../protocol/message-kinds.ts';
import { withArticle } from '../../../world/article.ts';
import { judged, type Verdict } from '../../verdict.ts';
import { limits } from '../limits.ts';
import type { BoxEvidence } from './box-evidence.ts';
import type { BoxLog, LoggedFrame } from './box-log.ts';

/** What the box sent while it was watched, in its order. */
export function upOf({ frames }: BoxLog): readonly LoggedFrame[] {
  return frames.filter(({ direction, isRetained }) => direction === 'up' && !isRetained);
}

/** The box sent nothing but frames. */
export function judgeFrames({ log }: BoxEvidence): Verdict {
  const complaints = log.faults.map(({ atMs, text }) => `${timeText(atMs)}: ${text}`);
  return judged(
    'frames by the layouts',
    complaints,
    { count: log.payloads, what: 'payloads' },
    'It sent nothing.',
  );
}

/** Each kind of frame is sent on its own topic. */
export function judgeDirections({ log }: BoxEvidence): Verdict {
  const up = upOf(log);
  const complaints = up.flatMap(({ atMs, channel, frame }) => {
    const { name, direction } = kindOf(frame.message);
    const isPresence = name === 'birth' || name === 'gone';
    if (direction !== 'up') return [`${timeText(atMs)}: it sent ${withArticle(name)}, which goes down.`];
    return isPresence === (channel === 'presence')
      ? []
      : [`${timeText(atMs)}: it sent ${withArticle(name)} on ${channel}.`];
  });
  return judged(
    'each kind on its topic',
    complaints,
    { count: up.length, what: 'frames' },
    'It sent nothing.',
  );
}

/** Its hellos, in their order. */
export function hellosOf(log: BoxLog): readonly (LoggedFrame & { readonly hello: Hello })[] {
  return upOf(log).flatMap((entry) => {
    const { message } = entry.frame;
    return message.kind === 'hello' ? [{ ...entry, hello: message }] : [];
  });
}

/** Each hello has its birth and a possible journal; one led to ready. */
export function judgeHello({ log, trials }: BoxEvidence): Verdict {
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

/** Its connection counter rises, and it reports a reset that it confirmed. */
export function judgePresence({ log, trials }: BoxEvidence): Verdict {
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

/** Sequences rise, one position in the journal has one content, and hellos contain the next sequence. */
export function judgeOrder({ log }: BoxEvidence): Verdict {
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

/** Whether all records between these were received at some time: events overtake reports. */
function isEarlier(log: BoxLog, from: number, epoch: number, to: number): boolean {
  for (let sequence = from + 1; sequence < to; sequence += 1)
    if (log.timesSent(epoch, sequence, 0) === 0) return false;
  return true;
}

/** What it sends after its first receipt has the time. */
export function judgeClock({ log }: BoxEvidence): Verdict {
  const firstMs = log.frames.find(
    ({ direction, frame }) => direction === 'down' && frame.message.kind === 'receipt',
  )?.atMs;
  // Earlier records, and what the broker publishes for the box, have the clock of their own time.
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
      `${timeText(atMs)}: ${withArticle(message.kind)} says ${clockMs === 0 ? 'that it does not know the time' : timeText(clockMs)}.`,
    ];
  });
  return judged(
    'the time, to 5 s',
    complaints,
    { count: told.length, what: 'frames' },
    'It sent nothing after a receipt.',
  );
}

function timeText(ms: number): string {
  return Number.isSafeInteger(ms) && ms < 8.64e15 ? new Date(ms).toISOString() : String(ms);
}
