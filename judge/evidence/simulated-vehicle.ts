import type { VehicleNumber } from './fact.ts';

/** One vehicle of the run. */
export interface SimulatedVehicle {
  /** From 1, in the order of the fleet. */
  readonly number: VehicleNumber;
  readonly group: VehicleGroup;
  /** Empty while its box is unassigned; `onboarded` fills it in. */
  readonly vehicleId: string;
  readonly model: string;
  /** Undefined: its maker's telematics. */
  readonly boxId: string | undefined;
  readonly fleetId: string;
  /** The features that are configured before the first step, with names in snake_case or kebab-case. */
  readonly initialFeatures: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
}

/** The plan of the run for the vehicles of one group. */
export interface VehicleGroup {
  /** The name by which a scenario selects it. */
  readonly as: string;
  readonly fleet: 'own' | 'partner';
  readonly isDriving?: boolean;
  /** Whether the boxes are in stock, in no vehicle record yet. */
  readonly isOnShelf: boolean;
  /** `road`: its radio loses coverage randomly. */
  readonly radio?: string;
  /** As in the scenario; `demo`: what `boxtwin up` configures. */
  readonly features: 'demo' | Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
}

export interface VehicleSnapshot {
  readonly truth: Readonly<Record<string, unknown>>;
  readonly belief: Readonly<Record<string, unknown>>;
  readonly isConnected: boolean;
  /** Records in the journal; 0 without a box. */
  readonly heldRecords: number;
}
