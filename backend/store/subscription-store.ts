/**
 * Subscriptions to messages, in the state in which they are at the broker. Times are epoch milliseconds.
 *
 * - making: written down, and perhaps partly made at the broker; nobody but its maker has heard of it.
 * - live: its queues take messages and its user may read them.
 * - ending: perhaps partly taken away.
 *
 * What is not live has a time from which anybody may take it away; until then whoever works on it is left alone.
 */
export interface SubscriptionStore {
  /** Writes a subscription down as making, where nothing stands against it. */
  begin(subscription: NewSubscription, bounds: { readonly perFleet: number }): Promise<BeginVerdict>;
  /** What `begin` would say; writes nothing. */
  look(subscription: NewSubscription, bounds: { readonly perFleet: number }): Promise<BeginVerdict>;
  /** It has been made whole. False where it is not making any more: somebody takes it away. */
  finish(id: string): Promise<boolean>;
  /** It is to be taken away: at once by the caller, or from `dueMs` on by anybody. False where it is gone. */
  end(id: string, dueMs: number): Promise<boolean>;
  /** Another account reads its queues from now on. */
  setUser(id: string, user: NewSubscription['user']): Promise<void>;
  /** It is gone at the broker; its names are free. */
  remove(id: string): Promise<void>;
  /** Takes on some that are not live and are due, and is left alone with them until `nextDueMs`. */
  takeOverdue(atMs: number, nextDueMs: number, count: number): Promise<readonly Subscription[]>;
  /** When the next of those that are not live is due; undefined: all are live. */
  nextOverdueMs(): Promise<number | undefined>;
  /** The live one of that id. */
  find(id: string): Promise<Subscription | undefined>;
  /** The live ones of a fleet, the oldest first. */
  ofFleet(fleetId: string): Promise<readonly Subscription[]>;
  /** All live ones, the oldest first. */
  live(): Promise<readonly Subscription[]>;
  /**
   * For a broker that checks its users here: what the password is compared with, and what may be read. A subscription
   * that is being made counts; one that ends does not.
   */
  userOf(username: string): Promise<SubscriptionUser | undefined>;
}

export interface NewSubscription {
  readonly id: string;
  readonly fleetId: string;
  readonly discriminator: string;
  /** Undefined where all consumers share one account. */
  readonly user: { readonly username: string; readonly secretHash: string } | undefined;
  /** At least one; no name twice. */
  readonly queues: readonly SubscribedQueue[];
  readonly createdMs: number;
  /** From when it may be taken away if it is not finished by then. */
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
  /** What `seal.hashSecret` made. */
  readonly secretHash: string;
  /** Names of queues. */
  readonly queues: readonly string[];
}

export type BeginVerdict =
  | { readonly kind: 'begun' }
  /** Another fleet has the discriminator. */
  | { readonly kind: 'others' }
  /** The fleet itself has the queue. `isEnding`: not for long. */
  | { readonly kind: 'own'; readonly queue: string; readonly isEnding: boolean }
  /** The fleet has as many as it may. */
  | { readonly kind: 'full' };
