/** The side of the vehicle that something came from, as seen by its driver. */
export type Side = 'front' | 'rear' | 'left' | 'right';

/** What was measured of an event of a feature: exactly one of the parts that may be missing. */
export interface Measured {
  /** How long before the record's own clock it began, in milliseconds. */
  readonly agoMs: number;
  /** Where GNSS found the vehicle when it was noticed. */
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
  /** How long was gathered from the beginning of the crash on. */
  readonly gatheredMs: number;
  /**
   * That time in `limits.crashSamples` equal parts, the first ones where it ended early: the strongest acceleration
   * along (forward positive) and across the vehicle (to the right positive) in each, in thousandths of gravity.
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
  /** Whether the bend led to the left or to the right. */
  readonly bend: 'left' | 'right';
}

/** Against the place and the slope where the vehicle was parked. */
export interface TowingMeasured {
  readonly distanceM: number;
  readonly tiltDegrees: number;
}

export interface DamageMeasured {
  /** Of the structure-borne sound, as the acceleration of the body's skin, in thousandths of gravity. */
  readonly strengthMg: number;
  /** What was in force. */
  readonly sensitivity: Sensitivity;
  readonly side: Side;
}

export type Sensitivity = 'low' | 'medium' | 'high';

export interface SmokeMeasured {
  /** The highest. */
  readonly concentrationUgPerM3: number;
  /** How long it had been above the threshold. */
  readonly durationMs: number;
}

/** The bytes on the wire that stand for names, in both generations. Never reused. */
export const SIDES = { front: 1, rear: 2, left: 3, right: 4 } as const satisfies Record<Side, number>;
export const BENDS = { left: 3, right: 4 } as const satisfies Record<CorneringMeasured['bend'], number>;
export const SENSITIVITIES = { low: 1, medium: 2, high: 3 } as const satisfies Record<Sensitivity, number>;

/** The events that tell of a measurement, and the part in which it stands. */
export const MEASURED_EVENTS = {
  crash: 'crash',
  'heavy-braking': 'braking',
  'harsh-cornering': 'cornering',
  towing: 'towing',
  shock: 'shock',
  damage: 'damage',
  smoke: 'smoke',
} as const satisfies Record<string, MeasuredPart>;

/** The name of an event of a feature. */
export type MeasuredEventName = keyof typeof MEASURED_EVENTS;
