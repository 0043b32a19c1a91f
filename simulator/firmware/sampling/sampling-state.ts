import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';

/** The last sample and the last report of the box. */
export interface Sampler {
  /** Undefined: it has not looked since boot. */
  readonly seen: SeenInputs | undefined;
  /** The last periodic report: when and where. */
  readonly reportedAt: number;
  readonly reportedDistanceM: number;
  readonly reportedHeadingDegrees: number;
  /** A report since boot contained a position. */
  readonly hasReportedPosition: boolean;
  /** The last record of any kind that was contact. */
  readonly contactAt: number;
  /** When to look next because ignition is on. */
  readonly lookAt: number | undefined;
  /** The reading at rest is not recorded yet (simulator/firmware/power/reading-at-rest.ts). */
  readonly owesRestReading: boolean;
}

/** The inputs at the last look whose changes are events. */
export type SeenInputs = Pick<
  SensorInputs,
  | 'ignitionOn'
  | 'anyDoorOpen'
  | 'locked'
  | 'drivingEnabled'
  | 'topCaseOpen'
  | 'topCaseLocked'
  | 'standExtended'
  | 'compartmentLocked'
  | 'pluggedIn'
  | 'charging'
>;

/** The state of sampling after a boot, before the first sample. */
export const initialSampler: Sampler = {
  seen: undefined,
  reportedAt: 0,
  reportedDistanceM: 0,
  reportedHeadingDegrees: 0,
  hasReportedPosition: false,
  contactAt: 0,
  lookAt: undefined,
  owesRestReading: true,
};

/** The processor's temperature and the traffic on its buses. */
export interface Health {
  /** Undefined: not measured since boot. */
  readonly temperatureC: number | undefined;
  readonly measuredAt: number;
  /** CAN buses with traffic since boot, bit n = bus n. */
  readonly busesHeard: number;
}

export const initialHealth: Health = { temperatureC: undefined, measuredAt: 0, busesHeard: 0 };
