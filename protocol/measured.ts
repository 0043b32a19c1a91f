/** The side of the vehicle where it happened, as seen by its driver. */
export type Side = 'front' | 'rear' | 'left' | 'right';

/** The measurement of a feature's event: exactly one of the optional parts is present, besides `place`. */
export interface Measured {
  /** How long before the record's clock it began, in milliseconds. */
  readonly agoMs: number;
  /** The GNSS position of the vehicle when it was detected. */
  readonly place?: MeasuredPlace;
  readonly crash?: CrashMeasured;
  readonly braking?: BrakingMeasured;
  readonly cornering?: CorneringMeasured;
  readonly towing?: TowingMeasured;
  readonly shock?: ShockMeasured;
  readonly damage?: DamageMeasured;
  readonly smoke?: SmokeMeasured;
}

/** The name of a part. */
export type MeasuredPart = Exclude<keyof Measured, 'agoMs' | 'place'>;

export interface MeasuredPlace {
  readonly latitude: number;
  readonly longitude: number;
}

export interface ShockMeasured {
  /** The strongest acceleration, in thousandths of gravity. */
  readonly peakMg: number;
  readonly durationMs: number;
  readonly direction: Side;
}

export interface CrashMeasured extends ShockMeasured {
  /** The recorded time from the beginning of the crash. */
  readonly gatheredMs: number;
  /**
   * That time in `limits.crashSamples` equal parts, fewer if it ended early: the strongest acceleration along
   * (forward positive) and across the vehicle (to the right positive) in each, in thousandths of gravity.
   */
  readonly samples: readonly (readonly [longitudinalMg: number, lateralMg: number])[];
}

export interface BrakingMeasured {
  readonly peakMg: number;
  readonly durationMs: number;
  readonly speedBeforeKph: number;
  readonly speedAfterKph: number;
}

export interface CorneringMeasured {
  readonly peakMg: number;
  readonly durationMs: number;
  readonly speedKph: number;
  /** The direction of the bend. */
  readonly bend: 'left' | 'right';
}

/** Relative to the position and the slope where the vehicle was parked. */
export interface TowingMeasured {
  readonly distanceM: number;
  readonly tiltDegrees: number;
}

export interface DamageMeasured {
  /** Of the structure-borne sound, as the acceleration of the car body, in thousandths of gravity. */
  readonly strengthMg: number;
  /** The setting at that time. */
  readonly sensitivity: Sensitivity;
  readonly side: Side;
}

export type Sensitivity = 'low' | 'medium' | 'high';

export interface SmokeMeasured {
  /** The maximum. */
  readonly concentrationUgPerM3: number;
  /** How long it had been above the threshold. */
  readonly durationMs: number;
}

/** Bytes on the wire and their names, in both generations. Never reused. */
export const SIDES = { front: 1, rear: 2, left: 3, right: 4 } as const satisfies Record<Side, number>;
export const BENDS = { left: 3, right: 4 } as const satisfies Record<CorneringMeasured['bend'], number>;
export const SENSITIVITIES = { low: 1, medium: 2, high: 3 } as const satisfies Record<Sensitivity, number>;

/** The events that include a measurement, and the part that contains it. */
export const MEASURED_EVENTS = {
  crash: 'crash',
  'heavy-braking': 'braking',
  'harsh-cornering': 'cornering',
  towing: 'towing',
  shock: 'shock',
  damage: 'damage',
  smoke: 'smoke',
} as const satisfies Record<string, MeasuredPart>;

/** The name of an event with a measurement. */
export type MeasuredEventName = keyof typeof MEASURED_EVENTS;
