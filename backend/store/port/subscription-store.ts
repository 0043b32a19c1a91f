/**
 * Subscriptions to messages, with their state at the broker. Times are epoch milliseconds.
 *
 * - making: stored, and perhaps partly created at the broker; not yet returned to its client.
 * - live: its queues take messages and its user may read them.
 * - ending: perhaps partly deleted.
 *
 * A subscription that is not live has a due time from which any backend may delete it; until then it is left to the
 * backend that works on it.
 */
export interface SubscriptionStore {
  /** Stores a subscription as making, if nothing prevents it. */
  begin(subscription: NewSubscription, bounds: { readonly perFleet: number }): Promise<BeginResult>;
  /** The result that `begin` would have; writes nothing. */
  look(subscription: NewSubscription, bounds: { readonly perFleet: number }): Promise<BeginResult>;
  /** It has been created completely. False if it is no longer making: it is being deleted. */
  finish(id: string): Promise<boolean>;
  /**
   * It must be deleted: at once by the caller, or from `dueMs` on by any backend. False if it does not exist.
   */
  end(id: string, dueMs: number): Promise<boolean>;
  /** Sets another account for its queues. */
  setUser(id: string, user: NewSubscription['user']): Promise<void>;
  /** It is deleted at the broker; its names are free. */
  remove(id: string): Promise<void>;
  /** Leases some that are not live and are due; other backends skip them until `nextDueMs`. */
  takeOverdue(atMs: number, nextDueMs: number, count: number): Promise<readonly Subscription[]>;
  /** When the next of those that are not live is due; undefined: all are live. */
  nextOverdueMs(): Promise<number | undefined>;
  /** The live subscription of that id. */
  find(id: string): Promise<Subscription | undefined>;
  /** The live subscriptions of a fleet, the oldest first. */
  ofFleet(fleetId: string): Promise<readonly Subscription[]>;
  /** All live subscriptions, the oldest first. */
  live(): Promise<readonly Subscription[]>;
  /** The names of all queues that may exist at the broker permanently: of subscriptions that are live or making. */
  queueNames(): Promise<readonly string[]>;
  /**
   * For a broker that checks its users here: the hash of the password, and the readable queues. A
   * subscription that is making counts; one that is ending does not.
   */
  userOf(username: string): Promise<SubscriptionUser | undefined>;
}

export interface NewSubscription {
  readonly id: string;
  readonly fleetId: string;
  readonly discriminator: string;
  /** Undefined if all consumers share one account. */
  readonly user: { readonly username: string; readonly secretHash: string } | undefined;
  /** At least one; no name twice. */
  readonly queues: readonly SubscribedQueue[];
  readonly createdMs: number;
  /** When it may be deleted if it is not finished by then. */
  readonly dueMs: number;
}

export interface SubscribedQueue {
  /** `VehicleState_v1` */
  readonly topic: string;
  /** `VehicleState_v1-demo` */
  readonly name: string;
}

export type Subscription = Omit<NewSubscription, 'dueMs'>;

export interface SubscriptionUser {
  /** The result of `crypto.hashSecret`. */
  readonly secretHash: string;
  /** Names of queues. */
  readonly queues: readonly string[];
}

export type BeginResult =
  | { readonly kind: 'begun' }
  /** Another fleet has the discriminator. */
  | { readonly kind: 'others' }
  /** The fleet itself has the queue. `isEnding`: it is being deleted. */
  | { readonly kind: 'own'; readonly queue: string; readonly isEnding: boolean }
  /** The fleet has the maximum number. */
  | { readonly kind: 'full' };
