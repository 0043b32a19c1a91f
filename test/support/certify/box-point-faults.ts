import type { BoxEvidence, BoxTrials, TriedRequest } from '../../../judge/certify/boxes/box-evidence.ts';
import { BoxLog, type LoggedFrame } from '../../../judge/certify/boxes/box-log.ts';
import { encodeFrame } from '../../../protocol/codec/frame.ts';
import type { Frame, Hello, Message, Reply, SystemStatus } from '../../../protocol/message.ts';
import { topics } from '../../../protocol/topics.ts';
import type { PointFault, PointFaults } from './point-fault.ts';

const START_MS = Date.parse('2026-01-05T06:00:00Z');
const BOX = '0123456789abcdef';
const EPOCH = 7;

/** What passes between a box and the service in its place, and what the trials saw. */
interface Story {
  readonly frames: readonly LoggedFrame[];
  readonly trials: BoxTrials;
  /** Payloads as they came, beside the frames. */
  readonly payloads: readonly (readonly [topic: string, payload: Uint8Array])[];
}

const entry = (
  afterMs: number,
  direction: 'up' | 'down',
  more: Partial<Frame> & { readonly message: Message },
): LoggedFrame => {
  const { kind } = more.message;
  const isPresence = kind === 'birth' || kind === 'gone';
  const up = isPresence ? 'presence' : 'up';
  const frame: Frame = {
    generation: 1,
    epoch: EPOCH,
    boot: 3,
    sequence: 0,
    clockMs: START_MS + afterMs,
    message: more.message,
  };
  return written({
    atMs: START_MS + afterMs,
    direction,
    channel: direction === 'down' ? 'down' : up,
    isRetained: false,
    frame: Object.assign(frame, more),
    bytes: '',
  });
};

/** Its bytes are those of its frame. */
const written = (one: Omit<LoggedFrame, 'bytes'> & { readonly bytes: string }): LoggedFrame => ({
  atMs: one.atMs,
  direction: one.direction,
  channel: one.channel,
  isRetained: one.isRetained,
  frame: one.frame,
  bytes: JSON.stringify(one.frame),
});

const hello = (connection: number, nextSequence: number, resetReason: Hello['resetReason']): Hello => ({
  kind: 'hello',
  connection,
  firmware: [2, 31],
  hardwareRevision: 3,
  resetReason,
  lowestHeld: 1,
  nextSequence,
  configurationRevision: 0,
});

const reply = (requestId: string, more: Partial<Reply> = {}): Reply =>
  Object.assign({ kind: 'reply', requestId, outcome: 'done', error: '' } as const, more);

/** What stands in it makes no difference to a point. */
const STATUS = {} as SystemStatus;

/** The replies of a right box, in the order of its records, after the second at which each comes. */
const REPLIES = {
  status: reply('status', { status: STATUS }),
  state: reply('state', { signals: {} }),
  expired: reply('expired', { outcome: 'expired' }),
  doubled: reply('doubled'),
  configured: reply('configured'),
  configuredAgain: reply('configuredAgain'),
  configuredLower: reply('configuredLower', { outcome: 'conflicting-state', error: 'a lower revision' }),
  withheld: reply('withheld'),
  reset: reply('reset'),
} as const satisfies Readonly<Record<string, Reply>>;
const TRIED = Object.keys(REPLIES) as readonly (keyof typeof REPLIES)[];
const afterMsOf = (name: keyof typeof REPLIES): number => 10_000 * (TRIED.indexOf(name) + 1);

const sentMsOf = (name: keyof typeof REPLIES): number => START_MS + afterMsOf(name) - 200;
const tried = (name: keyof typeof REPLIES): TriedRequest => ({
  requestId: name,
  sentMs: sentMsOf(name),
  reply: REPLIES[name],
});

function rightStory(): Story {
  const frames = [
    entry(0, 'up', { message: { kind: 'birth', connection: 4 } }),
    entry(10, 'up', { message: hello(4, 1, 'BROWN_OUT'), clockMs: 0 }),
    entry(100, 'down', { message: { kind: 'receipt', contiguous: 0, ranges: [] } }),
    entry(200, 'up', { message: { kind: 'ready' } }),
    ...TRIED.map((name, index) =>
      entry(afterMsOf(name), 'up', { sequence: index + 1, message: REPLIES[name] }),
    ),
    // The record whose receipt was withheld, again.
    entry(82_000, 'up', {
      sequence: 8,
      message: REPLIES.withheld,
      clockMs: START_MS + afterMsOf('withheld'),
    }),
    entry(90_500, 'up', { message: { kind: 'going-down', connection: 4, reason: 'reset', expectedS: 20 } }),
    entry(110_000, 'up', { boot: 4, message: { kind: 'birth', connection: 5 } }),
    entry(110_010, 'up', { boot: 4, message: hello(5, 10, 'USER') }),
    entry(110_200, 'up', { boot: 4, message: { kind: 'ready' } }),
  ].toSorted((one, other) => one.atMs - other.atMs);
  const trials: BoxTrials = {
    boxId: BOX,
    beganMs: START_MS - 1_000,
    isReady: true,
    status: tried('status'),
    state: tried('state'),
    expired: tried('expired'),
    doubled: tried('doubled'),
    configured: tried('configured'),
    configuredAgain: tried('configuredAgain'),
    configuredLower: tried('configuredLower'),
    withheld: { epoch: EPOCH, sequence: 8, sinceMs: sentMsOf('withheld') },
    reset: Object.assign({ readyAgainMs: START_MS + 110_200 }, tried('reset')),
  };
  const birth = encodeFrame(entry(0, 'up', { message: { kind: 'birth', connection: 4 } }).frame);
  return { frames, trials, payloads: [[topics.presence(BOX), birth]] };
}

function evidenceOf({ frames, trials, payloads }: Story): BoxEvidence {
  const log = new BoxLog(BOX);
  for (const [topic, payload] of payloads) log.take(START_MS, topic, payload, true);
  log.frames.splice(0, log.frames.length, ...frames);
  return { log, trials };
}

/** A box that does all of it right. */
export const RIGHT_BOX: BoxEvidence = evidenceOf(rightStory());

type Fault = PointFault<BoxEvidence>;

const box = (what: string, said: string, change: (story: Story) => Partial<Story>): Fault => ({
  what: `a box that ${what}`,
  plant: () => {
    const right = rightStory();
    return evidenceOf(Object.assign(right, change(right)));
  },
  said,
});

/** The frames of the box changed; undefined: it did not send it. */
const sends = (
  what: string,
  said: string,
  change: (one: LoggedFrame, index: number) => LoggedFrame | readonly LoggedFrame[] | undefined,
): Fault =>
  box(what, said, ({ frames }) => ({
    frames: frames.flatMap((one, index) => (one.direction === 'down' ? [one] : (change(one, index) ?? []))),
  }));

const withFrame = (one: LoggedFrame, more: Partial<Frame>): LoggedFrame =>
  written({
    atMs: one.atMs,
    direction: one.direction,
    channel: one.channel,
    isRetained: one.isRetained,
    frame: Object.assign(structuredClone(one.frame), more),
    bytes: '',
  });

const withHello = (more: Partial<Hello>, connection: number) => (one: LoggedFrame) =>
  one.frame.message.kind === 'hello' && one.frame.message.connection === connection
    ? withFrame(one, { message: Object.assign(structuredClone(one.frame.message), more) })
    : one;

const isKind =
  (...kinds: readonly Message['kind'][]) =>
  ({ frame }: LoggedFrame): boolean =>
    kinds.includes(frame.message.kind);

/** The trial of that name with another reply, or without one. */
const answers = (
  what: string,
  said: string,
  name: Exclude<keyof typeof REPLIES, 'withheld' | 'reset'>,
  given: Reply | undefined,
): Fault =>
  box(what, said, ({ trials }) => ({
    trials: Object.assign(trials, { [name]: { requestId: name, sentMs: sentMsOf(name), reply: given } }),
  }));

/** By the name of the point. */
export const BOX_POINT_FAULTS: PointFaults<BoxEvidence> = {
  'box/frames': [
    box('sends what is no frame', 'A payload of 3 bytes', ({ payloads }) => ({
      payloads: [...payloads, [topics.up(BOX), Uint8Array.of(1, 2, 3)]],
    })),
    box('publishes in a partition of another', 'which is no topic of its partition', ({ payloads }) => ({
      payloads: [
        ...payloads,
        [
          'boxes/99/0123456789abcdef/up',
          encodeFrame(withFrame(rightStory().frames[3] as LoggedFrame, {}).frame),
        ],
      ],
    })),
  ],
  'box/directions': [
    sends('sends its birth with its frames', 'it sent a birth on up', (one) =>
      isKind('birth')(one) ? Object.assign(written(one), { channel: 'up' }) : one,
    ),
    sends('sends receipts', 'it sent a receipt, which goes down', (one) =>
      isKind('ready')(one)
        ? withFrame(one, { message: { kind: 'receipt', contiguous: 0, ranges: [] } })
        : one,
    ),
  ],
  'box/hello': [
    sends('says hello without a birth', 'The hello of connection 4 has no birth', (one) =>
      isKind('birth')(one) ? undefined : one,
    ),
    sends('holds what is not written', 'It holds from 30', withHello({ lowestHeld: 30 }, 5)),
    box('never gets ready', 'No ready came within', ({ trials }) => ({
      trials: Object.assign(trials, { isReady: false }),
    })),
  ],
  'box/presence': [
    sends('counts its connections down', 'Connection 3 follows 4', withHello({ connection: 3 }, 5)),
    sends('goes without a word', 'without gone and without going-down', (one) =>
      isKind('going-down')(one) ? undefined : one,
    ),
  ],
  'box/order': [
    sends('leaves a record out', '5 follows 3', (one) => (one.frame.sequence === 4 ? undefined : one)),
    sends('writes another record in the same place', 'came with two contents', (one) =>
      one.atMs === START_MS + 82_000 ? withFrame(one, { message: REPLIES.status }) : one,
    ),
    sends(
      'says hello with a sequence of the future',
      'A hello says that 99 is next',
      withHello({ nextSequence: 99 }, 5),
    ),
  ],
  'box/clock': [
    sends('does not know the time', 'says that it does not know the time', (one) =>
      withFrame(one, { clockMs: 0 }),
    ),
    sends('is six seconds late', 'a reply says', (one) => withFrame(one, { clockMs: one.atMs - 6_000 })),
  ],
  'box/status': [
    answers('answers nothing', 'no reply within', 'status', undefined),
    answers('answers without its status', 'it has no system status', 'status', reply('status')),
    answers('fails', 'failed modem', 'status', reply('status', { outcome: 'failed', error: 'modem' })),
  ],
  'box/state': [
    answers('answers nothing', 'no reply within', 'state', undefined),
    answers('answers without signals', 'it has no signals', 'state', reply('state')),
  ],
  'box/expiry': [answers('carries out what has expired', 'expired: done', 'expired', reply('expired'))],
  'box/at most once': [
    sends('answers twice', 'has the replies 7/4 and 7/11', (one) =>
      one.frame.sequence === 4 ? [one, withFrame(one, { sequence: 11 })] : one,
    ),
    answers('answers neither', 'no reply within', 'doubled', undefined),
  ],
  'box/configuration': [
    answers(
      'refuses a higher revision',
      'configured: failed',
      'configured',
      reply('configured', { outcome: 'failed', error: 'no' }),
    ),
    answers(
      'refuses the same one',
      'configuredAgain: conflicting-state',
      'configuredAgain',
      reply('configuredAgain', { outcome: 'conflicting-state', error: 'no' }),
    ),
    answers('takes a lower one', 'configuredLower: done', 'configuredLower', reply('configuredLower')),
  ],
  'box/repeats': [
    sends('sends nothing again', 'had no receipt, and was sent once', (one) =>
      one.atMs === START_MS + 82_000 ? undefined : one,
    ),
  ],
  'box/reset': [
    sends('counts no boots', 'Its boot counter was 3, and is 3', (one) => withFrame(one, { boot: 3 })),
    sends('counts no connections', 'Its connection was 4, and is 4', withHello({ connection: 4 }, 5)),
    sends('loses its journal', 'its journal was lost', (one) =>
      one.atMs > START_MS + 100_000 ? withFrame(one, { epoch: 8 }) : one,
    ),
    sends(
      'tells another reason',
      'Its reset reason is BROWN_OUT',
      withHello({ resetReason: 'BROWN_OUT' }, 5),
    ),
    sends('does not come back', 'None came within', (one) =>
      one.atMs > START_MS + 100_000 ? undefined : one,
    ),
  ],
};
