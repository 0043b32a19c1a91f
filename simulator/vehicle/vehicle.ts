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
 *   - an open door or lid is never locked; what is jammed stays as it is
 *   - a vehicle on its centre stand, or with its battery compartment open, stands
 *   - heading is in [0, 360), percentages in [0, 100], latitude and longitude on the loop
 */
import { MAKER_MODELS } from '../../protocol/models/maker-models.ts';
import { has } from '../../protocol/models/model.ts';
import { MODELS } from '../../protocol/models/models.ts';
import { petrolCompact } from '../../protocol/models/petrol-compact.ts';
import type { Random } from '../../world/random.ts';
import { clamp } from '../arithmetic.ts';
import type { BoxPlan } from '../fleet.ts';
import type { Route } from '../routes/route.ts';
import { ROUTES, routeNamed } from '../routes/routes.ts';
import { airAroundC } from './air.ts';
import { antennasOf, edgeOfReach } from './antennas.ts';
import {
  afterStretch,
  type Change,
  type Circumstances,
  fitted,
  intervened,
  isPossible,
  type Journey,
  relocked,
  standing,
  supplied,
} from './driver.ts';
import { drawnBuild, firstMemory, SHUT } from './first-memory.ts';
import { AT_REST, type Extremes, extremesIn, widened } from './forces.ts';
import { handlingOf } from './handling.ts';
import { type Held, truthAt, viewAt } from './held.ts';
import { stopping } from './hop.ts';
import { LastMemory } from './last-memory.ts';
import { LastSignals } from './last-signals.ts';
import { limits } from './limits.ts';
import { exchangeDips, startingDips } from './low-voltage.ts';
import { ALL_WORK, mechanicsWith, movement } from './mechanics.ts';
import { conditionOf, memoryOf, type VehicleMemory } from './memory.ts';
import { nextChangeMs } from './next-change.ts';
import { Past } from './past.ts';
import { nextOfInterestMs } from './quiet.ts';
import { type Road, type RoadUser, roadPlace } from './road.ts';
import type { MakeVehicle, Vehicle } from './senses.ts';
import { bumpFelt, drivingFelt, impactFelt, makeShakeBuffer } from './shake.ts';
import { Sight } from './sight.ts';
import type { Smoke } from './smoke.ts';
import { during } from './stretch.ts';
import { airOf } from './stretches.ts';
import { backupPercentAt, withBackup } from './supply.ts';
import { type Tow, towEndMs, towedM } from './towing.ts';
import { makeUpkeep } from './upkeep.ts';
import { type Site, undisturbed } from './view.ts';

/** What a vehicle needs of a plan; one without a box gives another id in the place of the box's. */
export type VehiclePlan = Pick<BoxPlan, 'boxId' | 'model' | 'route' | 'startFraction' | 'driving' | 'radio'>;

/** A vehicle that can be kept over the end of the program. */
export interface KeptVehicle extends Vehicle {
  memory(): VehicleMemory;
  /**
   * The memory as of now, put together when it is called for; later changes don't reach into it. The same function as
   * the last time where the memory is certainly the same.
   */
  snapshot(): () => VehicleMemory;
}

/**
 * Makes a vehicle that drives, or is parked locked and immobilised, as the plan says; or goes on as `memory` has it,
 * from standstill. Chance comes from the streams `box/<id>/vehicle/...`. `road`: where it keeps its distance to others.
 */
export function makeVehicle(
  plan: VehiclePlan,
  random: Random,
  atMs: number,
  memory?: VehicleMemory,
  routes: ReadonlyMap<string, Route> = ROUTES,
  road?: Road,
): KeptVehicle {
  const chance = (what: string) => random.stream(`box/${plan.boxId}/vehicle/${what}`);
  const model = MODELS.get(plan.model) ?? MAKER_MODELS.get(plan.model) ?? petrolCompact;
  // The route that somebody chose counts until the plan names another one.
  const chosen = memory?.chosen?.instead === plan.route ? memory.chosen : undefined;
  const route = routeNamed(chosen?.route ?? plan.route, routes);
  const build = drawnBuild(chance('body'));
  let around: Circumstances = {
    model,
    route,
    startM: chosen?.startM ?? route.lengthM * clamp(plan.startFraction, 0, 1),
    manners: { limitShare: build.limitShare, body: model.body, handling: handlingOf(model) },
    chance: chance('streets'),
    weather: random.stream('air').whole(0, 0xffff_ffff - 1),
    madeMs: atMs,
    // Until the road knows where it is.
    ...(road === undefined ? {} : { roomM: () => 0 }),
  };
  const first = memory ?? firstMemory(model, build, plan.driving, chance('traction'));
  const mileageStartKm = first.startMileageKm;
  const upkeep = makeUpkeep(
    chance,
    model,
    { atMs, mileageKm: mileageStartKm + first.wayM / 1_000 },
    first.energy,
    memory?.equipment,
  );
  const firstC = airAroundC(airOf(first, around), 0);
  let journey = standing(conditionOf(first, model, firstC), first.switches, first, around);
  let isChosen = chosen !== undefined;
  let nowMs = atMs;
  let ignitionOffMs = atMs;
  let site: Site = undisturbed(atMs, memory?.mechanics ?? ALL_WORK);

  const antennas = antennasOf(random, `box/${plan.boxId}`, chance('radio').whole(12, 28), plan.radio);
  const lastSignals = new LastSignals();
  const shakes = makeShakeBuffer();
  let tow: Tow | undefined;
  let smoke: Smoke | undefined;

  const nowS = () => (nowMs - atMs) / 1_000;
  const now = () => during(journey.stretch, nowS(), model);
  // Under tow it is elsewhere on its street than its wheels have brought it.
  const place = () =>
    tow === undefined ? around : { ...around, startM: around.startM + towedM(tow, nowMs) };
  const made = { madeMs: atMs, mileageStartKm, antennas };
  const held = (): Held => ({
    journey,
    around,
    site,
    equipment: upkeep.equipment,
    tow,
    smoke,
    ignitionOffMs,
  });
  let past: Past | undefined;
  /** The vehicle goes on like that from then on; where that starts its engine, the starter turns it over. */
  const goOnAs = (after: Journey, thenMs: number) => {
    const mileageKm = mileageStartKm + after.stretch.from.wayM / 1_000;
    const dips = startingDips(journey, after, upkeep.equipment.levels, model, { atMs: thenMs, mileageKm });
    if (dips.length > 0) site = { ...site, dips };
    if (journey.switches.ignitionOn && !after.switches.ignitionOn)
      ignitionOffMs = atMs + after.stretch.from.atS * 1_000;
    journey = after;
  };
  const motion = () => ({
    speedMps: now().speedMps,
    isUnderWay: journey.stretch.move !== undefined,
  });
  // What has been felt since the last look, up to the beginning of the stretch, or to the look itself.
  let extremes: Extremes = AT_REST;
  let feltS = 0;
  const feel = (toS: number) => {
    const fromS = Math.max(feltS, journey.stretch.from.atS);
    feltS = Math.max(toS, feltS);
    if (journey.stretch.move !== undefined)
      extremes = widened(extremes, extremesIn(journey.stretch, around, fromS, toS));
    shakes.add(drivingFelt(journey.stretch, around, [fromS, toS], atMs));
  };
  /** What the accelerometer's buffer held then, as far as it has not forgotten it since. */
  const felt = (thenMs: number) => {
    if (nowMs === thenMs) feel(nowS());
    const recent = shakes.recent();
    return nowMs === thenMs ? recent : recent.filter(({ toMs }) => toMs <= thenMs);
  };
  const letDown = () => {
    if (tow === undefined) return;
    around = place();
    isChosen = true;
    tow = undefined;
  };
  const goOn = () => {
    const endS = journey.stretch.untilS;
    feel(endS);
    goOnAs(afterStretch(journey, around), Math.ceil(atMs + endS * 1_000));
    past?.note(atMs + journey.stretch.from.atS * 1_000, held());
  };
  const roadUser: RoadUser = {
    nextMs: () => atMs + journey.stretch.untilS * 1_000,
    goOn,
    placeAt: (thenMs) => roadPlace(journey, around, (thenMs - atMs) / 1_000),
  };
  const room = road?.join(roadUser);
  if (room !== undefined) around = { ...around, roomM: (atS) => room(atMs + atS * 1_000) };
  const stoppingM = () => stopping(now().speedMps).lengthM;
  const become = (after: Journey) => {
    goOnAs(after, nowMs);
    road?.changed();
  };
  const change = (what: Change) => {
    const after = intervened(journey, nowS(), what, around);
    if (after.stretch !== journey.stretch) feel(nowS());
    become(after);
  };

  const lastMemory = new LastMemory();
  const snapshot = () => {
    const [then, thenMs, { cut, mechanics }] = [journey, nowMs, site];
    const { startM, route: driven } = place();
    const { equipment } = upkeep;
    const isElsewhere = isChosen || tow !== undefined;
    const memory = () => {
      const condition = during(then.stretch, (thenMs - atMs) / 1_000, model);
      return memoryOf(
        then,
        { ...condition, backupPercent: backupPercentAt(cut, condition, thenMs) },
        {
          startMileageKm: mileageStartKm,
          mechanics,
          equipment,
          ...(isElsewhere ? { chosen: { route: driven.name, startM, instead: plan.route } } : {}),
        },
      );
    };
    const isAtRest = then.stretch.engine === 'off' && cut === undefined && tow === undefined;
    const remembered = { journey: then, mechanics, equipment, startM, route: driven };
    return lastMemory.of(remembered, isAtRest, memory);
  };

  return {
    advance: (toMs) => {
      if (!(toMs > nowMs)) return;
      past?.note(nowMs, held());
      road?.advance(toMs);
      nowMs = toMs;
      while (journey.stretch.untilS <= nowS()) goOn();
      shakes.advance(nowMs);
      if (tow !== undefined && nowMs >= towEndMs(tow)) letDown();
    },
    extremes: () => {
      feel(nowS());
      const found = extremes;
      extremes = AT_REST;
      return found;
    },
    sense: () => new Sight(viewAt(held(), nowMs, made), tow, smoke, felt, lastSignals),
    suffer: (incident) => {
      const speedKph = now().speedMps * 3.6;
      if (incident.what === 'impact') shakes.expect(impactFelt(incident, nowMs, speedKph));
      else if (incident.what === 'bump') shakes.expect(bumpFelt(incident, nowMs, speedKph));
      else if (incident.what === 'smoke') smoke = { ...incident, sinceMs: nowMs };
      else if (!journey.switches.ignitionOn) {
        letDown();
        tow = { ...incident, sinceMs: nowMs };
      }
    },
    truth: () => ({
      ...truthAt(held(), nowMs, made),
      ...(road === undefined ? {} : { isKerbFree: road.isKerbFree(roadUser, stoppingM(), nowMs) }),
    }),
    remember: (room) => {
      past ??= new Past(room);
      past.note(nowMs, held());
    },
    truths: (fromMs, toMs) => {
      past?.note(nowMs, held());
      const moments = past?.moments(fromMs, Math.min(toMs, nowMs));
      return moments?.map((moment) => truthAt(moment.held, moment.atMs, made));
    },
    memory: () => snapshot()(),
    snapshot,
    actuate: ({ set, to }) => {
      if (set === 'attention') {
        const isWired = model.rows.length === 0 || model.vehicleCommands.includes('draw-attention');
        if (!isWired) return false;
        site = { ...site, attentionUntilMs: to ? nowMs + limits.attentionMs : nowMs };
        return true;
      }
      const moving = movement(model, site.mechanics, journey.switches, motion(), { set, to });
      if (!moving.moved) return moving.accepted;
      site = { ...site, mechanics: moving.mechanics };
      if (set === 'locked') become(relocked(journey, nowS(), to, around));
      else if (set === 'topCaseLocked') journey = fitted(journey, { topCaseLocked: to });
      else change({ switches: { [set]: to } });
      return true;
    },
    quietUntilMs: (interest) =>
      tow === undefined && interest.fromMs > nowMs
        ? nextOfInterestMs(
            journey,
            around,
            atMs,
            interest,
            edgeOfReach(antennas, around, site.csq, now().wayM),
          )
        : interest.fromMs,
    nextChangeMs: () => nextChangeMs(held(), nowMs, { madeMs: atMs, nextShakeMs: shakes.nextMs() }),
    drive: ({ route: wanted, pace } = {}) => {
      letDown();
      const found = wanted === undefined ? undefined : routes.get(wanted);
      if (found !== undefined && found !== around.route) {
        if (motion().isUnderWay) return;
        // It is carried there: its way so far is not along this route.
        around = { ...around, route: found, startM: 0 - now().wayM };
        isChosen = true;
      }
      change({
        switches: SHUT,
        intent: {
          wish: 'drive',
          switchOff: false,
          openDoor: false,
          ...(pace === undefined ? {} : { pace: clamp(pace, limits.slowestPace, 1) }),
        },
      });
    },
    maneuver: (what) => {
      if (journey.intent.wish !== 'drive') return false;
      if (!isPossible(what, around, now().wayM, journey.intent.pace)) return false;
      change({ intent: { maneuver: what } });
      return true;
    },
    routes: () => [...routes.keys()],
    park: () =>
      change({ switches: { doorOpen: false }, intent: { wish: 'rest', switchOff: true, openDoor: false } }),
    openDoor: (isOpen) => change(isOpen ? { intent: { openDoor: true } } : CLOSED),
    openTopCase: (isOpen) => {
      if (isOpen && (!has(model, 'topCaseOpen') || journey.switches.topCaseLocked || motion().isUnderWay))
        return;
      journey = fitted(journey, { topCaseOpen: isOpen });
    },
    shutCompartment: () => change({ switches: { compartmentLocked: true } }),
    putOnStand: (isExtended) => {
      if (!has(model, 'standExtended') || motion().isUnderWay) return;
      journey = fitted(journey, { standExtended: isExtended });
    },
    tend: (deed) => {
      const condition = now();
      const mileageKm = mileageStartKm + condition.wayM / 1_000;
      const exchange = exchangeDips(upkeep.equipment.levels, model, { atMs: nowMs, mileageKm });
      const outcome = upkeep.tend(deed, { journey, condition, atMs: nowMs, mileageKm });
      if ('refusal' in outcome) return outcome.refusal;
      if (deed.kind === 'workshop' && exchange.length > 0) site = { ...site, dips: exchange };
      const { stores, pluggedIn } = outcome;
      if (stores !== undefined) become(supplied(journey, nowS(), stores, around));
      if (pluggedIn !== undefined) change({ switches: { pluggedIn } });
      return undefined;
    },
    setMechanics: (what) => {
      site = { ...site, mechanics: mechanicsWith(site.mechanics, what) };
    },
    turnIgnition: (isOn) => {
      if (isOn) letDown();
      change(isOn ? { switches: { ignitionOn: true } } : { intent: { wish: 'rest', switchOff: true } });
    },
    setCoverage: (hasCoverage) => {
      site = { ...site, hasCoverage };
    },
    setSky: (hasSky) => {
      site = { ...site, hasSky };
    },
    crossBorder: (isAbroad, gapMs) => {
      if (isAbroad !== site.isAbroad) site = { ...site, isAbroad, gapUntilMs: nowMs + gapMs };
    },
    setSignalQuality: (given) => {
      const csq = given === undefined || !Number.isNaN(given) ? given : 0;
      site = { ...site, csq: csq === undefined ? undefined : clamp(Math.round(csq), 0, 31) };
    },
    startReceiver: (fixAtMs) => {
      site = { ...site, acquiresUntilMs: fixAtMs };
    },
    setInstallationFault: (what, durationMs = Number.POSITIVE_INFINITY) => {
      site = { ...site, fault: what === undefined ? undefined : { what, untilMs: nowMs + durationMs } };
    },
    setSupply: (supply) => {
      if (supply === site.supply) return;
      const backupPercent = backupPercentAt(site.cut, now(), nowMs);
      if (site.cut !== undefined) journey = withBackup(journey, nowS(), backupPercent);
      const cut = supply === 'cut' ? { sinceMs: nowMs, backupPercent } : undefined;
      site = { ...site, supply, cut };
    },
    brownOut: () => {
      site = { ...site, brownOutUntilMs: nowMs + limits.brownOutMs };
    },
  };
}

const CLOSED: Change = { switches: { doorOpen: false }, intent: { openDoor: false } };

makeVehicle satisfies MakeVehicle;
