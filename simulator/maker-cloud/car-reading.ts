import { clamp } from '../arithmetic.ts';

/**
 * A car's report to its maker, in the maker's own terms and units: miles, miles per hour, feet, degrees
 * Fahrenheit, millionths of a degree, fractions of one. null: not available.
 */
export interface CarReading {
  readonly odometerMi: number;
  readonly speedMph: number;
  /** 0 empty, 1 full. */
  readonly packFraction: number;
  readonly reachMi: number;
  readonly place: {
    readonly latMicro: number;
    readonly lonMicro: number;
    readonly heightFt: number;
    readonly course: number;
  } | null;
  /** null: the car has no such part. */
  readonly doors: 'SHUT' | 'AJAR' | null;
  readonly lock: 'SECURED' | 'RELEASED' | null;
  readonly bin: { readonly lid: 'SHUT' | 'AJAR'; readonly bolt: 'SECURED' | 'RELEASED' } | null;
  readonly key: 'TURNED' | 'PULLED';
  readonly starter: 'PERMITTED' | 'INHIBITED';
  readonly charger: 'DRAWING' | 'IDLE';
  readonly pack: {
    readonly serial: string;
    readonly cycles: number;
    readonly tempF: number;
    readonly volts: number;
  };
}

/** The part of the physical truth that a reading reports, units last. */
export interface CarTruth {
  readonly mileageKm: number;
  readonly speedKph: number;
  readonly energyPercent: number;
  readonly rangeKm: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly altitudeM: number;
  readonly headingDegrees: number;
  /** False: below a roof, where a receiver without dead reckoning has no fix. */
  readonly hasFix: boolean;
  /** undefined: the car has no such part. */
  readonly anyDoorOpen: boolean | undefined;
  readonly locked: boolean | undefined;
  readonly topCaseOpen?: boolean | undefined;
  readonly topCaseLocked?: boolean | undefined;
  readonly ignitionOn: boolean;
  readonly drivingEnabled: boolean;
  readonly isCharging: boolean;
  readonly packC: number;
}

/** The international mile and foot, exactly. */
const KM_PER_MILE = 1.609344;
const M_PER_FOOT = 0.3048;
/** The distance per full charge, for counting cycles; the voltage of an empty battery, and per percent. */
const KM_PER_CYCLE = 360;
const EMPTY_VOLTS = 310;
const VOLTS_PER_PERCENT = 0.92;

/** A reading of the truth, rounded like this maker does. */
export function carReadingOf(truth: CarTruth, serial: string): CarReading {
  return {
    odometerMi: to(truth.mileageKm / KM_PER_MILE, 100),
    speedMph: to(truth.speedKph / KM_PER_MILE, 10),
    packFraction: clamp(to(truth.energyPercent / 100, 10_000), 0, 1),
    reachMi: to(truth.rangeKm / KM_PER_MILE, 10),
    place: truth.hasFix
      ? {
          latMicro: to(truth.latitude * 1_000_000, 1),
          lonMicro: to(truth.longitude * 1_000_000, 1),
          heightFt: to(truth.altitudeM / M_PER_FOOT, 1),
          course: to(truth.headingDegrees, 10),
        }
      : null,
    doors: truth.anyDoorOpen === undefined ? null : lidOf(truth.anyDoorOpen),
    lock: truth.locked === undefined ? null : boltOf(truth.locked),
    bin:
      truth.topCaseOpen === undefined
        ? null
        : { lid: lidOf(truth.topCaseOpen), bolt: boltOf(truth.topCaseLocked === true) },
    key: truth.ignitionOn ? 'TURNED' : 'PULLED',
    starter: truth.drivingEnabled ? 'PERMITTED' : 'INHIBITED',
    charger: truth.isCharging ? 'DRAWING' : 'IDLE',
    pack: {
      serial,
      cycles: Math.floor(truth.mileageKm / KM_PER_CYCLE),
      tempF: to((truth.packC * 9) / 5 + 32, 10),
      volts: to(EMPTY_VOLTS + truth.energyPercent * VOLTS_PER_PERCENT, 10),
    },
  };
}

function lidOf(isOpen: boolean): 'SHUT' | 'AJAR' {
  return isOpen ? 'AJAR' : 'SHUT';
}

function boltOf(isLocked: boolean): 'SECURED' | 'RELEASED' {
  return isLocked ? 'SECURED' : 'RELEASED';
}

/** Rounded to `1 / steps`, never −0. */
function to(value: number, steps: number): number {
  return Math.round(value * steps) / steps + 0;
}

/** The maker's data about a car at one moment. Of two samples of a car the later one has the higher time. */
export interface CarSample {
  readonly takenMs: number;
  readonly reading: CarReading;
}

/** A car's state in the form of the interface. */
export function carStateOf(carId: string, { takenMs, reading }: CarSample) {
  return { carId, takenAt: localTime(takenMs), reading };
}

/**
 * The maker uses the local time of its headquarters, one hour ahead of UTC all year:
 * `2026-01-05T07:00:00.000+01:00`.
 */
function localTime(atMs: number): string {
  return new Date(atMs + 3_600_000).toISOString().replace('Z', '+01:00');
}
