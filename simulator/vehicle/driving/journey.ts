import type { VehicleModel } from '../../../protocol/models/model.ts';
import type { Stream } from '../../../world/random/random.ts';
import type { Route } from '../../routes/route.ts';
import type { MotionSegment } from '../motion-segment.ts';
import type { Maneuver } from './maneuver.ts';
import type { DrivingStyle, Move } from './moves.ts';

/**
 * What is switched in the vehicle. An open door or lid is never locked. What a vehicle does not have stands as if it
 * were shut and out of the way.
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
  /** Somebody has put a charging plug in: it does not drive away with that. */
  readonly pluggedIn: boolean;
}

export const DRIVER_WISHES = ['drive', 'rest'] as const;

/** What the driver wants; what can wait is done at the next standstill. */
export interface DriverIntent {
  readonly wish: (typeof DRIVER_WISHES)[number];
  readonly switchOff: boolean;
  readonly openDoor: boolean;
  /** Share of the usual speed, up to 1; it counts from the next drive on. */
  readonly pace: number;
  /** What the driver does as soon as the vehicle is fast enough for it. */
  readonly maneuver: Maneuver | undefined;
}

/** What somebody switches, or has in mind anew. */
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
  /** It replays a recorded drive: this leg of it is the segment. Absent: somebody drives. */
  readonly leg?: number;
}

/** What does not change about a vehicle. */
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
  /** How far it may drive on then for those ahead (traffic.ts), 0: not now; absent: it has the streets for itself. */
  readonly roomM?: (atS: number) => number;
}
