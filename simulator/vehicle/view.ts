import { has, type VehicleModel } from '../../protocol/models/model.ts';
import { isSwitch } from '../../protocol/models/quantities.ts';
import { troubleCodeText } from '../../protocol/obd.ts';
import type { Signals } from '../../protocol/signals.ts';
import type { Spot } from '../routes/route.ts';
import { spotAt } from '../routes/route.ts';
import type { Circumstances, Journey } from './driver.ts';
import { codesAt, type Equipment } from './equipment.ts';
import { sensationsOf } from './equipped.ts';
import { accelerationOf } from './forces.ts';
import { levelAt, levelsOf } from './levels.ts';
import { limits } from './limits.ts';
import { type Mechanics, partsOf } from './mechanics.ts';
import { quantitiesOf } from './quantities.ts';
import type { InstallationFault, MobileNetwork, Senses } from './senses.ts';
import type { Shake } from './shake.ts';
import { type Quantities, wiredSignals } from './signals.ts';
import { type Condition, during } from './stretch.ts';
import { backupPercentAt, type Cut, type Supply } from './supply.ts';
import { ambientTemperatureC, NETWORKS, NO_RECEPTION, RECEPTION } from './surroundings.ts';

/** What is around the box: radio, and power that may sink. */
export interface Site {
  readonly hasCoverage: boolean;
  readonly csq: number;
  /** Satellites are heard. */
  readonly hasSky: boolean;
  readonly isAbroad: boolean;
  /** Between the networks of two countries there is none until then. */
  readonly gapUntilMs: number;
  /** The supply is low until then. */
  readonly brownOutUntilMs: number;
  readonly mechanics: Mechanics;
  /** Lights and horn go until then. */
  readonly attentionUntilMs: number;
  readonly supply: Supply;
  /** There while the supply is cut. */
  readonly cut?: Cut | undefined;
  /** What is wrong with how the box is built in, and until when; undefined: nothing. */
  readonly fault?: { readonly what: InstallationFault; readonly untilMs: number } | undefined;
}

/** A vehicle at one moment. */
export interface View {
  readonly atMs: number;
  readonly model: VehicleModel;
  readonly journey: Journey;
  readonly condition: Condition;
  readonly spot: Spot;
  /** What every vehicle says; the rest follows from the equipment when it is asked for. */
  readonly quantities: Quantities;
  readonly equipment: Equipment;
  readonly supplyMillivolts: number;
  readonly hasCoverage: boolean;
  readonly hasSky: boolean;
  readonly csq: number;
  readonly networks: readonly MobileNetwork[];
  readonly fault: InstallationFault | undefined;
  readonly mechanics: Mechanics;
  readonly drawsAttention: boolean;
}

/** The vehicle as it is at `atMs`, `atS` seconds after it was made. */
export function viewOf(
  journey: Journey,
  { model, route, startM }: Circumstances,
  site: Site,
  moment: {
    readonly atMs: number;
    readonly atS: number;
    readonly mileageStartKm: number;
    readonly equipment: Equipment;
  },
): View {
  const driven = during(journey.stretch, moment.atS, model);
  const backupPercent = backupPercentAt(site.cut, driven, moment.atMs);
  const condition = site.cut === undefined ? driven : { ...driven, backupPercent };
  const mileageKm = moment.mileageStartKm + condition.wayM / 1_000;
  const { equipment } = moment;
  const level = (name: 'coolant' | 'starter_battery') =>
    levelAt(equipment.levels, name, model, { atMs: moment.atMs, mileageKm });
  const wear = { coolantPercent: level('coolant'), starterPercent: level('starter_battery') };
  const { engine } = journey.stretch;
  const quantities = quantitiesOf(model, condition, engine, journey.switches, mileageKm, wear);
  const isLow = moment.atMs < site.brownOutUntilMs;
  const hasCoverage = site.hasCoverage && moment.atMs >= site.gapUntilMs;
  const fault = site.fault !== undefined && moment.atMs < site.fault.untilMs ? site.fault.what : undefined;
  return {
    atMs: moment.atMs,
    model,
    journey,
    condition,
    quantities,
    equipment,
    spot: spotAt(route, startM + condition.wayM),
    supplyMillivolts:
      site.supply === 'cut'
        ? 0
        : isLow
          ? limits.brownOutMillivolts
          : fault === 'low-supply' || site.supply === 'low'
            ? limits.poorSupplyMillivolts
            : Math.round(quantities.onboardVolts * 1_000) - limits.cableMillivolts,
    fault,
    mechanics: site.mechanics,
    drawsAttention: moment.atMs < site.attentionUntilMs,
    hasCoverage,
    hasSky: site.hasSky && fault !== 'no-gnss',
    csq: hasCoverage ? site.csq : 0,
    networks: hasCoverage ? NETWORKS[site.isAbroad ? 'abroad' : 'home'] : [],
  };
}

/** What its sensors of motion and of the air feel. */
export interface Feeling {
  /** How fast it is towed; 0: it is not. */
  readonly towKph: number;
  readonly tiltDegrees: number;
  readonly smokeUgPerM3: number;
  readonly shakes: () => readonly Shake[];
}

/** What the box's hardware sees of it. The signals are written when they are first read. */
export function sensesOf(view: View, feeling: Feeling): Senses {
  let signals: Signals | undefined;
  let shakes: readonly Shake[] | undefined;
  const { quantities, condition, spot, journey } = view;
  return {
    get signals() {
      signals ??= signalsOf(view, feeling.towKph);
      return signals;
    },
    ignitionOn: quantities.ignitionOn,
    anyDoorOpen: quantities.anyDoorOpen,
    locked: quantities.locked,
    drivingEnabled: quantities.drivingEnabled,
    topCaseOpen: quantities.topCaseOpen,
    topCaseLocked: quantities.topCaseLocked,
    standExtended: quantities.standExtended,
    compartmentLocked: quantities.compartmentLocked,
    speedKph: quantities.speedKph,
    distanceM: condition.wayM,
    headingDegrees: spot.headingDegrees,
    acceleration: accelerationOf(journey.stretch, condition.speedMps, spot.curvaturePerM),
    get shakes() {
      shakes ??= feeling.shakes();
      return shakes;
    },
    tiltDegrees: feeling.tiltDegrees,
    smokeUgPerM3: feeling.smokeUgPerM3,
    fix: !view.hasSky || RECEPTION[spot.sky].quality === 0 ? undefined : spot,
    keyPresent: typeof quantities.keyPresent === 'boolean' ? quantities.keyPresent : quantities.ignitionOn,
    hasCoverage: view.hasCoverage,
    csq: view.csq,
    networks: view.networks,
    supplyMillivolts: view.supplyMillivolts,
    ambientTemperatureC: ambientTemperatureC(view.atMs),
  };
}

function signalsOf(view: View, towKph: number): Signals {
  const { model, journey, condition, spot, quantities, ...box } = view;
  const backupPercent = Math.floor(condition.backupPercent);
  const isFed = journey.stretch.engine === 'running' && box.supplyMillivolts > limits.brownOutMillivolts;
  const { obd, troubleCodes, can, ...ports } = wiredSignals(
    model,
    sensationsOf(view),
    view.equipment.sensors,
  );
  const hasBus = box.fault !== 'no-vehicle-bus';
  return {
    ...(hasBus && obd !== undefined ? { obd } : {}),
    ...(hasBus && troubleCodes !== undefined ? { troubleCodes } : {}),
    ...(hasBus && can !== undefined ? { can } : {}),
    ...ports,
    gnss: {
      ...(box.hasSky ? RECEPTION[spot.sky] : NO_RECEPTION),
      latitude: spot.latitude,
      longitude: spot.longitude,
      altitudeM: spot.altitudeM,
      speedKph: Math.max(quantities.speedKph, towKph),
      headingDegrees: spot.headingDegrees,
    },
    modem: { csq: box.hasCoverage ? box.csq : 99, network: box.networks[0]?.code ?? 0 },
    power: {
      supplyMillivolts: box.supplyMillivolts,
      backupMillivolts: limits.backupEmptyMillivolts + backupPercent * limits.backupMillivoltsPerPercent,
      backupPercent,
      backupCharging: isFed && backupPercent < 100,
    },
  };
}

/** The physical truth as plain JSON, units last in the names. */
export function truthOf(view: View, route: string): Record<string, unknown> {
  const { journey, condition, spot } = view;
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
    levels: levelsOf(view.equipment.levels, view.model, {
      atMs: view.atMs,
      mileageKm: view.quantities.mileageKm,
    }),
    troubleCodeTexts: codesAt(view.equipment, view.model, {
      atMs: view.atMs,
      mileageKm: view.quantities.mileageKm,
    }).map(troubleCodeText),
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
    networks: view.networks.map((network) => network.name),
    lightsFlash: view.drawsAttention,
    hornSounds: view.drawsAttention,
    mechanics: partsOf(view.model, view.mechanics),
    supplyMillivolts: view.supplyMillivolts,
    installationFault: view.fault ?? null,
    backupPercent: condition.backupPercent,
    ambientTemperatureC: ambientTemperatureC(view.atMs),
  };
}

/** The quantities without doors, locks and cases that the vehicle does not have. */
function ownQuantities(view: View): Record<string, unknown> {
  const known = Object.entries(sensationsOf(view)) as [keyof Quantities, unknown][];
  return Object.fromEntries(known.filter(([name]) => !isSwitch(name) || has(view.model, name)));
}
