/**
 * Arbitrates commands to a vehicle of the demo fleet. A vehicle executes one command at a time and refuses a second one
 * with 409, so clients have priority: a client's request waits for the pending command of a driver, and a driver sends
 * none while a client's request is pending.
 */
export class VehicleTurns {
  /** By vehicle: the number of clients' requests that wait or are in progress. */
  readonly #clients = new Map<string, number>();
  /** By vehicle: settles with the command of its driver. Never rejects. */
  readonly #drivers = new Map<string, Promise<unknown>>();

  /** A client waits for this vehicle, or uses it. */
  hasClient(vehicleId: string): boolean {
    return this.#clients.has(vehicleId);
  }

  /** A driver's command to this vehicle is pending. */
  hasDriver(vehicleId: string): boolean {
    return this.#drivers.has(vehicleId);
  }

  /** Sends a client's request once no driver's command is pending; resolves and rejects as `send` does. */
  async ofClient<Answer>(vehicleId: string, send: () => Promise<Answer>): Promise<Answer> {
    this.#clients.set(vehicleId, (this.#clients.get(vehicleId) ?? 0) + 1);
    try {
      await this.#drivers.get(vehicleId);
      return await send();
    } finally {
      const others = (this.#clients.get(vehicleId) ?? 1) - 1;
      if (others === 0) this.#clients.delete(vehicleId);
      else this.#clients.set(vehicleId, others);
    }
  }

  /** Sends a driver's command; undefined: a client has the vehicle, and nothing was sent. */
  async ofDriver<Answer>(vehicleId: string, send: () => Promise<Answer>): Promise<Answer | undefined> {
    if (this.hasClient(vehicleId)) return undefined;
    const sent = send();
    const ended = sent.catch(() => undefined);
    this.#drivers.set(vehicleId, ended);
    try {
      return await sent;
    } finally {
      if (this.#drivers.get(vehicleId) === ended) this.#drivers.delete(vehicleId);
    }
  }
}
