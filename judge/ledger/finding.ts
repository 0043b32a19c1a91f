/** The hop at which something is held up or fails. */
export type Hop = 'box' | 'broker' | 'state' | 'outbox' | 'queue';

export const FATES = {
  lost: 'given up by the box, and neither stored nor buried; or stored, and its message is nowhere',
  doubled: 'one record in two messages with different ids',
  reordered: 'arrived behind a later message of its vehicle',
  unknown: 'a message of a vehicle with a box, that belongs to no record',
  late: 'longer under way than asked for',
  overflowed: 'dropped because the outbox had no room',
  dropped: 'given up by the box itself, under a tombstone',
  wiped: 'of a journal that ended with a wiped flash, and never stored',
  unreadable: 'bytes in quarantine',
  pending: 'still on its way',
  repeated: 'the same message once more, with the same id',
} as const;

export type Fate = keyof typeof FATES;

/** Those that must not happen, whichever part crashes. */
export const WRONG_FATES: readonly Fate[] = ['lost', 'doubled', 'reordered', 'unknown'];

/** Those that only messages show: without them nothing is known of these. */
export const MESSAGE_FATES: readonly Fate[] = ['doubled', 'reordered', 'unknown', 'repeated'];

/** The outcome of records or messages at a hop. Times in milliseconds since 1970. */
export interface LedgerFinding {
  readonly fate: Fate;
  readonly hop: Hop;
  /** How many records or messages; those of a range of sequences are one finding. */
  readonly count: number;
  readonly vehicleId?: string;
  readonly boxId?: string;
  readonly epoch?: number;
  readonly sequence?: number;
  /** The end of a range that begins at `sequence`. */
  readonly lastSequence?: number;
  readonly messageId?: string;
  readonly queue?: string;
  /** By the box's clock. */
  readonly clockMs?: number;
  readonly receivedMs?: number;
  readonly arrivedMs?: number;
  readonly detail: string;
}
