import type { RecordedFrame } from '../evidence/evidence.ts';
import { judged, type Verdict } from '../verdict.ts';
import { limits } from './limits.ts';
import type { PointPlan } from './point.ts';

/** The frames of boxes by their ids, and until when they were watched. */
export interface WireEvidence {
  readonly frames: ReadonlyMap<string, readonly RecordedFrame[]>;
  readonly untilMs: number;
}

const point = (name: string, about: string): PointPlan => ({
  id: `wire/${name}`,
  about,
  clause: 'docs/wire.md, A connection',
});

/** What is promised of what the service sends to boxes, with what judges it. */
export const WIRE_POINTS: readonly {
  readonly plan: PointPlan;
  readonly judge: (evidence: WireEvidence) => Verdict;
}[] = [
  { plan: point('hello', 'Each hello is answered by a receipt.'), judge: judgeHellos },
  { plan: point('receipts', 'Each record is named by a receipt once it is stored.'), judge: judgeReceipts },
  { plan: point('clock', 'Frames of the service carry the time.'), judge: judgeClocks },
  {
    plan: point('expiry', 'Each request to a box expires, and not before it was sent.'),
    judge: judgeExpiries,
  },
  { plan: point('one command', 'A box has one request at a time.'), judge: judgeOneRequest },
];

function judgeHellos({ frames, untilMs }: WireEvidence): Verdict {
  const complaints: string[] = [];
  let count = 0;
  for (const [boxId, own] of frames)
    for (const [index, { atMs, direction, message }] of own.entries()) {
      if (direction !== 'up' || message.kind !== 'hello' || atMs + limits.receiptMs > untilMs) continue;
      count += 1;
      const after = own.slice(index + 1);
      const isAnswered = after.some(
        (one) =>
          one.direction === 'down' && one.message.kind === 'receipt' && one.atMs <= atMs + limits.receiptMs,
      );
      // A box that has lost its connection meanwhile says hello again.
      const isOver = after.some(
        (one) =>
          one.message.kind === 'hello' && one.direction === 'up' && one.atMs <= atMs + limits.receiptMs,
      );
      if (!isAnswered && !isOver)
        complaints.push(
          `The hello of ${boxId} at ${timeText(atMs)} had no receipt within ${limits.receiptMs / 1_000} s.`,
        );
    }
  return judged(
    'a receipt',
    complaints,
    { count, what: 'hellos' },
    'No box said hello while it was watched.',
  );
}

function judgeReceipts({ frames, untilMs }: WireEvidence): Verdict {
  const complaints: string[] = [];
  let count = 0;
  for (const [boxId, own] of frames) {
    const open = new Map<string, number>();
    for (const { atMs, direction, epoch, sequence, message } of own) {
      if (direction === 'up' && sequence > 0) {
        count += 1;
        if (!open.has(`${epoch}/${sequence}`)) open.set(`${epoch}/${sequence}`, atMs);
      }
      if (message.kind !== 'receipt') continue;
      const { contiguous, ranges } = message;
      for (const key of open.keys()) {
        const [of, place] = key.split('/').map(Number);
        if (of !== epoch || place === undefined) continue;
        if (place <= contiguous || ranges.some(([first, last]) => place >= first && place <= last))
          open.delete(key);
      }
    }
    for (const [key, atMs] of open)
      if (atMs + limits.settleMs <= untilMs)
        complaints.push(`The record ${key} of ${boxId}, sent at ${timeText(atMs)}, has no receipt.`);
  }
  return judged('a receipt for each record', complaints, { count, what: 'records' }, 'No box sent a record.');
}

function judgeClocks({ frames }: WireEvidence): Verdict {
  const down = downOf(frames);
  const complaints = down.flatMap(({ boxId, frame: { atMs, clockMs, message } }) =>
    Math.abs(clockMs - atMs) <= limits.clockMs
      ? []
      : [`A ${message.kind} to ${boxId} at ${timeText(atMs)} says ${timeText(clockMs)}.`],
  );
  return judged(
    'the time, to 5 s',
    complaints,
    { count: down.length, what: 'frames' },
    'No frame came to a box.',
  );
}

function judgeExpiries({ frames }: WireEvidence): Verdict {
  let count = 0;
  const complaints = downOf(frames).flatMap(({ boxId, frame: { atMs, clockMs, message } }) => {
    if (message.kind !== 'command' && message.kind !== 'configuration') return [];
    count += 1;
    const { expiresMs, requestId } = message;
    return expiresMs > clockMs && expiresMs <= atMs + limits.requestLifeMs
      ? []
      : [
          `The ${message.kind} ${requestId} to ${boxId} at ${timeText(atMs)} expires at ${timeText(expiresMs)}.`,
        ];
  });
  return judged(
    'an expiry in the next minutes',
    complaints,
    { count, what: 'requests' },
    'No box was asked for anything.',
  );
}

/** A request is open until its reply has come, or its expiry. */
function judgeOneRequest({ frames }: WireEvidence): Verdict {
  const complaints: string[] = [];
  let count = 0;
  for (const [boxId, own] of frames) {
    const open = new Map<string, number>();
    for (const { atMs, direction, message } of own) {
      if (message.kind === 'reply') open.delete(message.requestId);
      if (direction !== 'down' || (message.kind !== 'command' && message.kind !== 'configuration')) continue;
      count += 1;
      const others = [...open].filter(([id, untilMs]) => id !== message.requestId && untilMs > atMs);
      if (others.length > 0)
        complaints.push(
          `${message.requestId} was sent to ${boxId} at ${timeText(atMs)}, while ${others[0]?.[0] ?? ''} was open.`,
        );
      open.set(message.requestId, message.expiresMs);
    }
  }
  return judged(
    'one request at a time',
    complaints,
    { count, what: 'requests' },
    'No box was asked for anything.',
  );
}

function downOf(
  frames: WireEvidence['frames'],
): readonly { readonly boxId: string; readonly frame: RecordedFrame }[] {
  return [...frames].flatMap(([boxId, own]) =>
    own.flatMap((frame) => (frame.direction === 'down' ? [{ boxId, frame }] : [])),
  );
}

function timeText(ms: number): string {
  return Number.isSafeInteger(ms) && ms < 8.64e15 ? new Date(ms).toISOString() : String(ms);
}
