import type { VehicleModel } from '../../../protocol/models/model.ts';
import type { Stream } from '../../../world/random/random.ts';
import type { Route } from '../../routes/route.ts';
import type { MotionSegment } from '../motion-segment.ts';
import type { Maneuver } from './maneuver.ts';
import type { DrivingStyle, Move } from './moves.ts';

/**
 * The switches of the vehicle. An open door or lid is never locked. A part that the vehicle does not have counts as
 * shut and never as an obstacle.
 */
export interface Switches {
  readonly ignitionOn: boolean;
  readonly doorOpen: boolean;
  readonly locked: boolean;
  readonly drivingEnabled: boolean;
  readonly topCaseOpen: boolean;
  readonly topCaseLocked: boolean;
  readonly standExtended: boolean;
  /** The battery compartment is shut and latched. */
  readonly compartmentLocked: boolean;
  /** A charging plug is in: the vehicle does not drive away with it. */
  readonly pluggedIn: boolean;
}

export const DRIVER_WISHES = ['drive', 'rest'] as const;

/** The driver's intention; actions that can wait are performed at the next standstill. */
export interface DriverIntent {
  readonly wish: (typeof DRIVER_WISHES)[number];
  readonly switchOff: boolean;
  readonly openDoor: boolean;
  /** Share of the usual speed, up to 1; it counts from the next drive on. */
  readonly pace: number;
  /** The maneuver that the driver performs once the vehicle is fast enough. */
  readonly maneuver: Maneuver | undefined;
}

/** A change of switches or of the driver's intention. */
export interface DriverChange {
  readonly switches?: Partial<Switches>;
  readonly intent?: Partial<DriverIntent>;
}

/** A vehicle with a driver, as data. */
export interface Journey {
  readonly switches: Switches;
  readonly intent: DriverIntent;
  readonly segment: MotionSegment;
  /** Moves to the next stop that come after this segment. */
  readonly ahead: readonly Move[];
  /** How this drive is driven. */
  readonly style: DrivingStyle;
  /** It replays a recorded drive: this leg of it is the segment. Absent: a driver drives. */
  readonly leg?: number;
}

/** The constant properties of a vehicle. */
export interface DriveContext {
  readonly model: VehicleModel;
  readonly route: Route;
  /** Where on the loop the way began. */
  readonly startM: number;
  readonly style: DrivingStyle;
  readonly chance: Stream;
  /** Of the seed: which days are warm and which cold (simulator/vehicle/surroundings/air.ts). */
  readonly weather: number;
  /** When the vehicle's seconds began. */
  readonly madeMs: number;
  /** How far the vehicles ahead let it drive on then (traffic.ts), 0: not now; absent: there is no other traffic. */
  readonly roomM?: (atS: number) => number;
}
