import type { Signals } from '../../../protocol/signals.ts';
import type { World } from '../../../world/world.ts';
import type { GeoPoint } from '../../arithmetic.ts';
import type { BoxPlan } from '../../box-plan.ts';
import type { Maneuver } from '../driving/maneuver.ts';
import type { Mechanics } from '../driving/mechanics.ts';
import type { Supply } from '../energy/supply.ts';
import type { SmokeOrder } from '../equipment/smoke.ts';
import type { VehicleOperation } from '../equipment/vehicle-operations.ts';
import type { Acceleration, AccelerationExtremes } from '../forces.ts';
import type { TowOrder } from '../surroundings/towing.ts';
import type { AccelerationInterval, Bump, Impact } from './accelerometer-buffer.ts';
import type { LookThresholds } from './next-significant-look.ts';

/**
 * The interface between a box and its vehicle: the inputs that the hardware can sense at one moment, and
 * the parts that it can move. The firmware never accesses the vehicle itself.
 */
export interface SensorInputs {
  /**
   * Everything readable now, raw, from every source: OBD, CAN, digital and analogue ports, GNSS, the modem's radio,
   * power. It may be a getter that reads when first used; it returns the same value each time, and later changes of the
   * vehicle do not affect it. The firmware replaces `modem` by the values of its own modem.
   */
  readonly signals: Signals;
  /**
   * The same with the drive's control units awake. They stay awake for some seconds after the ignition goes
   * off, and any frame from the box wakes them (wake-up pattern, ISO 11898-2), which costs some charge of the
   * vehicle's battery.
   */
  readonly signalsAwake: Signals;
  readonly ignitionOn: boolean;
  readonly anyDoorOpen: boolean;
  readonly locked: boolean;
  readonly drivingEnabled: boolean;
  readonly topCaseOpen: boolean;
  readonly topCaseLocked: boolean;
  readonly standExtended: boolean;
  /** The battery compartment is shut and latched. */
  readonly compartmentLocked: boolean;
  /**
   * A charging plug is in, and the traction battery is charging; false if the box has no wiring for either.
   */
  readonly pluggedIn: boolean;
  readonly charging: boolean;
  readonly speedKph: number;
  /** Distance travelled since the vehicle was made; it never falls. */
  readonly distanceM: number;
  /** North 0, east 90, below 360. */
  readonly headingDegrees: number;
  /** Along and across the vehicle at this moment. */
  readonly acceleration: Acceleration;
  /** The content of the accelerometer's buffer, the latest last. A getter like `signals`. */
  readonly accelerations: readonly AccelerationInterval[];
  /** The tilt of the vehicle against level. */
  readonly tiltDegrees: number;
  /** Fine particles in the cabin, in micrograms per cubic metre. */
  readonly smokeUgPerM3: number;
  /** The position found by GNSS; undefined: no fix. */
  readonly fix: GeoPoint | undefined;
  /** The key is in the vehicle. */
  readonly keyPresent: boolean;
  /** Radio coverage at this position. */
  readonly hasCoverage: boolean;
  /** The driving vehicle is out of reach of every site: sent data is lost without notice. */
  readonly isOutOfReach: boolean;
  /** As the modem measures it: 0 to 31 (3GPP TS 27.007). */
  readonly csq: number;
  /** Mobile networks in range, the strongest first. MCC and MNC as one number. */
  readonly networks: readonly MobileNetwork[];
  readonly supplyMillivolts: number;
  /** The charge of the box's backup battery, whole percent; 0 if it has none. */
  readonly backupPercent: number;
  readonly ambientTemperatureC: number;
}

/** How to drive; absent values do not change. */
export interface DriveOrder {
  readonly route?: string | undefined;
  readonly pace?: number | undefined;
}

export interface MobileNetwork {
  readonly code: number;
  readonly name: string;
}

/** Faults of a box's installation: bus wires or plug loose, antenna loose, a terminal corroded. */
export const INSTALLATION_FAULTS = ['no-vehicle-bus', 'no-gnss', 'low-supply'] as const;
export type InstallationFault = (typeof INSTALLATION_FAULTS)[number];

/**
 * The parts that the box's outputs can move. `attention`: lights and horn, which stop automatically after some seconds.
 */
export interface Actuation {
  readonly set: 'locked' | 'drivingEnabled' | 'topCaseLocked' | 'compartmentLocked' | 'attention';
  readonly to: boolean;
}

/** External incidents of a vehicle. Only a parked one can be towed. */
export type Incident =
  | ({ readonly what: 'impact' } & Impact)
  | ({ readonly what: 'bump' } & Bump)
  | ({ readonly what: 'tow' } & TowOrder)
  | ({ readonly what: 'smoke' } & SmokeOrder);

/** The vehicle around a box. Times are the world's epoch milliseconds. */
export interface Vehicle {
  /** Advances to `toMs`. Never backwards: an earlier time has no effect. */
  advance(toMs: number): void;
  sensors(): SensorInputs;
  /** Moves an actuator immediately. False: the mechanics or the vehicle's wiring prevent it. */
  actuate(actuation: Actuation): boolean;
  /**
   * The next spontaneous change that wakes a sleeping box (ignition, doors, locks, supply below or back
   * above its threshold, coverage); undefined: nothing is planned. Changes during a drive are not included:
   * a box with the ignition on looks once a second.
   */
  nextChangeMs(): number | undefined;
  /** The first of those looks that must not be skipped, as far as is known now. */
  nextSignificantLookMs(thresholds: LookThresholds): number;
  /**
   * Shuts the doors and drives. With another route's name, a stationary vehicle is put onto that route first; an
   * unknown name has no effect. `pace`: share of the usual speed; above 1 faster than the streets allow.
   */
  drive(how?: DriveOrder): void;
  /**
   * The driver performs this once the vehicle is fast enough, and drops it at rest. False: the vehicle is
   * parked, or the route has no bend that is sharp enough.
   */
  maneuver(what: Maneuver): boolean;
  /** The names of the routes on which it can be put. */
  routes(): readonly string[];
  /** The extremes of its acceleration since the last call. */
  extremes(): AccelerationExtremes;
  /** Applies an incident now; a lasting one continues automatically. */
  applyIncident(incident: Incident): void;
  park(): void;
  openDoor(isOpen: boolean): void;
  turnIgnition(isOn: boolean): void;
  /** Moves the lid of the top case, at a standstill; it opens only if it is not locked. */
  openTopCase(isOpen: boolean): void;
  /** Shuts the battery compartment; only the box's pulse opens it. */
  shutCompartment(): void;
  /** Puts a stationary vehicle on its centre stand, or takes it off. */
  putOnStand(isExtended: boolean): void;
  /** Does something to its equipment. A returned text says why it cannot be done now. */
  operate(operation: VehicleOperation): string | undefined;
  /** Makes parts jam, immediately or after one more movement, or work again. */
  setMechanics(change: Readonly<Partial<Mechanics>>): void;
  setCoverage(hasCoverage: boolean): void;
  /** Whether satellites can be received. */
  setGnssReception(isHeard: boolean): void;
  /** Moves the vehicle across a border, or back home: after the gap it finds other networks. */
  crossBorder(isAbroad: boolean, gapMs: number): void;
  /** 0 to 31; undefined: as at the vehicle's position. */
  setSignalQuality(csq: number | undefined): void;
  /** Powers the receiver: it has its first fix at that time. */
  startReceiver(fixAtMs: number): void;
  /** Lowers the supply below the box's minimum, for a few seconds. */
  brownOut(): void;
  /** Makes the box's supply low, cut or normal. */
  setSupply(supply: Supply): void;
  /**
   * A fault in the box's installation, for this duration or until it is repaired; undefined: it is repaired.
   */
  setInstallationFault(fault: InstallationFault | undefined, durationMs?: number): void;
  /** The physical truth. Plain JSON. */
  truth(): Record<string, unknown>;
  /**
   * People's settings regardless of the driver: belts, selector lever; the truth may show them only under way. Plain
   * JSON.
   */
  held(): Record<string, unknown>;
  /** Keeps past states from now on: at most `room` changes, and at least half of that. */
  keepHistory(room: number): void;
  /**
   * The physical truth in the past, at enough moments between these two that nothing is missed; undefined if
   * the earlier one is no longer kept. Plain JSON each.
   */
  truthsBetween(fromMs: number, toMs: number): readonly Readonly<Record<string, unknown>>[] | undefined;
}

/**
 * Implemented by `makeVehicle` of simulator/vehicle/vehicle.ts. Its random numbers come from streams
 * `box/<id>/vehicle/...`.
 */
export type MakeVehicle = (plan: BoxPlan, random: World['random'], atMs: number) => Vehicle;
