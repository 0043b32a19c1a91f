import { hasPart } from '../../../protocol/models/model.ts';
import type { Signals } from '../../../protocol/signals.ts';
import type { GeoPoint } from '../../arithmetic.ts';
import { isPlugged } from '../equipment/equipment-quantities.ts';
import { type CabinSmoke, smokeUgPerM3 } from '../equipment/smoke.ts';
import { type Acceleration, accelerationOf } from '../forces.ts';
import { type Tow, tiltDegrees } from '../surroundings/towing.ts';
import type { VehicleView } from '../vehicle-view.ts';
import type { AccelerationInterval } from './accelerometer-buffer.ts';
import type { SignalCache } from './signal-cache.ts';
import type { MobileNetwork, SensorInputs } from './vehicle-ports.ts';
import { powerOf, signalsOf } from './view-signals.ts';

/**
 * The values of a view that the box's hardware can sense. Each is computed when it is read: most inputs of a
 * box read few.
 */
export class SensorView implements SensorInputs {
  readonly #view: VehicleView;
  readonly #tow: Tow | undefined;
  readonly #smoke: CabinSmoke | undefined;
  readonly #feltUntil: (atMs: number) => readonly AccelerationInterval[];
  readonly #signalCache: SignalCache;
  #signals: Signals | undefined;
  #accelerations: readonly AccelerationInterval[] | undefined;

  /** `felt`: the content of the accelerometer's buffer then; `last`: of the same vehicle. */
  constructor(
    view: VehicleView,
    tow: Tow | undefined,
    smoke: CabinSmoke | undefined,
    felt: (atMs: number) => readonly AccelerationInterval[],
    signalCache: SignalCache,
  ) {
    this.#view = view;
    this.#tow = tow;
    this.#smoke = smoke;
    this.#feltUntil = felt;
    this.#signalCache = signalCache;
  }

  get signals(): Signals {
    this.#signals ??= this.#signalCache.of(this.#view, this.#tow);
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
    return hasPart(this.#view.model, 'chargingAdapterConnected') && isPlugged(this.#view.journey);
  }

  get charging(): boolean {
    return hasPart(this.#view.model, 'charging') && this.#view.journey.segment.engine === 'charging';
  }

  get speedKph(): number {
    return this.#view.quantities.speedKph;
  }

  get distanceM(): number {
    return this.#view.physicalState.wayM;
  }

  get headingDegrees(): number {
    return this.#view.spot.headingDegrees;
  }

  get acceleration(): Acceleration {
    const { journey, physicalState, spot } = this.#view;
    return accelerationOf(journey.segment, physicalState.speedMps, spot.curvaturePerM);
  }

  get accelerations(): readonly AccelerationInterval[] {
    this.#accelerations ??= this.#feltUntil(this.#view.atMs);
    return this.#accelerations;
  }

  get tiltDegrees(): number {
    return tiltDegrees(this.#tow);
  }

  get smokeUgPerM3(): number {
    return smokeUgPerM3(this.#smoke, this.#view.atMs);
  }

  get fix(): GeoPoint | undefined {
    const fix = this.#signals?.gnss ?? this.#view.fixAt(this.#view.physicalState.speedMps);
    return fix.quality === 0 ? undefined : fix;
  }

  /** The person who turns the ignition off takes the key along. */
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

  get backupPercent(): number {
    return powerOf(this.#view).backupPercent;
  }

  get ambientTemperatureC(): number {
    return this.#view.ambientTemperatureC;
  }
}
