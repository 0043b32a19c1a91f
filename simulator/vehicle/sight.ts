import { has } from '../../protocol/models/model.ts';
import type { GnssFix, Signals } from '../../protocol/signals.ts';
import type { Place } from '../arithmetic.ts';
import { isPlugged, sensorOf } from './equipped.ts';
import { type Acceleration, accelerationOf } from './forces.ts';
import type { LastSignals } from './last-signals.ts';
import { limits } from './limits.ts';
import type { MobileNetwork, Senses } from './senses.ts';
import type { Shake } from './shake.ts';
import { signalsBy } from './signals.ts';
import { type Smoke, smokeUgPerM3 } from './smoke.ts';
import { type Tow, tiltDegrees } from './towing.ts';
import type { View } from './view.ts';

/**
 * What the box's hardware sees of a view. Everything is read when it is asked for: most inputs of a box ask for
 * little.
 */
export class Sight implements Senses {
  readonly #view: View;
  readonly #tow: Tow | undefined;
  readonly #smoke: Smoke | undefined;
  readonly #felt: (atMs: number) => readonly Shake[];
  readonly #last: LastSignals;
  #signals: Signals | undefined;
  #shakes: readonly Shake[] | undefined;

  /** `felt`: what the accelerometer's buffer held then; `last`: of the same vehicle. */
  constructor(
    view: View,
    tow: Tow | undefined,
    smoke: Smoke | undefined,
    felt: (atMs: number) => readonly Shake[],
    last: LastSignals,
  ) {
    this.#view = view;
    this.#tow = tow;
    this.#smoke = smoke;
    this.#felt = felt;
    this.#last = last;
  }

  get signals(): Signals {
    this.#signals ??= this.#last.of(this.#view, this.#tow);
    return this.#signals;
  }

  get signalsAwake(): Signals {
    return this.ignitionOn ? this.signals : signalsOf(this.#view, this.#tow, true);
  }

  get ignitionOn(): boolean {
    return this.#view.journey.switches.ignitionOn;
  }

  get anyDoorOpen(): boolean {
    return this.#view.journey.switches.doorOpen;
  }

  get locked(): boolean {
    return this.#view.journey.switches.locked;
  }

  get drivingEnabled(): boolean {
    return this.#view.journey.switches.drivingEnabled;
  }

  get topCaseOpen(): boolean {
    return this.#view.journey.switches.topCaseOpen;
  }

  get topCaseLocked(): boolean {
    return this.#view.journey.switches.topCaseLocked;
  }

  get standExtended(): boolean {
    return this.#view.journey.switches.standExtended;
  }

  get compartmentLocked(): boolean {
    return this.#view.journey.switches.compartmentLocked;
  }

  get pluggedIn(): boolean {
    return has(this.#view.model, 'chargingAdapterConnected') && isPlugged(this.#view.journey);
  }

  get charging(): boolean {
    return has(this.#view.model, 'charging') && this.#view.journey.stretch.engine === 'charging';
  }

  get speedKph(): number {
    return this.#view.quantities.speedKph;
  }

  get distanceM(): number {
    return this.#view.condition.wayM;
  }

  get headingDegrees(): number {
    return this.#view.spot.headingDegrees;
  }

  get acceleration(): Acceleration {
    const { journey, condition, spot } = this.#view;
    return accelerationOf(journey.stretch, condition.speedMps, spot.curvaturePerM);
  }

  get shakes(): readonly Shake[] {
    this.#shakes ??= this.#felt(this.#view.atMs);
    return this.#shakes;
  }

  get tiltDegrees(): number {
    return tiltDegrees(this.#tow);
  }

  get smokeUgPerM3(): number {
    return smokeUgPerM3(this.#smoke, this.#view.atMs);
  }

  get fix(): Place | undefined {
    const fix = this.#signals?.gnss ?? this.#view.fixAt(this.#view.condition.speedMps);
    return fix.quality === 0 ? undefined : fix;
  }

  /** Whoever turns the ignition off takes the key along. */
  get keyPresent(): boolean {
    return this.ignitionOn;
  }

  get hasCoverage(): boolean {
    return this.#view.hasCoverage;
  }

  get isOutOfReach(): boolean {
    return this.#view.isOutOfReach;
  }

  get csq(): number {
    return this.#view.measuredCsq;
  }

  get networks(): readonly MobileNetwork[] {
    return this.#view.networks;
  }

  get supplyMillivolts(): number {
    return this.#view.supplyMillivolts;
  }

  get ambientTemperatureC(): number {
    return this.#view.ambientTemperatureC;
  }
}

/** Everything that can be read of a view, raw; `isWoken`: also where the control units of the drive would sleep. */
export function signalsOf(view: View, tow: Tow | undefined, isWoken = false): Signals {
  const { ignitionOn } = view.journey.switches;
  const hasBus = view.fault !== 'no-vehicle-bus';
  return {
    ...signalsBy(view.model, ignitionOn || isWoken, hasBus, sensorOf(view)),
    gnss: gnssOf(view, tow),
    modem: { csq: view.hasCoverage ? view.csq : 99, network: view.networks[0]?.code ?? 0 },
    power: powerOf(view),
  };
}

/** What the GNSS receiver finds, while the vehicle drives or is towed. */
export function gnssOf(view: View, tow: Tow | undefined): GnssFix {
  return view.fixAt(Math.max(view.condition.speedMps, tow === undefined ? 0 : limits.towingMps));
}

/** What of the signals is about the box's own power. */
export function powerOf(view: View): NonNullable<Signals['power']> {
  const { condition, supplyMillivolts } = view;
  const backupPercent = Math.floor(condition.backupPercent);
  const isFed = view.journey.stretch.engine === 'running' && supplyMillivolts > limits.brownOutMillivolts;
  return {
    supplyMillivolts,
    backupMillivolts: limits.backupEmptyMillivolts + backupPercent * limits.backupMillivoltsPerPercent,
    backupPercent,
    backupCharging: isFed && backupPercent < 100,
  };
}
