import { limits } from '../limits.ts';

/**
 * Holds publications back while a subscriber within this process is behind. A connection is stopped when it
 * publishes; clients that only subscribe are not affected. A held publication has no PUBACK yet: if its
 * connection ends, the broker drops it, and its sender still has it.
 */
export class PublishBrake {
  /** The inboxes that are full. */
  readonly #full = new Set<object>();
  /** By connection, in the order in which they were stopped. */
  readonly #held = new Map<object, (() => void)[]>();
  #isReleasing = false;

  /** An inbox has become full, or has room again. */
  set(inbox: object, isFull: boolean): void {
    if (isFull) this.#full.add(inbox);
    else if (this.#full.delete(inbox)) this.#release();
  }

  /** Calls `publish` now, or once there is room, after what the connection published before. */
  pass(connection: object, publish: () => void): void {
    const waiting = this.#held.get(connection);
    if (waiting !== undefined) waiting.push(publish);
    else if (this.#full.size > 0) this.#held.set(connection, [publish]);
    else publish();
  }

  /** Whether the connection is stopped: nothing is to be read from it. */
  isStopped(connection: object): boolean {
    return this.#held.has(connection);
  }

  /** The connection has ended. */
  forget(connection: object): void {
    this.#held.delete(connection);
  }

  /** Lets some pass in each turn of the event loop: all at once would fill the inbox far beyond its bound. */
  #release(): void {
    if (this.#isReleasing) return;
    let room: number = limits.mqtt.releasedAtOnce;
    for (const [connection, waiting] of this.#held) {
      if (room <= 0 || this.#full.size > 0) break;
      for (const publish of waiting.splice(0, room)) {
        room--;
        publish();
      }
      if (waiting.length > 0) break;
      this.#held.delete(connection);
    }
    if (this.#held.size === 0 || this.#full.size > 0) return;
    this.#isReleasing = true;
    setImmediate(() => {
      this.#isReleasing = false;
      this.#release();
    });
  }
}
