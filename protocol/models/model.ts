import type { CommandName } from '../commands.ts';

/**
 * A vehicle model as the hardware shows it: which raw signals there are, and what each says. Both ends read this one
 * table: the simulated vehicle writes its truth into the raw signals by it, the backend reads capabilities out of
 * them by it. A new vehicle model is a new file of rows.
 */
export interface VehicleModel {
  /** kebab-case: `petrol-compact` */
  readonly name: string;
  readonly brand: string;
  readonly series: string;
  readonly fuelType: 'PETROL' | 'DIESEL' | 'ELECTRIC' | 'HYBRID';
  readonly vehicleType: 'CAR' | 'VAN' | 'MOPED';
  readonly installation: 'OBD' | 'HARDWIRED';
  /** Command names that the vehicle's wiring allows, beside the box's own. */
  readonly vehicleCommands: readonly CommandName[];
  readonly transmission: 'MANUAL' | 'AUTOMATIC';
  readonly yearOfProduction: number;
  /** The CAN frames that the rows read. Empty where the box sits on the diagnostic port. */
  readonly frames: readonly FrameShape[];
  readonly rows: readonly SignalRow[];
  readonly body: BodyFacts;
}

/** A CAN frame that the vehicle sends again and again. */
export interface FrameShape {
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
  /** Litres, or kilowatt-hours where electric. */
  readonly energyCapacity: number;
  /** Per 100 km on a level road at 50 km/h, in the capacity's unit. */
  readonly consumptionPer100Km: number;
  readonly topSpeedKph: number;
  readonly maximumAccelerationMps2: number;
}

/** What a raw signal can say of the physics as a number, in the unit of its name; the span that a row must hold. */
export const MEASURES = {
  speedKph: [0, 200],
  engineRpm: [0, 12_000],
  coolantTemperatureC: [-40, 150],
  energyPercent: [0, 100],
  mileageKm: [0, 500_000],
  rangeKm: [0, 1_000],
  onboardVolts: [0, 16],
} as const satisfies Record<string, readonly [number, number]>;

/** What a raw signal can say of the physics as true or false. */
export const SWITCHES = ['ignitionOn', 'anyDoorOpen', 'locked', 'drivingEnabled'] as const;

export type Measure = keyof typeof MEASURES;
export type Switch = (typeof SWITCHES)[number];
/** What a raw signal is about. */
export type Quantity = Measure | Switch;

/** Whether a quantity is true or false rather than a number. */
export function isSwitch(quantity: Quantity): quantity is Switch {
  return (SWITCHES as readonly string[]).includes(quantity);
}

/** Where a raw signal is found. */
export type Source =
  /** SAE J1979 mode 01; the data bytes form one big-endian number of `bytes` bytes. */
  | { readonly from: 'obd'; readonly pid: number; readonly bytes: 1 | 2 | 3 | 4 }
  /** DBC: start bit, length, byte order (Intel: little; Motorola: big, start bit = most significant). */
  | {
      readonly from: 'can';
      readonly bus: 0 | 1;
      readonly id: number;
      readonly startBit: number;
      readonly bits: number;
      readonly order: 'little' | 'big';
    }
  /** One of the 16 digital inputs. */
  | { readonly from: 'digital'; readonly port: number }
  /** Millivolts at one of the 4 analogue inputs. */
  | { readonly from: 'analog'; readonly port: number };

/**
 * One raw signal. `physical = raw × factor + offset`. For a truth value (`ignitionOn`, ...) the raw number 1 means
 * true and 0 false, the other way round where it is `inverted`; any other raw number means nothing, and factor and
 * offset are 1 and 0. `unavailable`: the raw number that means that there is no value, `failure`: that the sensor
 * failed. OBD answers only while the ignition is on; ports are always readable.
 */
export interface SignalRow {
  readonly source: Source;
  readonly quantity: Quantity;
  readonly factor: number;
  readonly offset: number;
  readonly inverted?: true;
  readonly unavailable?: number;
  readonly failure?: number;
  /**
   * The capabilities (snake_case property names of the vehicle state) that it feeds; empty: read for its own sake.
   * Where two rows feed one property, OBD goes before CAN and CAN before the ports, if it has a value.
   */
  readonly feeds: readonly string[];
}

/** The highest raw number that a source can hold. */
export function highestRaw(source: Source): number {
  switch (source.from) {
    case 'obd':
      return allOnes(8 * source.bytes);
    case 'can':
      return allOnes(source.bits);
    case 'digital':
      return 1;
    case 'analog':
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
