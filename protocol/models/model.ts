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
  readonly vehicleCommands: readonly string[];
  readonly rows: readonly SignalRow[];
  readonly body: BodyFacts;
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

/** What a raw signal is about: the quantity in the physics, in the unit of its name. */
export type Quantity =
  | 'speedKph'
  | 'engineRpm'
  | 'coolantTemperatureC'
  | 'energyPercent'
  | 'mileageKm'
  | 'rangeKm'
  | 'onboardVolts'
  | 'ignitionOn'
  | 'anyDoorOpen'
  | 'locked'
  | 'drivingEnabled';

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
  | { readonly from: 'digital'; readonly port: number }
  | { readonly from: 'analog'; readonly port: number };

/**
 * One raw signal. `physical = raw × factor + offset`. For a truth value (`ignitionOn`, ...) the raw number 1 means
 * true unless `inverted`. `unavailable`: the raw number that means that there is no value, `failure`: that the
 * sensor failed.
 */
export interface SignalRow {
  readonly source: Source;
  readonly quantity: Quantity;
  readonly factor: number;
  readonly offset: number;
  readonly inverted?: true;
  readonly unavailable?: number;
  readonly failure?: number;
  /** The capabilities (snake_case property names of the vehicle state) that it feeds. */
  readonly feeds: readonly string[];
}
