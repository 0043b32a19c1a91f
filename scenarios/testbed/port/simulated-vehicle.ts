import type { FleetGroup } from '../../language/document/scenario.ts';
import type { VehicleNumber } from '../../run/fact.ts';

/** One vehicle of the run. */
export interface SimulatedVehicle {
  /** From 1, in the order of the fleet. */
  readonly number: VehicleNumber;
  readonly group: FleetGroup;
  /** Empty while its box is on the shelf; `onboarded` fills it in. */
  readonly vehicleId: string;
  readonly model: string;
  /** Undefined: its maker's telematics. */
  readonly boxId: string | undefined;
  readonly fleetId: string;
}

export interface VehicleSnapshot {
  readonly truth: Readonly<Record<string, unknown>>;
  readonly belief: Readonly<Record<string, unknown>>;
  readonly isConnected: boolean;
  /** Records in the journal; 0 without a box. */
  readonly heldRecords: number;
}
