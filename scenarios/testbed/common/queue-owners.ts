import { queueName } from '../../../contract/messages.ts';
import { SUBSCRIPTIONS_PATH } from '../../../contract/operation.ts';
import type { ApiRequest } from '../../language/steps/request.ts';
import { FLEETS, type FleetName, fleetIdOf } from './names.ts';
import { QUEUES } from './testbed-service-settings.ts';

/** The owner of each queue: the initial ones, and those of subscriptions from their request on. */
export class QueueOwners {
  readonly #owners = new Map<string, { readonly sinceMs: number; readonly fleet: FleetName }[]>();

  constructor() {
    for (const { name, fleetId } of QUEUES) {
      const fleet = FLEETS.find((one) => fleetIdOf(one) === fleetId);
      if (fleet !== undefined) this.#owners.set(name, [{ sinceMs: 0, fleet }]);
    }
  }

  /** A request was answered; where it made a subscription, its queues are of that fleet. */
  note(
    { method, path, body }: ApiRequest,
    status: number,
    fleet: FleetName | undefined,
    sinceMs: number,
  ): void {
    if (method !== 'POST' || path !== SUBSCRIPTIONS_PATH || status !== 201 || fleet === undefined) return;
    const { queue_discriminator: whose, topics } = (body ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof whose !== 'string' || !Array.isArray(topics)) return;
    for (const topic of topics) {
      const name = queueName(String(topic), whose);
      this.#owners.set(name, [...(this.#owners.get(name) ?? []), { sinceMs, fleet }]);
    }
  }

  /** The owner of a queue with this name at that time, if any. */
  ownerOf(queue: string, atMs: number): FleetName | undefined {
    return this.#owners.get(queue)?.findLast(({ sinceMs }) => sinceMs <= atMs)?.fleet;
  }
}
