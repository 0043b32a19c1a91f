import { routingKey } from './message.ts';
import type { DeclaredQueues, FleetQueue } from './topology.ts';

/**
 * What a message finds at the broker: no queue that was declared for it; its queues; or one of them is at a node that is
 * down.
 */
export type QueueState = 'none' | 'declared' | 'unreachable';

/** The queues that were declared over a session, by what they are bound to. */
export class SubscribedQueues {
  /** By name, with the routing key. */
  readonly #declared = new Map<string, string>();
  readonly #unreachable = new Map<string, FleetQueue>();

  /** These have been declared, with that outcome. */
  declared(queues: readonly FleetQueue[], { refused, unreachable }: DeclaredQueues): void {
    const missing = new Set(refused.map(({ name }) => name));
    for (const queue of queues) {
      this.#unreachable.delete(queue.name);
      if (missing.has(queue.name)) this.#declared.delete(queue.name);
      else this.#declared.set(queue.name, keyOf(queue));
    }
    for (const queue of unreachable) this.#unreachable.set(queue.name, queue);
  }

  /** These are about to be deleted. */
  removing(names: readonly string[]): void {
    for (const name of names) {
      this.#declared.delete(name);
      this.#unreachable.delete(name);
    }
  }

  stateFor(message: { readonly fleetId: string; readonly name: string }): QueueState {
    const key = routingKey(message);
    for (const queue of this.#unreachable.values()) if (keyOf(queue) === key) return 'unreachable';
    for (const declared of this.#declared.values()) if (declared === key) return 'declared';
    return 'none';
  }

  /** Those that are to be declared again. */
  unreachable(): readonly FleetQueue[] {
    return [...this.#unreachable.values()];
  }
}

function keyOf({ fleetId, messages = 'VehicleStateReceived' }: FleetQueue): string {
  return routingKey({ fleetId, name: messages });
}
