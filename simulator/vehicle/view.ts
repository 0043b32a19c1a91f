import type { VehicleModel } from '../../protocol/models/model.ts';
import type { Signals } from '../../protocol/signals.ts';
import type { Spot } from '../routes/route.ts';
import { spotAt } from '../routes/route.ts';
import type { Circumstances, Journey } from './driver.ts';
import { limits } from './limits.ts';
import { quantitiesOf } from './quantities.ts';
import type { MobileNetwork, Senses } from './senses.ts';
import { type Quantities, wiredSignals } from './signals.ts';
import { type Condition, during } from './stretch.ts';
import { ambientTemperatureC, NETWORKS, RECEPTION } from './surroundings.ts';

/** What is around the box: radio, and power that may sink. */
export interface Site {
  readonly hasCoverage: boolean;
  readonly csq: number;
  /** The supply is low until then. */
  readonly brownOutUntilMs: number;
}

/** A vehicle at one moment. */
export interface View {
  readonly atMs: number;
  readonly model: VehicleModel;
  readonly journey: Journey;
  readonly condition: Condition;
  readonly spot: Spot;
  readonly quantities: Quantities;
  readonly supplyMillivolts: number;
  readonly hasCoverage: boolean;
  readonly csq: number;
  readonly networks: readonly MobileNetwork[];
}

/** The vehicle as it is at `atMs`, `atS` seconds after it was made. */
export function viewOf(
  journey: Journey,
  { model, route, startM }: Circumstances,
  site: Site,
  moment: { readonly atMs: number; readonly atS: number; readonly mileageStartKm: number },
): View {
  const condition = during(journey.stretch, moment.atS, model);
  const mileageKm = moment.mileageStartKm + condition.wayM / 1_000;
  const quantities = quantitiesOf(model, condition, journey.stretch.engine, journey.switches, mileageKm);
  const isLow = moment.atMs < site.brownOutUntilMs;
  return {
    atMs: moment.atMs,
    model,
    journey,
    condition,
    quantities,
    spot: spotAt(route, startM + condition.wayM),
    supplyMillivolts: isLow
      ? limits.brownOutMillivolts
      : Math.round(quantities.onboardVolts * 1_000) - limits.cableMillivolts,
    hasCoverage: site.hasCoverage,
    csq: site.hasCoverage ? site.csq : 0,
    networks: site.hasCoverage ? NETWORKS : [],
  };
}

/** What the box's hardware sees of it. The signals are written when they are first read. */
export function sensesOf(view: View): Senses {
  let signals: Signals | undefined;
  const { quantities, condition, spot } = view;
  return {
    get signals() {
      signals ??= signalsOf(view);
      return signals;
    },
    ignitionOn: quantities.ignitionOn,
    anyDoorOpen: quantities.anyDoorOpen,
    locked: quantities.locked,
    drivingEnabled: quantities.drivingEnabled,
    speedKph: quantities.speedKph,
    distanceM: condition.wayM,
    headingDegrees: spot.headingDegrees,
    hasCoverage: view.hasCoverage,
    csq: view.csq,
    networks: view.networks,
    supplyMillivolts: view.supplyMillivolts,
    ambientTemperatureC: ambientTemperatureC(view.atMs),
  };
}

function signalsOf({ model, journey, condition, spot, quantities, ...box }: View): Signals {
  const backupPercent = Math.floor(condition.backupPercent);
  const isFed = journey.stretch.engine === 'running' && box.supplyMillivolts > limits.brownOutMillivolts;
  return {
    ...wiredSignals(model, quantities),
    gnss: {
      ...RECEPTION[spot.sky],
      latitude: spot.latitude,
      longitude: spot.longitude,
      altitudeM: spot.altitudeM,
      speedKph: quantities.speedKph,
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
    ...view.quantities,
    distanceM: condition.wayM,
    energyLeft: condition.energy,
    driverWish: journey.intent.wish,
    engine: journey.stretch.engine,
    hasCoverage: view.hasCoverage,
    csq: view.csq,
    networks: view.networks.map((network) => network.name),
    supplyMillivolts: view.supplyMillivolts,
    backupPercent: condition.backupPercent,
    ambientTemperatureC: ambientTemperatureC(view.atMs),
  };
}
