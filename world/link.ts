/**
 * An MQTT session (MQTT 3.1.1, QoS 1). One `open` is one network connection: it never reconnects by itself, since
 * when to try again is a decision of whoever opened it.
 */
export interface Link {
  /**
   * Connects. Rejects with a `LinkRefused` where the broker refuses or cannot be reached within
   * `connectTimeoutMs`.
   */
  open(options: LinkOptions, events: LinkEvents): Promise<Session>;
}

export interface LinkOptions {
  readonly clientId: string;
  readonly username: string;
  readonly password: string;
  /** True: no state outlives the connection. False: the broker keeps subscriptions and unacknowledged messages. */
  readonly clean: boolean;
  readonly keepAliveS: number;
  readonly connectTimeoutMs: number;
  readonly will?: Publication;
}

export interface Publication {
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly retain: boolean;
}

export interface LinkEvents {
  /**
   * A message came in. `acknowledge` sends the PUBACK; until it is called the session hands over nothing more,
   * which is the brake of whoever cannot keep up. It may be called within this call, and once only. Nothing is handed
   * over before `open` has resolved.
   */
  message(topic: string, payload: Uint8Array, retained: boolean, acknowledge: () => void): void;
  /** The connection ended, for whatever reason, also by `end` and `drop`. Called once; nothing is called after it. */
  closed(reason: string): void;
}

export interface Session {
  /** True where the broker resumed the state of an earlier connection. */
  readonly present: boolean;
  /**
   * Publishes at QoS 1 and resolves at the PUBACK; rejects with `LinkLost` when the connection ends before: the
   * message may then have arrived or not. Messages leave in the order of the calls.
   */
  publish(publication: Publication): Promise<void>;
  /** Subscribes at QoS 1, resolves at the SUBACK; rejects with `LinkRefused` where the broker refuses the filter. */
  subscribe(filter: string): Promise<void>;
  /** Says goodbye (DISCONNECT: the broker drops the will) and ends the connection. */
  end(): Promise<void>;
  /** Severs the connection without a goodbye: the broker publishes the will when it notices. */
  drop(): void;
}

export class LinkRefused extends Error {
  override readonly name = 'LinkRefused';
}

export class LinkLost extends Error {
  override readonly name = 'LinkLost';
}
