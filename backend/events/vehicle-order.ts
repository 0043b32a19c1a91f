import type { OutboxRow } from '../store/port/outbox-store.ts';

/**
 * Messages that wait to be published: one queue for each vehicle, in the order of the outbox. A queue offers its first
 * message only, until that one is confirmed: so the order of a vehicle's messages holds even if a connection ends and
 * the unconfirmed message is sent again.
 */
export class VehicleOrder {
  readonly #vehicles = new Map<string, VehicleMessages>();
  /** Vehicles with a message to publish, the longest waiting first. */
  #ready = new Set<VehicleMessages>();
  #size = 0;

  /** Messages that wait or are in flight. */
  get size(): number {
    return this.#size;
  }

  /** Adds a message from the outbox after all others of its vehicle. */
  add(message: OutboxRow): void {
    let vehicle = this.#vehicles.get(message.vehicleId);
    if (vehicle === undefined) {
      vehicle = { messages: [], isBusy: false };
      this.#vehicles.set(message.vehicleId, vehicle);
    }
    vehicle.messages.push(message);
    this.#size += 1;
    if (!vehicle.isBusy) this.#ready.add(vehicle);
  }

  /** The next message of a vehicle that has none in flight. */
  take(): OutboxRow | undefined {
    for (const vehicle of this.#ready) {
      this.#ready.delete(vehicle);
      vehicle.isBusy = true;
      return vehicle.messages[0];
    }
    return undefined;
  }

  /** The message that was taken is finished. */
  done(message: OutboxRow): void {
    const vehicle = this.#takenOf(message);
    if (vehicle === undefined) return;
    vehicle.messages.shift();
    vehicle.isBusy = false;
    this.#size -= 1;
    if (vehicle.messages.length > 0) this.#ready.add(vehicle);
    else this.#vehicles.delete(message.vehicleId);
  }

  /** The message that was taken must be taken again: it is still the first of its vehicle. */
  retry(message: OutboxRow): void {
    const vehicle = this.#takenOf(message);
    if (vehicle === undefined) return;
    vehicle.isBusy = false;
    this.#ready.add(vehicle);
  }

  /** Removes all messages of these partitions, including taken ones: their outcome has no effect here. */
  forget(partitions: ReadonlySet<number>): void {
    for (const [vehicleId, vehicle] of this.#vehicles) {
      // A vehicle whose box was replaced has messages of two partitions.
      const kept = vehicle.messages.filter(({ partition }) => !partitions.has(partition));
      if (kept.length === vehicle.messages.length) continue;
      this.#size -= vehicle.messages.length - kept.length;
      this.#ready.delete(vehicle);
      this.#vehicles.delete(vehicleId);
      if (kept.length === 0) continue;
      const isBusy = vehicle.isBusy && kept[0] === vehicle.messages[0];
      const rest = { messages: kept, isBusy };
      this.#vehicles.set(vehicleId, rest);
      if (!isBusy) this.#ready.add(rest);
    }
  }

  /** The queue whose first message this is, taken; undefined: it was removed meanwhile. */
  #takenOf(message: OutboxRow): VehicleMessages | undefined {
    const vehicle = this.#vehicles.get(message.vehicleId);
    return vehicle?.messages[0] === message ? vehicle : undefined;
  }
}

interface VehicleMessages {
  readonly messages: OutboxRow[];
  /** Its first message is in flight. */
  isBusy: boolean;
}
