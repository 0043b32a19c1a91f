/** A part of a recorded drive: at constant acceleration along the route, or at a standstill. */
export interface RecordedLeg {
  readonly durationS: number;
  readonly fromMps: number;
  readonly toMps: number;
  /** 0: the vehicle is stationary. */
  readonly lengthM: number;
  /** Never false while it moves. */
  readonly ignitionOn: boolean;
  /** Engine revolutions per minute at both ends; absent: as the model has it. */
  readonly rpm?: readonly [from: number, to: number];
  /** The share of the tank or battery at the end; absent: it follows from the way. */
  readonly toEnergyPercent?: number;
}

/** A drive that was recorded, as the parts that a vehicle replays one after the other from the route's beginning. */
export interface RecordedDrive {
  readonly legs: readonly RecordedLeg[];
  readonly durationS: number;
  readonly wayM: number;
  /** At its beginning; absent: the vehicle's own. */
  readonly fromEnergyPercent?: number;
  readonly fromMileageKm?: number;
}
