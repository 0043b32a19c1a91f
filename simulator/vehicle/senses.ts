import type { Signals } from '../../protocol/signals.ts';
import type { World } from '../../world/world.ts';
import type { BoxPlan } from '../fleet.ts';

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
  readonly ignitionOn: boolean;
  readonly anyDoorOpen: boolean;
  readonly locked: boolean;
  readonly drivingEnabled: boolean;
  readonly speedKph: number;
  /** Way travelled since the vehicle was made, never falling. */
  readonly distanceM: number;
  /** North 0, east 90, below 360. */
  readonly headingDegrees: number;
  /** Radio coverage at this place. */
  readonly hasCoverage: boolean;
  /** 0 to 31 (3GPP TS 27.007). */
  readonly csq: number;
  /** Mobile networks that can be received here, the strongest first. MCC and MNC as one number. */
  readonly networks: readonly MobileNetwork[];
  readonly supplyMillivolts: number;
  readonly ambientTemperatureC: number;
}

export interface MobileNetwork {
  readonly code: number;
  readonly name: string;
}

/** What the box's outputs can move. */
export type Actuation = { readonly set: 'locked' | 'drivingEnabled'; readonly to: boolean };

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
  drive(): void;
  park(): void;
  openDoor(isOpen: boolean): void;
  turnIgnition(isOn: boolean): void;
  setCoverage(hasCoverage: boolean): void;
  setSignalQuality(csq: number): void;
  /** The supply sinks below what the box needs, for a few seconds. */
  brownOut(): void;
  /** The physical truth. Plain JSON. */
  truth(): Record<string, unknown>;
}

/** Fulfilled by `makeVehicle` of simulator/vehicle/vehicle.ts. Its chance comes from streams `box/<id>/vehicle/...`. */
export type MakeVehicle = (plan: BoxPlan, random: World['random'], atMs: number) => Vehicle;
