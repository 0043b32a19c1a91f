import { has, type VehicleModel } from '../../protocol/models/model.ts';
import { isSwitch } from '../../protocol/models/quantities.ts';
import { rawOf } from '../../protocol/models/raw.ts';
import { troubleCodeText } from '../../protocol/obd.ts';
import type { GnssFix } from '../../protocol/signals.ts';
import { readingOf } from '../gnss/receiver.ts';
import { NO_RECEPTION, type Reception, receptionAt } from '../gnss/reception.ts';
import type { Spot } from '../routes/route.ts';
import { spotAt } from '../routes/route.ts';
import { airC } from './air.ts';
import { type Antennas, arrivingDbm, csqThere, isOutOfReach, measuredCsq } from './antennas.ts';
import type { Circumstances, Journey } from './driver.ts';
import { codesAt, type Equipment } from './equipment.ts';
import { type Look, sensationsOf, sensorOf } from './equipped.ts';
import { accelerationOf } from './forces.ts';
import { isAnyTireSoft, type LevelName, levelAt, levelsOf } from './levels.ts';
import { limits } from './limits.ts';
import { type Dip, dippedMillivolts } from './low-voltage.ts';
import { type Mechanics, partsOf } from './mechanics.ts';
import { onboardVolts, quantitiesOf } from './quantities.ts';
import type { InstallationFault, MobileNetwork } from './senses.ts';
import type { Quantities } from './signals.ts';
import { type Condition, during } from './stretch.ts';
import { backupPercentAt, type Cut, type Supply } from './supply.ts';
import { NETWORKS } from './surroundings.ts';
import { wiringOf } from './wiring.ts';

/** What is around the box: radio, and power that may sink. */
export interface Site {
  readonly hasCoverage: boolean;
  /** Set from outside, 0 to 31; undefined: as the place has it. */
  readonly csq: number | undefined;
  /** Satellites are heard. */
  readonly hasSky: boolean;
  /** The receiver looks for its first fix until then. */
  readonly acquiresUntilMs: number;
  readonly isAbroad: boolean;
  /** Between the networks of two countries there is none until then. */
  readonly gapUntilMs: number;
  /** The supply is low until then. */
  readonly brownOutUntilMs: number;
  /** When the low-voltage net is down, past times too. */
  readonly dips: readonly Dip[];
  readonly mechanics: Mechanics;
  /** Lights and horn go until then. */
  readonly attentionUntilMs: number;
  readonly supply: Supply;
  /** There while the supply is cut. */
  readonly cut?: Cut | undefined;
  /** What is wrong with how the box is built in, and until when; undefined: nothing. */
  readonly fault?: { readonly what: InstallationFault; readonly untilMs: number } | undefined;
}

/** Where nothing is amiss yet, at `atMs`. */
export function undisturbed(atMs: number, mechanics: Mechanics): Site {
  return {
    hasCoverage: true,
    csq: undefined,
    acquiresUntilMs: atMs,
    brownOutUntilMs: atMs,
    dips: [],
    hasSky: true,
    isAbroad: false,
    gapUntilMs: atMs,
    supply: 'good',
    mechanics,
    attentionUntilMs: atMs,
  };
}

/** When a view is taken, and what of the vehicle it is of beside its journey. */
export interface Moment {
  readonly atMs: number;
  /** Seconds after the vehicle was made. */
  readonly atS: number;
  readonly mileageStartKm: number;
  readonly equipment: Equipment;
  /** Since when it rests: its ignition is off, and nobody tows it. Undefined: it does not. */
  readonly restsSinceMs: number | undefined;
}

/**
 * A vehicle at one moment. What it is made of never changes in place, so that each part is worked out when it is first
 * read: most looks at a vehicle read little of it.
 */
export class View implements Look {
  readonly atMs: number;
  readonly model: VehicleModel;
  readonly journey: Journey;
  readonly equipment: Equipment;
  readonly hasSky: boolean;
  /** The receiver looks for its first fix. */
  readonly isAcquiring: boolean;
  readonly fault: InstallationFault | undefined;
  readonly #antennas: Antennas;
  readonly #around: Circumstances;
  readonly #site: Site;
  readonly #moment: Moment;
  #condition: Condition | undefined;
  #quantities: Quantities | undefined;
  #spot: Spot | undefined;
  #codes: readonly number[] | undefined;
  #hasSoftTire: boolean | undefined;
  #levelDbm: number | undefined;
  #reception: Reception | undefined;

  constructor(journey: Journey, around: Circumstances, site: Site, moment: Moment, antennas: Antennas) {
    const { atMs } = moment;
    this.atMs = atMs;
    this.model = around.model;
    this.journey = journey;
    this.equipment = moment.equipment;
    this.fault = site.fault !== undefined && atMs < site.fault.untilMs ? site.fault.what : undefined;
    this.hasSky = site.hasSky && this.fault !== 'no-gnss';
    this.isAcquiring = atMs < site.acquiresUntilMs;
    this.#antennas = antennas;
    this.#around = around;
    this.#site = site;
    this.#moment = moment;
  }

  get condition(): Condition {
    if (this.#condition === undefined) {
      const driven = during(this.journey.stretch, this.#moment.atS, this.model);
      const { cut } = this.#site;
      this.#condition =
        cut === undefined ? driven : { ...driven, backupPercent: backupPercentAt(cut, driven, this.atMs) };
    }
    return this.#condition;
  }

  get mileageKm(): number {
    return this.#moment.mileageStartKm + this.condition.wayM / 1_000;
  }

  /** What every vehicle says; the rest follows from the equipment when it is asked for. */
  get quantities(): Quantities {
    if (this.#quantities === undefined) {
      const { model, journey, condition } = this;
      const wear = { coolantPercent: this.#level('coolant'), starterPercent: this.#level('starter_battery') };
      this.#quantities = quantitiesOf(
        model,
        condition,
        journey.stretch,
        journey.switches,
        this.mileageKm,
        wear,
      );
    }
    return this.#quantities;
  }

  /** Of the low-voltage net, as in the quantities, which a look that reads nothing else does without. */
  get onboardVolts(): number {
    return onboardVolts(this.condition, this.journey.stretch.engine, this.#level('starter_battery'));
  }

  get spot(): Spot {
    this.#spot ??= spotAt(this.#around.route, this.#around.startM + this.condition.wayM);
    return this.#spot;
  }

  get ambientTemperatureC(): number {
    return airC(this.#around.weather, this.atMs, this.spot);
  }

  get codes(): readonly number[] {
    this.#codes ??= codesAt(this.equipment, this.model, this);
    return this.#codes;
  }

  get supplyMillivolts(): number {
    const { supply, brownOutUntilMs, dips } = this.#site;
    if (supply === 'cut') return 0;
    if (this.atMs < brownOutUntilMs) return limits.brownOutMillivolts;
    const dipped = dippedMillivolts(dips, this.atMs);
    if (dipped !== undefined) return dipped;
    if (this.fault === 'low-supply' || supply === 'low') return limits.poorSupplyMillivolts;
    return Math.round(this.onboardVolts * 1_000) - limits.cableMillivolts;
  }

  /** What arrives of the strongest site, in dBm. */
  get levelDbm(): number {
    this.#levelDbm ??= arrivingDbm(this.#antennas, this.spot);
    return this.#levelDbm;
  }

  /** No site reaches the vehicle where it drives. */
  get isOutOfReach(): boolean {
    // Whoever sets the signal from outside gives it one.
    if (this.#antennas.radio === 'ideal' || this.#site.csq !== undefined) return false;
    return isOutOfReach(this.#antennas, this.levelDbm, !this.journey.switches.ignitionOn);
  }

  get hasCoverage(): boolean {
    const { hasCoverage, gapUntilMs } = this.#site;
    return hasCoverage && this.atMs >= gapUntilMs && !this.isOutOfReach;
  }

  get csq(): number {
    return this.hasCoverage ? (this.#site.csq ?? csqThere(this.levelDbm)) : 0;
  }

  /** As the modem measures it. */
  get measuredCsq(): number {
    if (!this.hasCoverage) return 0;
    return this.#site.csq ?? measuredCsq(this.#antennas, this.levelDbm, this.atMs);
  }

  /** What the receiver makes of the sky. At rest it keeps what it had when the ignition was turned off. */
  get reception(): Reception {
    if (!this.hasSky || this.isAcquiring) return NO_RECEPTION;
    this.#reception ??= receptionAt(this.spot, this.#fixMs, this.#antennas.receiver.houses);
    return this.#reception;
  }

  /** What the receiver says, while the vehicle goes at that speed, whether by itself or not. */
  fixAt(speedMps: number): GnssFix {
    const { spot, reception, condition } = this;
    const isAtRest = this.#moment.restsSinceMs !== undefined;
    const motion = { spot, speedMps, wayM: condition.wayM, atMs: this.#fixMs, isAtRest };
    return readingOf(motion, reception, this.#antennas.receiver);
  }

  get #fixMs(): number {
    return this.#moment.restsSinceMs ?? this.atMs;
  }

  get networks(): readonly MobileNetwork[] {
    return this.hasCoverage ? NETWORKS[this.#site.isAbroad ? 'abroad' : 'home'] : NO_NETWORKS;
  }

  get mechanics(): Mechanics {
    return this.#site.mechanics;
  }

  get drawsAttention(): boolean {
    return this.atMs < this.#site.attentionUntilMs;
  }

  /**
   * Whether the signals of an earlier or later view of the same vehicle are those of this one, but for the volts of the
   * box's supply. For certain only where it stands with everything off and nobody has done anything meanwhile: then few
   * things change, by time alone.
   */
  readsLike(other: View): boolean {
    return (
      this.journey === other.journey &&
      this.journey.stretch.engine === 'off' &&
      this.equipment === other.equipment &&
      this.#site === other.#site &&
      this.#around === other.#around &&
      this.hasCoverage === other.hasCoverage &&
      this.isAcquiring === other.isAcquiring &&
      this.#fixMs === other.#fixMs &&
      this.fault === other.fault &&
      this.condition.backupPercent === other.condition.backupPercent &&
      this.#isAnyTireSoft === other.#isAnyTireSoft &&
      this.#saysSlowOnesLike(other)
    );
  }

  #saysSlowOnesLike(other: View): boolean {
    const { slow } = wiringOf(this.model);
    if (slow.length === 0) return true;
    const [here, there] = [sensorOf(this), sensorOf(other)];
    return slow.every((row) => rawOf(row, here(row.quantity)) === rawOf(row, there(row.quantity)));
  }

  get #isAnyTireSoft(): boolean {
    this.#hasSoftTire ??= isAnyTireSoft(this.equipment.levels, this.model, this);
    return this.#hasSoftTire;
  }

  #level(name: LevelName): number {
    return levelAt(this.equipment.levels, name, this.model, this);
  }
}

const NO_NETWORKS: readonly MobileNetwork[] = [];

/** The physical truth as plain JSON, units last in the names. */
export function truthOf(view: View, route: string): Record<string, unknown> {
  const { journey, condition, spot, reception } = view;
  return {
    atMs: view.atMs,
    model: view.model.name,
    route,
    latitude: spot.latitude,
    longitude: spot.longitude,
    altitudeM: spot.altitudeM,
    headingDegrees: spot.headingDegrees,
    ...accelerationOf(journey.stretch, condition.speedMps, spot.curvaturePerM),
    ...ownQuantities(view),
    levels: levelsOf(view.equipment.levels, view.model, view),
    troubleCodeTexts: view.codes.map(troubleCodeText),
    sensors: view.equipment.sensors,
    distanceM: condition.wayM,
    energyLeft: condition.energy,
    driverWish: journey.intent.wish,
    pace: journey.intent.pace,
    maneuver: journey.intent.maneuver?.what ?? null,
    engine: journey.stretch.engine,
    hasCoverage: view.hasCoverage,
    hasSky: view.hasSky,
    csq: view.csq,
    signalLevelDbm: view.levelDbm,
    gnssFixQuality: reception.quality,
    gnssSatellites: reception.satellites,
    gnssHdop: reception.hdop,
    networks: view.networks.map((network) => network.name),
    lightsFlash: view.drawsAttention,
    hornSounds: view.drawsAttention,
    mechanics: partsOf(view.model, view.mechanics),
    supplyMillivolts: view.supplyMillivolts,
    installationFault: view.fault ?? null,
    backupPercent: condition.backupPercent,
    ambientTemperatureC: view.ambientTemperatureC,
  };
}

/** The quantities without doors, locks and cases that the vehicle does not have. */
function ownQuantities(view: View): Record<string, unknown> {
  const known = Object.entries(sensationsOf(view)) as [keyof Quantities, unknown][];
  return Object.fromEntries(known.filter(([name]) => !isSwitch(name) || has(view.model, name)));
}
