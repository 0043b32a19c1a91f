import type { CommandName } from '../commands.ts';
import type { Quantity } from './quantities.ts';

/**
 * A vehicle model as its hardware: its raw signals and their meaning. Both ends use this table: the simulated
 * vehicle encodes its state into raw signals, the backend derives capabilities from it. A new vehicle model
 * is a new file of rows.
 */
export interface VehicleModel {
  /** kebab-case: `petrol-compact` */
  readonly name: string;
  readonly brand: string;
  readonly series: string;
  readonly fuelType: 'PETROL' | 'DIESEL' | 'ELECTRIC' | 'HYBRID';
  readonly vehicleType: 'CAR' | 'VAN' | 'MOPED';
  readonly installation: 'OBD' | 'HARDWIRED';
  /** Command names that the vehicle's wiring allows, besides the box's own. */
  readonly vehicleCommands: readonly CommandName[];
  readonly transmission: 'MANUAL' | 'AUTOMATIC';
  readonly yearOfProduction: number;
  /** The CAN frames that the rows read; at the diagnostic port those that the gateway forwards. */
  readonly frames: readonly CanFrameShape[];
  readonly rows: readonly SignalRow[];
  readonly body: BodyFacts;
}

/** A CAN frame that the vehicle sends periodically. */
export interface CanFrameShape {
  readonly bus: 0 | 1;
  /** 11 or 29 bits. */
  readonly id: number;
  readonly bytes: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  /** False: only while the ignition is on. True: always, as control units of the body send it. */
  readonly always: boolean;
}

/** Facts for the physics. */
export interface BodyFacts {
  readonly massKg: number;
  readonly doors: number;
  /** The size of the tank in litres, or of an electric vehicle's traction battery in kilowatt-hours. */
  readonly energyCapacity: number;
  /** Per 100 km on a level road at 50 km/h, in the capacity's unit. */
  readonly consumptionPer100Km: number;
  readonly topSpeedKph: number;
  readonly maximumAccelerationMps2: number;
  /** The maximum charging power in kilowatts; absent: there is no plug. */
  readonly chargeKw?: number;
  /** The traction battery of a plug-in hybrid, whose `energyCapacity` is its tank. */
  readonly hybrid?: { readonly capacityKwh: number; readonly consumptionPer100Km: number };
  /** The tank of urea solution (AdBlue) in litres, and litres used on 1,000 km. */
  readonly adblue?: { readonly litres: number; readonly litresPer1000Km: number };
  /** Ports for swappable drive batteries; they share `energyCapacity`. */
  readonly batteryPorts?: 1 | 2;
}

/** The switches of every car. */
const OF_CARS: readonly Quantity[] = ['ignitionOn', 'anyDoorOpen', 'locked', 'drivingEnabled'];

/**
 * Whether the vehicle has the part of the switch: without a row for it there is none. A model without any
 * rows (of a maker's cloud) is a car.
 */
export function hasPart(model: Pick<VehicleModel, 'rows'>, part: Quantity): boolean {
  if (model.rows.length === 0) return OF_CARS.includes(part);
  return model.rows.some((row) => row.quantity === part);
}

/** The source of a raw signal. */
export type SignalSource =
  /**
   * SAE J1979 mode 01. The `bytes` data bytes of the answer form one big-endian number, unless start bit and
   * length define a part of them, as a Motorola signal in a DBC file. `present`: a bit that must be 1;
   * otherwise the part has no value.
   */
  | {
      readonly from: 'obd';
      readonly pid: number;
      readonly bytes: 1 | 2 | 3 | 4;
      readonly startBit?: number;
      readonly bits?: number;
      readonly present?: number;
    }
  /**
   * DBC: start bit, length, byte order (Intel: little; Motorola: big, start bit = most significant). `signed`: its
   * raw number is two's complement (`-` in a DBC file).
   */
  | {
      readonly from: 'can';
      readonly bus: 0 | 1;
      readonly id: number;
      readonly startBit: number;
      readonly bits: number;
      readonly order: 'little' | 'big';
      readonly signed?: true;
    }
  /** One of the 16 digital inputs. */
  | { readonly from: 'digital'; readonly port: number }
  /** Millivolts at one of the 4 analogue inputs. */
  | { readonly from: 'analog'; readonly port: number }
  /** SAE J1979 mode 03: the stored trouble codes. */
  | { readonly from: 'trouble-codes' };

/**
 * One raw signal. The meaning of its raw number depends on the kind of its quantity:
 *
 * - measure: `physical = raw × factor + offset`.
 * - switch: 1 is true and 0 false, or the opposite if `inverted`; any other number has no meaning. Factor and
 *   offset are 1 and 0.
 * - choice: its word in `words`; the meaning of a number without a word is unknown.
 * - day: `days = raw × factor + offset`, or with `part` one of year, month and day of the date, and a row for
 *   each.
 * - serial: the number itself.
 * - codes: no number, but a list of codes.
 *
 * `unavailable`: the raw number for no value, `failure`: for a failed sensor; of a signed signal they are signed.
 * OBD answers only while the
 * ignition is on; ports are always readable.
 */
export interface SignalRow {
  readonly source: SignalSource;
  readonly quantity: Quantity;
  readonly factor: number;
  readonly offset: number;
  readonly inverted?: true;
  readonly words?: Readonly<Record<number, string>>;
  readonly part?: 'year' | 'month' | 'day';
  readonly unavailable?: number;
  readonly failure?: number;
  /**
   * The properties of the vehicle state (snake_case) that it feeds, or `property.part`; empty: it feeds none.
   * If two rows feed one property, OBD has priority over CAN and CAN over the ports, as long as it has a
   * value.
   */
  readonly feeds: readonly string[];
}

/** The lowest raw number that a source can hold: 0, or below it where the signal is signed. */
export function lowestRaw(source: SignalSource): number {
  return isSigned(source) ? -highestRaw(source) - 1 : 0;
}

/** Whether the raw numbers of a source are two's complement. */
export function isSigned(source: SignalSource): boolean {
  return source.from === 'can' && source.signed === true;
}

/**
 * The raw numbers of a row that are values: all that its source can hold except its codes, which are at one end.
 * With a code in the middle, the values below it remain.
 */
export function valueRange({ source, unavailable, failure }: SignalRow): readonly [number, number] {
  let lowest = lowestRaw(source);
  let highest = highestRaw(source);
  for (const code of [unavailable, failure]) {
    if (code === undefined) continue;
    if (code < 0) lowest = Math.max(lowest, code + 1);
    else highest = Math.min(highest, code - 1);
  }
  return [lowest, highest];
}

/** The highest raw number that a source can hold. */
export function highestRaw(source: SignalSource): number {
  switch (source.from) {
    case 'obd':
      return allOnes(source.bits ?? 8 * source.bytes);
    case 'can':
      return allOnes(source.signed === true ? source.bits - 1 : source.bits);
    case 'digital':
      return 1;
    case 'analog':
      return 0xffff;
    case 'trouble-codes':
      return 0xffff;
    default:
      return source satisfies never;
  }
}

function allOnes(bits: number): number {
  let value = 0;
  for (let left = bits; left > 0; left -= 1) value = value * 2 + 1;
  return value;
}
