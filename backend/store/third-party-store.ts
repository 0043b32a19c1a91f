import type { OutgoingMessage } from './outbox-store.ts';
import type { Life, Vehicle, VehicleState } from './vehicle-store.ts';

/** The vehicles that a maker's cloud tells of. */
export interface ThirdPartyStore {
  /** The vehicle that the maker knows under that identifier; undefined: none of ours is linked to it. */
  findLinked(maker: string, makerVehicleId: string): Promise<LinkedVehicle | undefined>;
  /**
   * State, last contact, the message, and the outcome of the command that it answers: all or none.
   * - `stale`: the vehicle has another version by now, or is gone: find it again, decide again;
   * - `busy`: a command of the vehicle is open at `atMs`, and this does not answer it. Its answer is to come first.
   */
  commit(change: ThirdPartyChange): Promise<'written' | 'stale' | 'busy'>;
  /** The command did not come off: its maker refused it, with these words. One that is settled stays as it is. */
  refuse(
    requestId: string,
    outcome: 'failed' | 'conflicting-state',
    error: string,
    atMs: number,
  ): Promise<void>;
  /**
   * Vehicles of these makers that are due, the longest due first, and not due again before `leasedUntilMs`. Vehicles
   * that were linked since are due within some seconds; those that are gone are forgotten.
   */
  claim(query: {
    readonly makers: readonly string[];
    readonly nowMs: number;
    readonly leasedUntilMs: number;
    readonly limit: number;
  }): Promise<readonly DueVehicle[]>;
  /** When the vehicle is due again, and how many polls of it have failed by now. */
  postpone(vehicleId: string, dueMs: number, failures: number): Promise<void>;
  /** When the next of these makers' vehicles is due; undefined: there is none. */
  nextDue(makers: readonly string[]): Promise<number | undefined>;
}

export interface LinkedVehicle {
  readonly vehicle: Vehicle;
  /** Rises with each commit. */
  readonly version: number;
  /** The maker's time of the newest state that is stored; undefined: none is. */
  readonly takenMs: number | undefined;
}

export interface ThirdPartyChange {
  readonly vehicleId: string;
  /** As found. */
  readonly version: number;
  readonly atMs: number;
  /** Absent: as it was. */
  readonly takenMs?: number;
  readonly lastContactMs?: number;
  readonly life?: Life;
  /** The whole merged state. */
  readonly state?: VehicleState;
  readonly message?: OutgoingMessage;
  /** The command that this answers; it is done. */
  readonly requestId?: string;
}

export interface DueVehicle {
  readonly vehicleId: string;
  readonly maker: string;
  readonly makerVehicleId: string;
  readonly failures: number;
}
