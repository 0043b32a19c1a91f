/**
 * A commit that a backend may wait for. It only names what to read: the facts are in the store, and a wake-up can be
 * lost. So each part also polls.
 */
export type WakeUp =
  /** The outcomes of these requests are in the store. */
  | { readonly kind: 'settled'; readonly requestIds: readonly string[] }
  /**
   * Messages of vehicles in these partitions (protocol/partitions.ts) are in the outbox, written by a call other than
   * ingest, which passes on its own messages with the commit.
   */
  | { readonly kind: 'messages'; readonly partitions: readonly number[] }
  /** These boxes were put into vehicles that need a setup. */
  | { readonly kind: 'onboarded'; readonly boxIds: readonly string[] }
  /** A bulk job was created, or some of its vehicles are due earlier than before. */
  | { readonly kind: 'bulk' }
  /** The subscribed queues have changed. */
  | { readonly kind: 'subscriptions' }
  /** Partitions are free, or fewer backends share them. */
  | { readonly kind: 'leases' }
  /** Wake-ups may have been lost: everything must be checked. */
  | { readonly kind: 'anything' };

/** Never throws, and does not wait: it is called after the commit, in its own turn of the event loop. */
export type WakeUpListener = (wakeUp: WakeUp) => void;
