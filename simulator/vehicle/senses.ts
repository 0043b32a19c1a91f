import type { Signals } from '../../protocol/signals.ts';
import type { World } from '../../world/world.ts';
import type { Place } from '../arithmetic.ts';
import type { BoxPlan } from '../fleet.ts';
import type { Deed } from './deeds.ts';
import type { Acceleration, Extremes } from './forces.ts';
import type { Maneuver } from './maneuver.ts';
import type { Mechanics } from './mechanics.ts';
import type { Interest } from './quiet.ts';
import type { Bump, Impact, Shake } from './shake.ts';
import type { SmokeOrder } from './smoke.ts';
import type { Supply } from './supply.ts';
import type { TowOrder } from './towing.ts';

/**
 * The seam between a box and the vehicle it is built into: what the hardware can see at one moment, and what it can
 * do. The firmware never sees the vehicle itself.
 */
export interface Senses {
  /**
   * Everything readable now, raw, from every source: OBD, CAN, digital and analogue ports, GNSS, modem's radio, power.
   * May be a getter that reads when first asked; it gives the same answer each time, and later changes of the
   * vehicle don't reach into it. The firmware replaces `modem` by what its own modem knows.
   */
  readonly signals: Signals;
  /**
   * The same with the control units of the drive awake, which stay so for some seconds after the ignition goes off, and
   * are woken by any frame that the box sends (wake-up pattern, ISO 11898-2). That costs the vehicle's battery something.
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
  /** A charging plug is in, and the traction battery is charged; false where the box's wiring tells neither. */
  readonly pluggedIn: boolean;
  readonly charging: boolean;
  readonly speedKph: number;
  /** Way travelled since the vehicle was made, never falling. */
  readonly distanceM: number;
  /** North 0, east 90, below 360. */
  readonly headingDegrees: number;
  /** Along and across the vehicle at this moment. */
  readonly acceleration: Acceleration;
  /** What the accelerometer's buffer holds, the latest last. A getter like `signals`. */
  readonly shakes: readonly Shake[];
  /** How the vehicle leans against level. */
  readonly tiltDegrees: number;
  /** Fine particles in the cabin, in micrograms per cubic metre. */
  readonly smokeUgPerM3: number;
  /** Where GNSS finds the vehicle; undefined: it has no fix. */
  readonly fix: Place | undefined;
  /** The key is in the vehicle. */
  readonly keyPresent: boolean;
  /** Radio coverage at this place. */
  readonly hasCoverage: boolean;
  /** No site reaches the vehicle where it drives: what is sent is lost, and nobody is told. */
  readonly isOutOfReach: boolean;
  /** As the modem measures it: 0 to 31 (3GPP TS 27.007). */
  readonly csq: number;
  /** Mobile networks that can be received here, the strongest first. MCC and MNC as one number. */
  readonly networks: readonly MobileNetwork[];
  readonly supplyMillivolts: number;
  readonly ambientTemperatureC: number;
}

/** How to drive; what is left out stays as it is. */
export interface DriveOrder {
  readonly route?: string | undefined;
  readonly pace?: number | undefined;
}

export interface MobileNetwork {
  readonly code: number;
  readonly name: string;
}

/** What can be wrong with how a box is built in: bus wires or plug loose, antenna loose, a terminal corroded. */
export type InstallationFault = 'no-vehicle-bus' | 'no-gnss' | 'low-supply';

/** What the box's outputs can move. `attention`: lights and horn, which end by themselves after some seconds. */
export interface Actuation {
  readonly set: 'locked' | 'drivingEnabled' | 'topCaseLocked' | 'compartmentLocked' | 'attention';
  readonly to: boolean;
}

/** What can happen to a vehicle from outside. Only a parked one can be towed. */
export type Incident =
  | ({ readonly what: 'impact' } & Impact)
  | ({ readonly what: 'bump' } & Bump)
  | ({ readonly what: 'tow' } & TowOrder)
  | ({ readonly what: 'smoke' } & SmokeOrder);

/** The vehicle around a box. Times are the world's epoch milliseconds. */
export interface Vehicle {
  /** Lives on until `toMs`. Never backwards: an earlier time does nothing. */
  advance(toMs: number): void;
  sense(): Senses;
  /** Moves an actuator at once. False: the mechanics or the vehicle's wiring refuse. */
  actuate(actuation: Actuation): boolean;
  /**
   * When something next happens by itself that wakes a sleeping box (ignition, doors, locks, supply below or back
   * above its threshold, coverage); undefined: nothing is planned. What changes while a vehicle drives need not
   * be told: a box with ignition on looks once a second.
   */
  nextChangeMs(): number | undefined;
  /** The first of those looks that must not be left out, as far as can be told now. */
  quietUntilMs(interest: Interest): number;
  /**
   * Shuts the doors and drives. With another route's name it is put onto that route first, which only a standing one
   * can be; an unknown name changes nothing. `pace`: share of the usual speed, up to 1.
   */
  drive(how?: DriveOrder): void;
  /**
   * The driver does that as soon as the vehicle is fast enough; who rests forgets it. False: nobody drives, or the
   * route has no bend that takes so much.
   */
  maneuver(what: Maneuver): boolean;
  /** The names of the routes that it can be put onto. */
  routes(): readonly string[];
  /** The extremes of its acceleration since this was asked last. */
  extremes(): Extremes;
  /** Something happens to it now; what it takes a while for goes on by itself. */
  suffer(incident: Incident): void;
  park(): void;
  openDoor(isOpen: boolean): void;
  turnIgnition(isOn: boolean): void;
  /** The lid of the top case, at a standstill; it opens only where it is not locked. */
  openTopCase(isOpen: boolean): void;
  /** Shuts the battery compartment; opening it takes the box's pulse. */
  shutCompartment(): void;
  /** Puts a standing vehicle on its centre stand, or takes it off. */
  putOnStand(isExtended: boolean): void;
  /** Somebody does something to its equipment. A text that comes back says why it cannot be done now. */
  tend(deed: Deed): string | undefined;
  /** Parts jam, will jam after one more movement, or work again. */
  setMechanics(change: Readonly<Partial<Mechanics>>): void;
  setCoverage(hasCoverage: boolean): void;
  /** Whether satellites are heard. */
  setSky(isHeard: boolean): void;
  /** The vehicle is on the other side of a border, or at home again: after the gap its networks are others. */
  crossBorder(isAbroad: boolean, gapMs: number): void;
  /** 0 to 31; undefined: as the place has it. */
  setSignalQuality(csq: number | undefined): void;
  /** The receiver gets power: it has its first fix at that time. */
  startReceiver(fixAtMs: number): void;
  /** The supply sinks below what the box needs, for a few seconds. */
  brownOut(): void;
  /** The box's supply becomes low, is cut, or is as it should be. */
  setSupply(supply: Supply): void;
  /** Something is wrong with how the box is built in, for that long or until it is mended; undefined: it is mended. */
  setInstallationFault(fault: InstallationFault | undefined, durationMs?: number): void;
  /** The physical truth. Plain JSON. */
  truth(): Record<string, unknown>;
  /** From now on what it was is kept: `room` changes of it, at least half of that. */
  remember(room: number): void;
  /**
   * The physical truth as it was, at so many moments between these two that nothing is missed; undefined where the
   * earlier one is not kept. Plain JSON each.
   */
  truths(fromMs: number, toMs: number): readonly Readonly<Record<string, unknown>>[] | undefined;
}

/** Fulfilled by `makeVehicle` of simulator/vehicle/vehicle.ts. Its chance comes from streams `box/<id>/vehicle/...`. */
export type MakeVehicle = (plan: BoxPlan, random: World['random'], atMs: number) => Vehicle;
