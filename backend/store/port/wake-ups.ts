/**
 * What somebody has committed that a backend may wait for. It tells where to look, no more: what is so stands in the store,
 * and a wake-up can be lost. So whoever is woken also looks by itself, now and then.
 */
export type WakeUp =
  /** The outcomes of these requests are in the store. */
  | { readonly kind: 'settled'; readonly requestIds: readonly string[] }
  /**
   * Messages of vehicles in these partitions (protocol/partitions.ts) are in the outbox, by another one than ingest, which
   * hands its own messages on with the commit.
   */
  | { readonly kind: 'messages'; readonly partitions: readonly number[] }
  /** These boxes were put into vehicles that have to be set up. */
  | { readonly kind: 'onboarded'; readonly boxIds: readonly string[] }
  /** A bulk job was created, or some of its vehicles are due earlier than before. */
  | { readonly kind: 'bulk' }
  /** The queues that are subscribed to are others now. */
  | { readonly kind: 'subscriptions' }
  /** Partitions are free, or those that are there share them among fewer. */
  | { readonly kind: 'leases' }
  /** Wake-ups may have been lost: everything is to be looked at. */
  | { readonly kind: 'anything' };

/** Never throws, and does not wait: it is called behind the commit, in a turn of its own. */
export type WakeUpListener = (wakeUp: WakeUp) => void;
