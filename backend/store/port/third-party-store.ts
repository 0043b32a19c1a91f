import type { OutgoingMessage } from './outbox-store.ts';
import type { LifeStatus, Vehicle, VehicleState } from './stored-vehicle.ts';

/** The vehicles behind makers' clouds. */
export interface ThirdPartyStore {
  /** The vehicle that the maker has under that identifier; undefined: no vehicle here is linked to it. */
  findLinked(maker: string, makerVehicleId: string): Promise<LinkedVehicle | undefined>;
  /**
   * State, last contact, the message, and the outcome of the command that it answers: all or none.
   * - `stale`: the vehicle has another version by now, or does not exist: find it and decide again;
   * - `busy`: a command of the vehicle is open at `atMs`, and this does not answer it. Its answer must come
   *   first.
   */
  commit(change: ThirdPartyChange): Promise<'written' | 'stale' | 'busy'>;
  /** The maker refused the command, with this text. A settled command does not change. */
  refuse(
    requestId: string,
    outcome: 'failed' | 'conflicting-state',
    error: string,
    atMs: number,
  ): Promise<void>;
  /**
   * Vehicles of these makers that are due, the longest due first; they are not due again before
   * `leasedUntilMs`. Newly linked vehicles are due within a few seconds; removed ones are forgotten.
   */
  claim(query: {
    readonly makers: readonly string[];
    readonly nowMs: number;
    readonly leasedUntilMs: number;
    readonly limit: number;
  }): Promise<readonly DueVehicle[]>;
  /** Sets when the vehicle is due again, and how many polls of it have failed in a row. */
  postpone(vehicleId: string, dueMs: number, failures: number): Promise<void>;
  /** When the next of these makers' vehicles is due; undefined: there is none. */
  nextDue(makers: readonly string[]): Promise<number | undefined>;
}

export interface LinkedVehicle {
  readonly vehicle: Vehicle;
  /** Rises with each commit. */
  readonly version: number;
  /** The maker's time of the newest stored state; undefined: none. */
  readonly takenMs: number | undefined;
}

export interface ThirdPartyChange {
  readonly vehicleId: string;
  /** As found. */
  readonly version: number;
  readonly atMs: number;
  /** Absent: unchanged. */
  readonly takenMs?: number;
  readonly lastContactMs?: number;
  readonly life?: LifeStatus;
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
