import { MESSAGE_KINDS, type MessageKindName } from '../protocol/message-kinds.ts';

/**
 * What is recorded during a run, for checkers to read at the end. A recording that no checker reads is not
 * kept: it would fill the memory with a large fleet.
 */
export interface Recordings {
  /** Frames of these kinds. */
  readonly frames: ReadonlySet<MessageKindName>;
  /** The messages of queues. `heads`: id, name, vehicle and time, without the body. */
  readonly messages: 'none' | 'heads' | 'whole';
  /** The physical truth of the vehicles, and the clock errors of their boxes. */
  readonly truth: boolean;
  /** What boxes did and stored, and what was done to them (evidence/box-history.ts). */
  readonly boxes: boolean;
  /** The order of causes and effects at the ports of the backends (evidence/effect-history.ts). */
  readonly effects: boolean;
  /** The changes of what has an outcome in the store (evidence/outcome-history.ts). */
  readonly outcomes: boolean;
}

export const ALL_FRAME_KINDS: ReadonlySet<MessageKindName> = new Set(MESSAGE_KINDS.map(({ name }) => name));

export const ALL_RECORDINGS: Recordings = {
  frames: ALL_FRAME_KINDS,
  messages: 'whole',
  truth: true,
  boxes: true,
  effects: true,
  outcomes: true,
};

export const NO_RECORDINGS: Recordings = {
  frames: new Set(),
  messages: 'none',
  truth: false,
  boxes: false,
  effects: false,
  outcomes: false,
};
