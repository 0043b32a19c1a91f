import type { MessageKindName } from '../../protocol/codec/kinds.ts';
import type { CheckerName } from '../language/expectations/checkers.ts';
import { ALL_FRAME_KINDS, NO_RECORDINGS, type Recordings } from '../testbed/port/recordings.ts';

/** Frames that name the records which the service has stored or the box gave up. */
export const RECEIPT_KINDS: ReadonlySet<MessageKindName> = new Set<MessageKindName>(['receipt', 'tombstone']);
/** Frames with requests to a box and its replies. */
export const REQUEST_KINDS: ReadonlySet<MessageKindName> = new Set<MessageKindName>([
  'command',
  'configuration',
  'reply',
]);

/**
 * Which recordings each checker reads. Reading one that is not in its row throws, since it may not have been
 * kept.
 */
const READ_RECORDINGS: Readonly<Record<CheckerName, Partial<Recordings>>> = {
  'nothing-lost': { frames: RECEIPT_KINDS, messages: 'heads' },
  'nothing-doubled': { frames: ALL_FRAME_KINDS, messages: 'whole' },
  'order-per-box': { messages: 'heads' },
  'twin-is-fold': { frames: ALL_FRAME_KINDS },
  'twin-is-true': { truth: true },
  'commands-at-most-once': { frames: REQUEST_KINDS, truth: true },
  'answers-agree': { frames: REQUEST_KINDS, truth: true, boxes: true },
  'guards-hold': { frames: REQUEST_KINDS, truth: true },
  'successes-hold': {},
  'reads-agree': {},
  'one-open-command': { frames: REQUEST_KINDS },
  'outputs-are-safe': { truth: true },
  'flows-agree': { messages: 'whole' },
  'messages-hold': { frames: ALL_FRAME_KINDS, messages: 'whole' },
  'presence-agrees': { frames: ALL_FRAME_KINDS },
  'partitions-have-one-holder': {},
  'receipts-in-time': { frames: ALL_FRAME_KINDS },
  'one-result-per-vehicle': { frames: REQUEST_KINDS, messages: 'heads' },
  'bulk-in-time': { frames: REQUEST_KINDS },
  'notifications-are-taken': {},
  'quota-holds': {},
  'tokens-expire': {},
  'fleets-apart': { messages: 'whole' },
  'within-bounds': {},
  'phones-are-entitled': { frames: REQUEST_KINDS, truth: true, boxes: true },
  'outputs-are-caused': { frames: REQUEST_KINDS, truth: true, boxes: true },
  'box-remembers': { frames: ALL_FRAME_KINDS, truth: true, boxes: true },
  'connects-with-patience': { boxes: true },
  'sessions-last': { truth: true, boxes: true },
  'updates-at-rest': { truth: true, boxes: true },
  'updates-end-rightly': { boxes: true },
  'events-are-told': { frames: ALL_FRAME_KINDS, truth: true, boxes: true },
  heals: {},
};

const MESSAGE_AMOUNTS: readonly Recordings['messages'][] = ['none', 'heads', 'whole'];

/** All recordings that these checkers read. */
export function recordingsOf(checkers: readonly CheckerName[]): Recordings {
  const reads = checkers.map((checker): Recordings => ({ ...NO_RECORDINGS, ...READ_RECORDINGS[checker] }));
  const most = reads.reduce((amount, { messages }) => Math.max(amount, MESSAGE_AMOUNTS.indexOf(messages)), 0);
  return {
    frames: new Set(reads.flatMap(({ frames }) => [...frames])),
    messages: MESSAGE_AMOUNTS[most] ?? 'whole',
    truth: reads.some(({ truth }) => truth),
    boxes: reads.some(({ boxes }) => boxes),
  };
}
