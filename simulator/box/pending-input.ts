import type { FlashOperation } from '../../world/flash/flash.ts';
import type { FirmwareInput } from '../firmware/core/input.ts';
import type { Vehicle } from '../vehicle/sensing/vehicle-ports.ts';
import type { BrokerConnection, BrokerConnectionEvents } from './broker-connection.ts';

/** An input that waits its turn. It is made only then, with what the vehicle shows at that time. */
export interface PendingInput {
  readonly make: (vehicle: Vehicle) => FirmwareInput;
  /** The connection it came by: without that it means nothing any more. */
  readonly connection?: BrokerConnection;
  /** Durable before the input acts. */
  readonly page?: FlashOperation | undefined;
  readonly done?: () => void;
}

/** The alarm rang, or something has happened to the vehicle. */
export const TICK: PendingInput = { make: (vehicle) => ({ kind: 'tick', sensors: vehicle.sensors() }) };

/** What a connection tells its box, each thing as an input that waits its turn. */
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
