import type { MessageKindName } from '../protocol/message-kinds.ts';
import { ALL_FRAME_KINDS, NO_RECORDINGS, type Recordings } from './recordings.ts';

/** Frames that name the records which the service has stored or the box gave up. */
export const RECEIPT_KINDS: ReadonlySet<MessageKindName> = new Set<MessageKindName>(['receipt', 'tombstone']);
/** Frames with requests to a box and its replies. */
export const REQUEST_KINDS: ReadonlySet<MessageKindName> = new Set<MessageKindName>([
  'command',
  'configuration',
  'reply',
]);

interface CheckerRow {
  /** What it checks in a run, in a sentence. */
  readonly about: string;
  /** The recordings that it reads. Reading another one throws, since it may not have been kept. */
  readonly reads: Partial<Recordings>;
  /** It needs only outside observations: answers, messages, frames at the boxes, and their truth. */
  readonly isOutside?: true;
}

/**
 * What can be checked throughout a run, or at its end. `all` in a scenario means every one. The function of each:
 * rules/checks.ts.
 */
export const CHECKERS = {
  'nothing-lost': {
    about:
      'Every record that a box acknowledged to itself is with the service in the end, or in a tombstone.',
    reads: { frames: RECEIPT_KINDS, messages: 'heads' },
  },
  'nothing-doubled': {
    about: 'No record is stored twice, and no message leaves with two ids.',
    reads: { frames: ALL_FRAME_KINDS, messages: 'whole' },
  },
  'order-per-box': {
    about: 'The messages of each vehicle leave in the order in which its reports were stored.',
    reads: { messages: 'heads' },
  },
  'twin-is-fold': {
    about: 'The latest state of each vehicle is what its frames, folded in order, come to.',
    reads: { frames: ALL_FRAME_KINDS },
  },
  'twin-is-true': {
    about:
      'What the API says of each vehicle is what the vehicle was at that time, and of one that is parked what it is now.',
    reads: { truth: true },
    isOutside: true,
  },
  'commands-at-most-once': {
    about:
      'No box carries a request out twice or replies to it twice, none after its expiry, and none is refused as expired before.',
    reads: { frames: REQUEST_KINDS, truth: true },
    isOutside: true,
  },
  'answers-agree': {
    about: "What the service answered to a command agrees with the box's own log of it.",
    reads: { frames: REQUEST_KINDS, truth: true, boxes: true },
    isOutside: true,
  },
  'guards-hold': {
    about: 'A request is refused only for the reasons in the contract, with the first problem that applies.',
    reads: { frames: REQUEST_KINDS, truth: true },
    isOutside: true,
  },
  'successes-hold': {
    about:
      'What was answered with success is so: the state of a card, a change of a record, sharing, a subscription with its queues.',
    reads: {},
    isOutside: true,
  },
  'reads-agree': {
    about:
      'Answers show a partner nothing of the owner’s own, the commands that a vehicle has, no property of the future, system statuses that can be, and in lists what they were asked for.',
    reads: {},
    isOutside: true,
  },
  'one-open-command': {
    about:
      'A box is sent a command only when the one before it is answered, is past its expiry, or its caller was answered.',
    reads: { frames: REQUEST_KINDS },
    isOutside: true,
  },
  'outputs-are-safe': {
    about: 'No lock and no immobilizer moves in a vehicle that drives.',
    reads: { truth: true },
    isOutside: true,
  },
  'flows-agree': {
    about:
      'Messages have the flow id that their command was answered with, their headers say what their metadata says, and a state that was asked for comes as a message. Where nothing is broken, answer and message come close together.',
    reads: { messages: 'whole' },
    isOutside: true,
  },
  'messages-hold': {
    about:
      'A message has the times of its record, each event of a feature produces a message with the time of its begin, and no message waits for a minute without an active fault.',
    reads: { frames: ALL_FRAME_KINDS, messages: 'whole' },
  },
  'presence-agrees': {
    about:
      'The life status in the API is that of the connection of the box: in each answer without an active fault, soon after a backend began or a session ended, and once all has healed. The last contact is a time at which something of the box arrived.',
    reads: { frames: ALL_FRAME_KINDS },
    isOutside: true,
  },
  'partitions-have-one-holder': {
    about:
      'Of several backends one at a time stores what the boxes of a partition send and publishes its messages, and no partition is unserved for longer than 10 s while a backend is available. A backend that keeps running hands over only the partitions beyond its share.',
    reads: {},
  },
  'receipts-in-time': {
    about:
      'Without an active fault, a record that a box has sent gets a receipt, or is requested again, before the box repeats it; an orderly replacement of a backend and a slightly slow store are no faults.',
    reads: { frames: ALL_FRAME_KINDS },
  },
  'effects-follow-causes': {
    about:
      'A receipt follows the commit of its records, a message the commit that writes it, its mark as sent the confirm of the broker, and the answer to a command the commit of its outcome.',
    reads: { effects: true },
  },
  'results-stay': {
    about:
      'By every change in the store, an answered command keeps its outcome, a vehicle of a bulk job its result, and a box what a revision has set.',
    reads: { outcomes: true },
  },
  'one-result-per-vehicle': {
    about:
      'Each vehicle of a bulk job ends with exactly one result and each setup with one end, a setup begins once its box is ready, and boxes have the latest configuration.',
    reads: { frames: REQUEST_KINDS, messages: 'heads' },
  },
  'bulk-in-time': {
    about:
      'A bulk job ends after 12 hours, and until then each vehicle is tried when its box connects and after the waits that are promised, no more and no less; none is asked again while it is being asked.',
    reads: { frames: REQUEST_KINDS },
  },
  'notifications-are-taken': {
    about: 'Every backend accepts the reports of a maker with its secret.',
    reads: {},
  },
  'quota-holds': {
    about:
      'Of all backends together no client gets more than its calls a minute, none is refused far below them, and a refusal says when to try again.',
    reads: {},
  },
  'tokens-expire': {
    about: 'No token is taken after its time, or after its client was deleted, and none is refused before.',
    reads: {},
  },
  'fleets-apart': {
    about: 'No client and no queue sees a vehicle of another fleet that is not shared with it.',
    reads: { messages: 'whole' },
    isOutside: true,
  },
  'within-bounds': {
    about: 'Queues, journals and memory stay within their bounds.',
    reads: {},
  },
  'phones-are-entitled': {
    about:
      'A phone moves what its token allows, as often and as long as it does, and is refused only for a reason.',
    reads: { frames: REQUEST_KINDS, truth: true, boxes: true },
  },
  'outputs-are-caused': {
    about:
      'An output moves only for a command that has not expired, for a phone, or for the automatic immobilizer in its time, and is put back only where it had moved.',
    reads: { frames: REQUEST_KINDS, truth: true, boxes: true },
  },
  'box-remembers': {
    about:
      'No reset makes a box forget its configuration, clock, tokens or counters, no sequence is given twice, and reports are given up before events.',
    reads: { frames: ALL_FRAME_KINDS, truth: true, boxes: true },
  },
  'connects-with-patience': {
    about: 'A box that gets into no session waits longer before each attempt to connect.',
    reads: { boxes: true },
  },
  'sessions-last': {
    about: 'A session of a box ends only because of a recent fault, a shutdown of the box, or a request.',
    reads: { truth: true, boxes: true },
  },
  'updates-at-rest': {
    about: 'An update is installed only while the vehicle is parked with its ignition off.',
    reads: { truth: true, boxes: true },
  },
  'updates-end-rightly': {
    about:
      'An image is called corrupt, too large or unfit only where it is, and none that is so is installed.',
    reads: { boxes: true },
  },
  'events-are-told': {
    about:
      'Each collision and each smoke in a vehicle produces exactly one event with the right time, where its feature is on.',
    reads: { frames: ALL_FRAME_KINDS, truth: true, boxes: true },
  },
  heals: {
    about:
      'After the last fault everything that is pending settles within the time to heal, or its reason is named; a box without supply, or with a suspended card, is left in peace.',
    reads: {},
  },
} as const satisfies Readonly<Record<string, CheckerRow>>;

export type CheckerName = keyof typeof CHECKERS;

export const CHECKER_NAMES = Object.keys(CHECKERS) as CheckerName[];

const ROWS: Readonly<Record<CheckerName, CheckerRow>> = CHECKERS;

/** What each checks, by its name. */
export const CHECKER_TEXTS: Readonly<Record<CheckerName, string>> = Object.fromEntries(
  CHECKER_NAMES.map((name) => [name, ROWS[name].about]),
) as Record<CheckerName, string>;

/** Those that judge a service from outside too. */
export const OUTSIDE_CHECKERS: readonly CheckerName[] = CHECKER_NAMES.filter(
  (name) => ROWS[name].isOutside === true,
);

/** Those that run at the end of every run, even if `always` does not name them. */
export const ALWAYS_ASKED: ReadonlySet<CheckerName> = new Set<CheckerName>(['twin-is-true']);

/** In `always`: every checker. */
export const EVERY_CHECKER = 'all';

const MESSAGE_AMOUNTS: readonly Recordings['messages'][] = ['none', 'heads', 'whole'];

/** All recordings that these checkers read. */
export function recordingsOf(checkers: readonly CheckerName[]): Recordings {
  const reads = checkers.map((checker): Recordings => ({ ...NO_RECORDINGS, ...ROWS[checker].reads }));
  const most = reads.reduce((amount, { messages }) => Math.max(amount, MESSAGE_AMOUNTS.indexOf(messages)), 0);
  return {
    frames: new Set(reads.flatMap(({ frames }) => [...frames])),
    messages: MESSAGE_AMOUNTS[most] ?? 'whole',
    truth: reads.some(({ truth }) => truth),
    boxes: reads.some(({ boxes }) => boxes),
    effects: reads.some(({ effects }) => effects),
    outcomes: reads.some(({ outcomes }) => outcomes),
  };
}
