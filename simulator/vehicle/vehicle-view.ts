import { hasPart, type VehicleModel } from '../../protocol/models/model.ts';
import { isSwitch } from '../../protocol/models/quantities.ts';
import { rawSignalOf } from '../../protocol/models/raw.ts';
import { troubleCodeText } from '../../protocol/obd.ts';
import type { GnssFix } from '../../protocol/signals.ts';
import { gnssReadingOf } from '../gnss/receiver.ts';
import { NO_RECEPTION, type Reception, receptionAt } from '../gnss/reception.ts';
import { type RouteSpot, spotAt } from '../routes/route.ts';
import { partsOf } from './driving/actuators.ts';
import type { DriveContext, Journey } from './driving/journey.ts';
import type { Mechanics } from './driving/mechanics.ts';
import { dippedMillivolts, type VoltageDip } from './energy/low-voltage.ts';
import { backupPercentAt, type Supply, type SupplyCut } from './energy/supply.ts';
import { codesAt, type Equipment } from './equipment/equipment.ts';
import { allQuantitiesOf, type EquipmentView, sensorOf } from './equipment/equipment-quantities.ts';
import { isAnyTireSoft, type LevelName, levelAt, levelsOf } from './equipment/levels.ts';
import { accelerationOf } from './forces.ts';
import { limits } from './limits.ts';
import { type PhysicalState, physicalStateAt } from './motion-segment.ts';
import { onboardVolts, quantitiesOf } from './sensing/quantities.ts';
import type { Quantities } from './sensing/signals.ts';
import type { InstallationFault, MobileNetwork } from './sensing/vehicle-ports.ts';
import { wiringOf } from './sensing/wiring.ts';
import { airC } from './surroundings/air.ts';
import { type Antennas, arrivingDbm, csqThere, isOutOfReach, measuredCsq } from './surroundings/antennas.ts';

/** The surroundings of the box: radio reception, and a supply that may drop. */
export interface BoxSurroundings {
  readonly hasCoverage: boolean;
  /** Set from outside, 0 to 31; undefined: as at the vehicle's position. */
  readonly csq: number | undefined;
  /** Satellites can be received. */
  readonly hearsSatellites: boolean;
  /** The receiver searches for its first fix until this time. */
  readonly acquiresUntilMs: number;
  readonly isAbroad: boolean;
  /** There is no network until this time, after a border was crossed. */
  readonly gapUntilMs: number;
  /** The supply is low until this time. */
  readonly brownOutUntilMs: number;
  /** The voltage dips of the low-voltage system, including past ones. */
  readonly dips: readonly VoltageDip[];
  readonly mechanics: Mechanics;
  /** Lights and horn are on until this time. */
  readonly attentionUntilMs: number;
  readonly supply: Supply;
  /** Present while the supply is cut. */
  readonly cut?: SupplyCut | undefined;
  /** The fault in the box's installation, and until when; undefined: none. */
  readonly fault?: { readonly what: InstallationFault; readonly untilMs: number } | undefined;
}

/** Surroundings without any fault, at `atMs`. */
export function undisturbedSurroundings(atMs: number, mechanics: Mechanics): BoxSurroundings {
  return {
    hasCoverage: true,
    csq: undefined,
    acquiresUntilMs: atMs,
    brownOutUntilMs: atMs,
    dips: [],
    hearsSatellites: true,
    isAbroad: false,
    gapUntilMs: atMs,
    supply: 'good',
    mechanics,
    attentionUntilMs: atMs,
  };
}

/** The time of a view, and the state of the vehicle apart from its journey. */
export interface ViewMoment {
  readonly atMs: number;
  /** Seconds after the vehicle was made. */
  readonly atS: number;
  readonly mileageStartKm: number;
  readonly equipment: Equipment;
  /** Since when it is at rest: its ignition is off, and it is not towed. Undefined: it is not at rest. */
  readonly restsSinceMs: number | undefined;
}

/**
 * A vehicle at one moment. Its sources never change in place, so each part is computed when it is first read:
 * most readers use only a few parts.
 */
export class VehicleView implements EquipmentView {
  readonly atMs: number;
  readonly model: VehicleModel;
  readonly journey: Journey;
  readonly equipment: Equipment;
  readonly hearsSatellites: boolean;
  /** The receiver searches for its first fix. */
  readonly isAcquiring: boolean;
  readonly fault: InstallationFault | undefined;
  readonly #antennas: Antennas;
  readonly #context: DriveContext;
  readonly #surroundings: BoxSurroundings;
  readonly #moment: ViewMoment;
  #physicalState: PhysicalState | undefined;
  #quantities: Quantities | undefined;
  #spot: RouteSpot | undefined;
  #codes: readonly number[] | undefined;
  #hasSoftTire: boolean | undefined;
  #levelDbm: number | undefined;
  #reception: Reception | undefined;

  constructor(
    journey: Journey,
    context: DriveContext,
    surroundings: BoxSurroundings,
    moment: ViewMoment,
    antennas: Antennas,
  ) {
    const { atMs } = moment;
    this.atMs = atMs;
    this.model = context.model;
    this.journey = journey;
    this.equipment = moment.equipment;
    this.fault =
      surroundings.fault !== undefined && atMs < surroundings.fault.untilMs
        ? surroundings.fault.what
        : undefined;
    this.hearsSatellites = surroundings.hearsSatellites && this.fault !== 'no-gnss';
    this.isAcquiring = atMs < surroundings.acquiresUntilMs;
    this.#antennas = antennas;
    this.#context = context;
    this.#surroundings = surroundings;
    this.#moment = moment;
  }

  get physicalState(): PhysicalState {
    if (this.#physicalState === undefined) {
      const driven = physicalStateAt(this.journey.segment, this.#moment.atS, this.model);
      const { cut } = this.#surroundings;
      this.#physicalState =
        cut === undefined ? driven : { ...driven, backupPercent: backupPercentAt(cut, driven, this.atMs) };
    }
    return this.#physicalState;
  }

  get mileageKm(): number {
    return this.#moment.mileageStartKm + this.physicalState.wayM / 1_000;
  }

  /** The quantities that every vehicle has; the others follow from the equipment when they are read. */
  get quantities(): Quantities {
    if (this.#quantities === undefined) {
      const { model, journey, physicalState } = this;
      const wear = { coolantPercent: this.#level('coolant'), starterPercent: this.#level('starter_battery') };
      this.#quantities = quantitiesOf(
        model,
        physicalState,
        journey.segment,
        journey.switches,
        this.mileageKm,
        wear,
      );
    }
    return this.#quantities;
  }

  /** The voltage of the low-voltage system, without computing all quantities. */
  get onboardVolts(): number {
    return onboardVolts(this.physicalState, this.journey.segment.engine, this.#level('starter_battery'));
  }

  get spot(): RouteSpot {
    this.#spot ??= spotAt(this.#context.route, this.#context.startM + this.physicalState.wayM);
    return this.#spot;
  }

  get ambientTemperatureC(): number {
    return airC(this.#context.weather, this.atMs, this.spot);
  }

  get codes(): readonly number[] {
    this.#codes ??= codesAt(this.equipment, this.model, this);
    return this.#codes;
  }

  get supplyMillivolts(): number {
    const { supply, brownOutUntilMs, dips } = this.#surroundings;
    if (supply === 'cut') return 0;
    if (this.atMs < brownOutUntilMs) return limits.brownOutMillivolts;
    const dipped = dippedMillivolts(dips, this.atMs);
    if (dipped !== undefined) return dipped;
    if (this.fault === 'low-supply' || supply === 'low') return limits.poorSupplyMillivolts;
    return Math.round(this.onboardVolts * 1_000) - limits.cableMillivolts;
  }

  /** The received level of the strongest site, in dBm. */
  get levelDbm(): number {
    this.#levelDbm ??= arrivingDbm(this.#antennas, this.spot);
    return this.#levelDbm;
  }

  /** The driving vehicle is out of reach of every site. */
  get isOutOfReach(): boolean {
    // A signal set from outside counts as coverage.
    if (this.#antennas.radio === 'ideal' || this.#surroundings.csq !== undefined) return false;
    return isOutOfReach(this.#antennas, this.levelDbm, !this.journey.switches.ignitionOn);
  }

  get hasCoverage(): boolean {
    const { hasCoverage, gapUntilMs } = this.#surroundings;
    return hasCoverage && this.atMs >= gapUntilMs && !this.isOutOfReach;
  }

  get csq(): number {
    return this.hasCoverage ? (this.#surroundings.csq ?? csqThere(this.levelDbm)) : 0;
  }

  /** As the modem measures it. */
  get measuredCsq(): number {
    if (!this.hasCoverage) return 0;
    return this.#surroundings.csq ?? measuredCsq(this.#antennas, this.levelDbm, this.atMs);
  }

  /** The reception of the receiver. At rest it keeps the value from when the ignition was turned off. */
  get reception(): Reception {
    if (!this.hearsSatellites || this.isAcquiring) return NO_RECEPTION;
    this.#reception ??= receptionAt(this.spot, this.#fixMs, this.#antennas.receiver.houses);
    return this.#reception;
  }

  /** The receiver's fix at this speed, whether the vehicle drives or is towed. */
  fixAt(speedMps: number): GnssFix {
    const { spot, reception, physicalState } = this;
    const isAtRest = this.#moment.restsSinceMs !== undefined;
    const motion = { spot, speedMps, wayM: physicalState.wayM, atMs: this.#fixMs, isAtRest };
    return gnssReadingOf(motion, reception, this.#antennas.receiver);
  }

  get #fixMs(): number {
    return this.#moment.restsSinceMs ?? this.atMs;
  }

  get networks(): readonly MobileNetwork[] {
    return this.hasCoverage ? NETWORKS[this.#surroundings.isAbroad ? 'abroad' : 'home'] : NO_NETWORKS;
  }

  get mechanics(): Mechanics {
    return this.#surroundings.mechanics;
  }

  get drawsAttention(): boolean {
    return this.atMs < this.#surroundings.attentionUntilMs;
  }

  /**
   * Whether another view of the same vehicle has the same signals, except for the box's supply voltage. It is
   * certain only at rest with everything off and no change in between: then few values change, and only with
   * time.
   */
  readsLike(other: VehicleView): boolean {
    return (
      this.journey === other.journey &&
      this.journey.segment.engine === 'off' &&
      this.equipment === other.equipment &&
      this.#surroundings === other.#surroundings &&
      this.#context === other.#context &&
      this.hasCoverage === other.hasCoverage &&
      this.isAcquiring === other.isAcquiring &&
      this.#fixMs === other.#fixMs &&
      this.fault === other.fault &&
      this.physicalState.backupPercent === other.physicalState.backupPercent &&
      this.#isAnyTireSoft === other.#isAnyTireSoft &&
      this.#saysSlowOnesLike(other)
    );
  }

  #saysSlowOnesLike(other: VehicleView): boolean {
    const { slow } = wiringOf(this.model);
    if (slow.length === 0) return true;
    const [here, there] = [sensorOf(this), sensorOf(other)];
    return slow.every(
      (row) => rawSignalOf(row, here(row.quantity)) === rawSignalOf(row, there(row.quantity)),
    );
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
export function truthOf(view: VehicleView, route: string): Record<string, unknown> {
  const { journey, physicalState, spot, reception } = view;
  return {
    atMs: view.atMs,
    model: view.model.name,
    route,
    latitude: spot.latitude,
    longitude: spot.longitude,
    altitudeM: spot.altitudeM,
    headingDegrees: spot.headingDegrees,
    ...accelerationOf(journey.segment, physicalState.speedMps, spot.curvaturePerM),
    ...ownQuantities(view),
    levels: levelsOf(view.equipment.levels, view.model, view),
    troubleCodeTexts: view.codes.map(troubleCodeText),
    sensors: view.equipment.sensors,
    distanceM: physicalState.wayM,
    energyLeft: physicalState.energy,
    driverWish: journey.intent.wish,
    pace: journey.intent.pace,
    maneuver: journey.intent.maneuver?.what ?? null,
    engine: journey.segment.engine,
    hasCoverage: view.hasCoverage,
    hasSky: view.hearsSatellites,
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
    backupPercent: physicalState.backupPercent,
    ambientTemperatureC: view.ambientTemperatureC,
  };
}

/** The quantities without doors, locks and cases that the vehicle does not have. */
function ownQuantities(view: VehicleView): Record<string, unknown> {
  const known = Object.entries(allQuantitiesOf(view)) as [keyof Quantities, unknown][];
  return Object.fromEntries(known.filter(([name]) => !isSwitch(name) || hasPart(view.model, name)));
}

/** Networks in the cities of the built-in routes, and across the border; MCC and MNC as one number. */
const NETWORKS: Readonly<Record<'home' | 'abroad', readonly MobileNetwork[]>> = {
  home: [
    { code: 26_201, name: 'Telekom.de' },
    { code: 26_202, name: 'Vodafone.de' },
    { code: 26_203, name: 'o2 - de' },
  ],
  abroad: [
    { code: 20_801, name: 'Orange F' },
    { code: 20_810, name: 'F SFR' },
    { code: 20_820, name: 'F-Bouygues Telecom' },
  ],
};
