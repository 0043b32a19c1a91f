import type { FlashOperation } from '../../world/flash/flash.ts';
import type { FirmwareInput } from '../firmware/core/input.ts';
import type { Vehicle } from '../vehicle/sensing/vehicle-ports.ts';
import type { BrokerConnection, BrokerConnectionEvents } from './broker-connection.ts';

/** An input that waits its turn. It is created in its turn, with the vehicle's values at that time. */
export interface PendingInput {
  readonly make: (vehicle: Vehicle) => FirmwareInput;
  /** The connection of the input: it is void after that connection has ended. */
  readonly connection?: BrokerConnection;
  /** Durable before the input acts. */
  readonly page?: FlashOperation | undefined;
  readonly done?: () => void;
}

/** The alarm rang, or the vehicle has changed. */
export const TICK: PendingInput = { make: (vehicle) => ({ kind: 'tick', sensors: vehicle.sensors() }) };

/** The events of a connection, each as an input that waits its turn. */
export class ConnectionInputs implements BrokerConnectionEvents {
  readonly #enqueue: (input: PendingInput) => void;

  constructor(enqueue: (input: PendingInput) => void) {
    this.#enqueue = enqueue;
  }

  opened(connection: BrokerConnection, isResumed: boolean): void {
    this.#enqueue({ connection, make: () => ({ kind: 'opened', isResumed }) });
  }

  subscribed(connection: BrokerConnection): void {
    this.#enqueue({ connection, make: () => ({ kind: 'subscribed' }) });
  }

  acknowledged(connection: BrokerConnection, token: number): void {
    this.#enqueue({ connection, make: () => ({ kind: 'acknowledged', token }) });
  }

  received(connection: BrokerConnection, bytes: Uint8Array, done: () => void): void {
    this.#enqueue({
      connection,
      make: (vehicle) => ({ kind: 'received', bytes, sensors: vehicle.sensors() }),
      done,
    });
  }

  closed(connection: BrokerConnection): void {
    this.#enqueue({ connection, make: () => ({ kind: 'closed' }) });
  }
}
