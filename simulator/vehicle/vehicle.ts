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
import type { Random, Stream } from '../../world/random.ts';
import { clamp } from '../arithmetic.ts';
import type { BoxPlan } from '../fleet.ts';
import { routeNamed } from '../routes/routes.ts';
import { afterStretch, type Change, type Circumstances, intervened, relocked, standing } from './driver.ts';
import { limits } from './limits.ts';
import { conditionOf, memoryOf, type VehicleMemory } from './memory.ts';
import type { MakeVehicle, Vehicle } from './senses.ts';
import { during } from './stretch.ts';
import { ambientTemperatureC } from './surroundings.ts';
import { type Site, sensesOf, truthOf, viewOf } from './view.ts';

/** A vehicle that can be kept over the end of the program. */
export interface KeptVehicle extends Vehicle {
  memory(): VehicleMemory;
}

/**
 * Makes a vehicle that drives, or is parked locked and immobilised, as the plan says; or goes on as `memory` has it,
 * from standstill. Chance comes from the streams `box/<id>/vehicle/...`.
 */
export function makeVehicle(
  plan: BoxPlan,
  random: Random,
  atMs: number,
  memory?: VehicleMemory,
): KeptVehicle {
  const chance = (what: string) => random.stream(`box/${plan.boxId}/vehicle/${what}`);
  const model = MODELS.get(plan.model) ?? petrolCompact;
  const route = routeNamed(plan.route);
  const { limitShare, ...build } = drawn(chance('body'));
  const around: Circumstances = {
    model,
    route,
    startM: route.lengthM * clamp(plan.startFraction, 0, 1),
    manners: { limitShare, body: model.body },
    chance: chance('streets'),
    ambientC: (atS) => ambientTemperatureC(atMs + atS * 1_000),
  };
  const first = memory ?? {
    version: 1,
    startMileageKm: build.mileageKm,
    wayM: 0,
    energy: model.body.energyCapacity * build.filledShare,
    backupPercent: build.backupPercent,
    switches: parkedOrDriving(plan.driving),
    wish: plan.driving ? 'drive' : 'rest',
  };
  const mileageStartKm = first.startMileageKm;
  let journey = standing(conditionOf(first, model, around.ambientC(0)), first.switches, first.wish, around);
  let nowMs = atMs;
  let site: Site = { hasCoverage: true, csq: chance('radio').whole(12, 28), brownOutUntilMs: atMs };

  const nowS = () => (nowMs - atMs) / 1_000;
  const now = () => during(journey.stretch, nowS(), model);
  const view = () => viewOf(journey, around, site, { atMs: nowMs, atS: nowS(), mileageStartKm });
  const change = (what: Change) => {
    journey = intervened(journey, nowS(), what, around);
  };

  return {
    advance: (toMs) => {
      if (!(toMs > nowMs)) return;
      nowMs = toMs;
      while (journey.stretch.untilS <= nowS()) journey = afterStretch(journey, around);
    },
    sense: () => sensesOf(view()),
    truth: () => truthOf(view(), route.name),
    memory: () => memoryOf(journey, now(), mileageStartKm),
    actuate: ({ set, to }) => {
      if (set === 'locked') {
        // A bolt cannot be thrown on an open door.
        if (to && journey.switches.doorOpen) return false;
        if (to !== journey.switches.locked) journey = relocked(journey, nowS(), to, around);
        return true;
      }
      // The relay sits in the starter's circuit: nobody cuts it under way.
      if (!to && now().speedMps > 0) return false;
      change({ switches: { drivingEnabled: to } });
      return true;
    },
    nextChangeMs: () => {
      const { engine, untilS } = journey.stretch;
      const startsMs = engine === 'filling' ? Math.ceil(atMs + untilS * 1_000) : Number.POSITIVE_INFINITY;
      const restoredMs = site.brownOutUntilMs > nowMs ? site.brownOutUntilMs : Number.POSITIVE_INFINITY;
      const nextMs = Math.min(startsMs, restoredMs);
      return Number.isFinite(nextMs) ? nextMs : undefined;
    },
    drive: () =>
      change({ switches: { doorOpen: false }, intent: { wish: 'drive', switchOff: false, openDoor: false } }),
    park: () =>
      change({ switches: { doorOpen: false }, intent: { wish: 'rest', switchOff: true, openDoor: false } }),
    openDoor: (isOpen) => change(isOpen ? { intent: { openDoor: true } } : CLOSED),
    turnIgnition: (isOn) =>
      change(isOn ? { switches: { ignitionOn: true } } : { intent: { wish: 'rest', switchOff: true } }),
    setCoverage: (hasCoverage) => {
      site = { ...site, hasCoverage };
    },
    setSignalQuality: (csq) => {
      site = { ...site, csq: Number.isNaN(csq) ? 0 : clamp(Math.round(csq), 0, 31) };
    },
    brownOut: () => {
      site = { ...site, brownOutUntilMs: nowMs + limits.brownOutMs };
    },
  };
}

const CLOSED: Change = { switches: { doorOpen: false }, intent: { openDoor: false } };

function parkedOrDriving(driving: boolean): VehicleMemory['switches'] {
  return { ignitionOn: driving, doorOpen: false, locked: !driving, drivingEnabled: driving };
}

/** What differs between two vehicles of one model. */
function drawn(stream: Stream) {
  return {
    mileageKm: stream.whole(40_000, 900_000) / 10,
    filledShare: stream.whole(250, 950) / 1_000,
    limitShare: stream.whole(92, 100) / 100,
    backupPercent: stream.whole(70, 100),
  };
}

makeVehicle satisfies MakeVehicle;
