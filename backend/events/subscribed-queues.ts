import { routingKey } from './message.ts';
import type { DeclaredQueues, FleetQueue, RefusedQueue } from './topology.ts';

/**
 * The state of a message's queues at the broker: none was declared; they exist; or one of them is at a node that is
 * down.
 */
export type QueueState = 'none' | 'declared' | 'unreachable';

/** The queues that were declared over a session, by what they are bound to. */
export class SubscribedQueues {
  /** By name. */
  readonly #declared = new Map<string, FleetQueue>();
  readonly #unreachable = new Map<string, FleetQueue>();
  /** Declared by this backend since the subscriptions were last read. */
  readonly #recent = new Set<string>();

  /** These have been declared, with that outcome. */
  declared(queues: readonly FleetQueue[], { refused, unreachable }: DeclaredQueues): void {
    const missing = new Set(refused.map(({ name }) => name));
    for (const queue of queues) {
      this.#unreachable.delete(queue.name);
      if (missing.has(queue.name)) this.#declared.delete(queue.name);
      else this.#declared.set(queue.name, queue);
    }
    for (const queue of unreachable) this.#unreachable.set(queue.name, queue);
  }

  /** A client of this backend has subscribed: these have been declared. */
  added(queues: readonly FleetQueue[]): void {
    for (const { name } of queues) this.#recent.add(name);
    this.declared(queues, { refused: [], unreachable: [], otherType: [] });
  }

  /**
   * Another backend has changed subscriptions: these are all current queues. It has declared new ones and deleted
   * removed ones. Queues that this backend has declared meanwhile may be missing in the list.
   */
  changedElsewhere(wanted: readonly FleetQueue[], refused: readonly RefusedQueue[]): void {
    const names = new Set(wanted.map(({ name }) => name));
    this.removing([...this.#declared.keys()].filter((name) => !names.has(name) && !this.#recent.has(name)));
    for (const name of names) this.#recent.delete(name);
    const left = new Set([
      ...this.#declared.keys(),
      ...this.#unreachable.keys(),
      ...refused.map(({ name }) => name),
    ]);
    const others = wanted.filter(({ name }) => !left.has(name));
    this.declared(others, { refused: [], unreachable: [], otherType: [] });
  }

  /** These are about to be deleted. */
  removing(names: readonly string[]): void {
    for (const name of names) {
      this.#declared.delete(name);
      this.#unreachable.delete(name);
      this.#recent.delete(name);
    }
  }

  stateFor(message: { readonly fleetId: string; readonly name: string }): QueueState {
    const key = routingKey(message);
    for (const queue of this.#unreachable.values()) if (keyOf(queue) === key) return 'unreachable';
    for (const queue of this.#declared.values()) if (keyOf(queue) === key) return 'declared';
    return 'none';
  }

  has(name: string): boolean {
    return this.#declared.has(name);
  }

  /** Those with the same messages as another one: the broker returns no message if only one of them is missing. */
  shared(): readonly FleetQueue[] {
    const counts = new Map<string, number>();
    for (const queue of this.#declared.values())
      counts.set(keyOf(queue), (counts.get(keyOf(queue)) ?? 0) + 1);
    return [...this.#declared.values()].filter((queue) => (counts.get(keyOf(queue)) ?? 0) > 1);
  }

  /** Those with the same messages as one of these. */
  beside(queues: readonly FleetQueue[]): readonly FleetQueue[] {
    const names = new Set(queues.map(({ name }) => name));
    const keys = new Set(queues.map(keyOf));
    return [...this.#declared.values()].filter((queue) => !names.has(queue.name) && keys.has(keyOf(queue)));
  }

  /** Those that are to be declared again. */
  unreachable(): readonly FleetQueue[] {
    return [...this.#unreachable.values()];
  }
}

function keyOf({ fleetId, messages = 'VehicleStateReceived' }: FleetQueue): string {
  return routingKey({ fleetId, name: messages });
}
