/**
 * A vehicle on its loop, and its driver. It lives from event to event: between two of them everything is a closed
 * formula, so that a look costs the same after a second and after a month of parking, and how often one looks changes
 * nothing. What always holds (test/properties/vehicle.test.ts):
 *
 *   - mileage and way never fall; energy never rises while the vehicle moves, and is never below 0 or above the tank
 *   - the place never moves faster than the speed allows; speed never jumps more than engine and brakes can
 *   - the speed is within the street's limit and the vehicle's top, and 0 with the ignition off, driving disabled,
 *     or a door open
 *   - a vehicle that is locked or immobilised with the ignition off does not start
 *   - an open door is never locked
 *   - heading is in [0, 360), percentages in [0, 100], latitude and longitude on the loop
 */
import { MODELS } from '../../protocol/models/models.ts';
import { petrolCompact } from '../../protocol/models/petrol-compact.ts';
import type { Signals } from '../../protocol/signals.ts';
import { clamp } from '../arithmetic.ts';
import { spotAt } from '../routes/route.ts';
import { routeNamed } from '../routes/routes.ts';
import { afterStretch, type Circumstances, intervened, relocked, standing } from './driver.ts';
import { limits } from './limits.ts';
import { quantitiesOf } from './quantities.ts';
import type { MakeVehicle, Senses, Vehicle } from './senses.ts';
import { wiredSignals } from './signals.ts';
import { type Condition, during } from './stretch.ts';
import { ambientTemperatureC, NETWORKS, RECEPTION } from './surroundings.ts';

/** Makes a vehicle that drives, or is parked locked and immobilised, as the plan says. */
export const makeVehicle: MakeVehicle = (plan, random, atMs) => {
  const chance = (what: string) => random.stream(`box/${plan.boxId}/vehicle/${what}`);
  const model = MODELS.get(plan.model) ?? petrolCompact;
  const route = routeNamed(plan.route);
  const body = chance('body');
  const startMileageKm = body.whole(40_000, 900_000) / 10;
  const startEnergy = (model.body.energyCapacity * body.whole(250, 950)) / 1_000;
  const limitShare = body.whole(86, 100) / 100;
  const startBackupPercent = body.whole(70, 100);
  const secondsAt = (ms: number) => (ms - atMs) / 1_000;
  const around: Circumstances = {
    model,
    route,
    startM: route.lengthM * clamp(plan.startFraction, 0, 1),
    manners: { limitShare, body: model.body },
    chance: chance('streets'),
    ambientC: (atS) => ambientTemperatureC(atMs + atS * 1_000),
  };
  const first: Condition = {
    atS: 0,
    wayM: 0,
    speedMps: 0,
    energy: startEnergy,
    coolantC: around.ambientC(0),
    backupPercent: startBackupPercent,
    chargedS: 0,
  };
  const { driving } = plan;
  const switches = { ignitionOn: driving, doorOpen: false, locked: !driving, drivingEnabled: driving };
  let journey = standing(first, switches, driving ? 'drive' : 'rest', around);
  let nowMs = atMs;
  let hasCoverage = true;
  let csq = chance('radio').whole(12, 28);
  let brownOutUntilMs = atMs;

  const advance = (toMs: number) => {
    if (!(toMs > nowMs)) return;
    while (journey.stretch.untilS <= secondsAt(toMs)) journey = afterStretch(journey, around);
    nowMs = toMs;
  };
  const change = (what: Parameters<typeof intervened>[2]) => {
    journey = intervened(journey, secondsAt(nowMs), what, around);
  };

  const look = () => {
    const condition = during(journey.stretch, secondsAt(nowMs), model);
    const spot = spotAt(route, around.startM + condition.wayM);
    const mileageKm = startMileageKm + condition.wayM / 1_000;
    const quantities = quantitiesOf(model, condition, journey.stretch.engine, journey.switches, mileageKm);
    const sinks = nowMs < brownOutUntilMs;
    const supplyMillivolts = sinks
      ? limits.brownOutMillivolts
      : Math.round(quantities.onboardVolts * 1_000) - limits.cableMillivolts;
    const networks = hasCoverage ? NETWORKS : [];
    return {
      condition,
      spot,
      quantities,
      supplyMillivolts,
      networks,
      hasCoverage,
      csq: hasCoverage ? csq : 0,
    };
  };

  const signalsOf = ({
    condition,
    spot,
    quantities,
    supplyMillivolts,
    ...radio
  }: ReturnType<typeof look>): Signals => {
    const backup = Math.floor(condition.backupPercent);
    const charges =
      quantities.onboardVolts >= limits.generatorVolts && supplyMillivolts > limits.brownOutMillivolts;
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
      modem: { csq: radio.hasCoverage ? radio.csq : 99, network: radio.networks[0]?.code ?? 0 },
      power: {
        supplyMillivolts,
        backupMillivolts: limits.backupEmptyMillivolts + backup * limits.backupMillivoltsPerPercent,
        backupPercent: backup,
        backupCharging: charges && backup < 100,
      },
    };
  };

  const vehicle: Vehicle = {
    advance,
    sense: () => {
      const seen = look();
      let signals: Signals | undefined;
      const ambientC = ambientTemperatureC(nowMs);
      const senses: Senses = {
        get signals() {
          signals ??= signalsOf(seen);
          return signals;
        },
        ignitionOn: seen.quantities.ignitionOn,
        anyDoorOpen: seen.quantities.anyDoorOpen,
        locked: seen.quantities.locked,
        drivingEnabled: seen.quantities.drivingEnabled,
        speedKph: seen.quantities.speedKph,
        distanceM: seen.condition.wayM,
        headingDegrees: seen.spot.headingDegrees,
        hasCoverage: seen.hasCoverage,
        csq: seen.csq,
        networks: seen.networks,
        supplyMillivolts: seen.supplyMillivolts,
        ambientTemperatureC: ambientC,
      };
      return senses;
    },
    actuate: ({ set, to }) => {
      const { doorOpen, locked, drivingEnabled } = journey.switches;
      const isMoving = during(journey.stretch, secondsAt(nowMs), model).speedMps > 0;
      if (set === 'locked') {
        if (to && doorOpen) return false;
        if (to !== locked) journey = relocked(journey, secondsAt(nowMs), to, around);
        return true;
      }
      if (!to && isMoving) return false;
      if (to !== drivingEnabled) change({ switches: { drivingEnabled: to } });
      return true;
    },
    nextChangeMs: () => {
      const fillingEndsS =
        journey.stretch.engine === 'filling' ? journey.stretch.untilS : Number.POSITIVE_INFINITY;
      const supplyMs = brownOutUntilMs > nowMs ? brownOutUntilMs : Number.POSITIVE_INFINITY;
      const next = Math.min(Math.ceil(atMs + fillingEndsS * 1_000), supplyMs);
      return Number.isFinite(next) ? next : undefined;
    },
    drive: () =>
      change({ switches: { doorOpen: false }, intent: { wish: 'drive', switchOff: false, openDoor: false } }),
    park: () =>
      change({ switches: { doorOpen: false }, intent: { wish: 'rest', switchOff: true, openDoor: false } }),
    openDoor: (isOpen) =>
      isOpen
        ? change({ intent: { openDoor: true } })
        : change({ switches: { doorOpen: false }, intent: { openDoor: false } }),
    turnIgnition: (isOn) =>
      isOn
        ? change({ switches: { ignitionOn: true } })
        : change({ intent: { wish: 'rest', switchOff: true } }),
    setCoverage: (has) => {
      hasCoverage = has;
    },
    setSignalQuality: (wanted) => {
      csq = clamp(Math.round(wanted), 0, 31);
    },
    brownOut: () => {
      brownOutUntilMs = nowMs + limits.brownOutMs;
    },
    truth: () => {
      const { condition, spot, quantities, supplyMillivolts, networks } = look();
      return {
        atMs: nowMs,
        model: model.name,
        route: route.name,
        latitude: spot.latitude,
        longitude: spot.longitude,
        altitudeM: spot.altitudeM,
        headingDegrees: spot.headingDegrees,
        ...quantities,
        wayM: condition.wayM,
        energy: condition.energy,
        driverWish: journey.intent.wish,
        engine: journey.stretch.engine,
        hasCoverage,
        csq,
        networks: networks.map((network) => network.name),
        supplyMillivolts,
        backupPercent: condition.backupPercent,
      };
    },
  };
  return vehicle;
};
