import type { WireEvidence } from '../../../judge/certify/wire-points.ts';
import type { RecordedFrame } from '../../../judge/evidence/evidence.ts';
import type { Hello, Message } from '../../../protocol/message.ts';
import type { PointFault, PointFaults } from './point-fault.ts';

const START_MS = Date.parse('2026-01-05T06:00:00Z');
const BOX = '0123456789abcdef';

const HELLO: Hello = {
  kind: 'hello',
  connection: 4,
  firmware: [2, 31],
  hardwareRevision: 3,
  resetReason: 'BROWN_OUT',
  lowestHeld: 1,
  nextSequence: 1,
  configurationRevision: 0,
};

const frame = (
  afterMs: number,
  direction: 'up' | 'down',
  sequence: number,
  message: Message,
): RecordedFrame => ({
  atMs: START_MS + afterMs,
  direction,
  epoch: 7,
  sequence,
  clockMs: START_MS + afterMs,
  message,
});

const receipt = (afterMs: number, contiguous: number): RecordedFrame =>
  frame(afterMs, 'down', 0, { kind: 'receipt', contiguous, ranges: [] });
const command = (afterMs: number, requestId: string): RecordedFrame =>
  frame(afterMs, 'down', 0, {
    kind: 'command',
    requestId,
    command: 'request-vehicle-state',
    expiresMs: START_MS + afterMs + 10_000,
  });
const reply = (afterMs: number, sequence: number, requestId: string): RecordedFrame =>
  frame(afterMs, 'up', sequence, { kind: 'reply', requestId, outcome: 'done', error: '', signals: {} });

/** A box that connects, reports, and answers two commands. */
const FRAMES: readonly RecordedFrame[] = [
  frame(0, 'up', 0, HELLO),
  receipt(100, 0),
  frame(200, 'up', 1, { kind: 'report', cause: 'time', signals: {} }),
  receipt(300, 1),
  command(1_000, 'first'),
  reply(1_200, 2, 'first'),
  receipt(1_300, 2),
  command(2_000, 'second'),
  reply(2_200, 3, 'second'),
  receipt(2_300, 3),
];

/** What a right service leaves. */
export const RIGHT_FRAMES: WireEvidence = {
  frames: new Map([[BOX, FRAMES]]),
  untilMs: START_MS + 60_000,
};

/** The same frames changed; undefined: it did not come. */
const service = (
  what: string,
  said: string,
  change: (frame: RecordedFrame, index: number) => RecordedFrame | undefined,
): PointFault<WireEvidence> => ({
  what: `a service that ${what}`,
  plant: ({ frames, untilMs }) => ({
    frames: new Map(
      [...frames].map(([boxId, own]) => [boxId, own.flatMap((one, index) => change(one, index) ?? [])]),
    ),
    untilMs,
  }),
  said,
});

const isReceipt = ({ message }: RecordedFrame): boolean => message.kind === 'receipt';

const expiring = (one: RecordedFrame, expiresMs: number): RecordedFrame =>
  one.message.kind === 'command' ? { ...one, message: { ...one.message, expiresMs } } : one;

/** By the name of the point. */
export const WIRE_FAULTS: PointFaults<WireEvidence> = {
  'wire/hello': [
    service('answers no hello', 'had no receipt within', (one) => (isReceipt(one) ? undefined : one)),
    service('answers a hello after half a minute', 'had no receipt within', (one) =>
      one.atMs > START_MS ? { ...one, atMs: one.atMs + 30_000 } : one,
    ),
  ],
  'wire/receipts': [
    service('forgets a record', 'The record 7/3', (one, index) => (index === 9 ? undefined : one)),
    service('names the records of another journal', 'has no receipt', (one) =>
      isReceipt(one) ? { ...one, epoch: 8 } : one,
    ),
  ],
  'wire/clock': [
    service('is six seconds late', 'A command to', (one) =>
      one.direction === 'down' ? { ...one, clockMs: one.clockMs - 6_000 } : one,
    ),
  ],
  'wire/expiry': [
    service('sends what has expired', 'expires at', (one) => expiring(one, one.clockMs)),
    service('sends what does not expire', 'expires at', (one) => expiring(one, one.atMs + 86_400_000)),
  ],
  'wire/one command': [
    service('does not wait for the reply', 'while first was open', (one, index) =>
      index === 5 ? { ...one, message: { kind: 'ready' } } : one,
    ),
  ],
};
