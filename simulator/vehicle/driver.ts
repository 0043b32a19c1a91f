import { has, type VehicleModel } from '../../protocol/models/model.ts';
import type { Stream } from '../../world/random.ts';
import type { Route } from '../routes/route.ts';
import { isLow, isSpent } from './energy.ts';
import { isAtLight, type Manners, type Move, movesOver, stopping, wayToStop } from './hop.ts';
import { limits } from './limits.ts';
import { type Maneuver, nextBend, type Replanned, replanned } from './maneuver.ts';
import { type Condition, during, type Stretch } from './stretch.ts';
import { filling, moving, resting, waiting } from './stretches.ts';

/**
 * What is switched in the vehicle. An open door or lid is never locked. What a vehicle does not have stands as if it
 * were shut and out of the way.
 */
export interface Switches {
  readonly ignitionOn: boolean;
  readonly doorOpen: boolean;
  readonly locked: boolean;
  readonly drivingEnabled: boolean;
  readonly topCaseOpen: boolean;
  readonly topCaseLocked: boolean;
  readonly standExtended: boolean;
  /** The battery compartment is shut and latched. */
  readonly compartmentLocked: boolean;
  /** Somebody has put a charging plug in: it does not drive away with that. */
  readonly pluggedIn: boolean;
}

/** What the driver wants; the errands are done at the next standstill. */
export interface Intent {
  readonly wish: 'drive' | 'rest';
  readonly switchOff: boolean;
  readonly openDoor: boolean;
  /** Share of the usual speed, up to 1; it counts from the next hop on. */
  readonly pace: number;
  /** What the driver does as soon as the vehicle is fast enough for it. */
  readonly maneuver: Maneuver | undefined;
}

/** What somebody switches, or has in mind anew. */
export interface Change {
  readonly switches?: Partial<Switches>;
  readonly intent?: Partial<Intent>;
}

/** A vehicle with a driver, as data. */
export interface Journey {
  readonly switches: Switches;
  readonly intent: Intent;
  readonly stretch: Stretch;
  /** Moves of the hop that come after this stretch. */
  readonly ahead: readonly Move[];
  /** How this hop is driven. */
  readonly manners: Manners;
}

/** What does not change about a vehicle. */
export interface Circumstances {
  readonly model: VehicleModel;
  readonly route: Route;
  /** Where on the loop the way began. */
  readonly startM: number;
  readonly manners: Manners;
  readonly chance: Stream;
  /** Of the seed: which days are warm and which cold (air.ts). */
  readonly weather: number;
  /** When the vehicle's seconds began. */
  readonly madeMs: number;
  /** How far it may drive on then for those ahead (road.ts), 0: not now; absent: it has the streets for itself. */
  readonly roomM?: (atS: number) => number;
}

/** The journey after its stretch has come to its end. */
export function afterStretch(journey: Journey, around: Circumstances): Journey {
  const condition = during(journey.stretch, journey.stretch.untilS, around.model);
  const waited = journey.stretch.move === undefined && journey.stretch.engine === 'running';
  return decide({ ...journey, condition, waited }, around);
}

/** The journey after somebody has changed a switch or their mind at `atS`. */
export function intervened(journey: Journey, atS: number, change: Change, around: Circumstances): Journey {
  const switches = { ...journey.switches, ...change.switches };
  const intent = { ...journey.intent, ...change.intent };
  if (same(switches, journey.switches) && same(intent, journey.intent)) return journey;
  const changed = { ...journey, switches, intent };
  // Who waits at a light and thinks of the way ahead goes on waiting.
  const { pace, maneuver } = journey.intent;
  const isOfTheWay = same(switches, journey.switches) && same({ ...intent, pace, maneuver }, journey.intent);
  if (isOfTheWay && journey.stretch.move === undefined) return changed;
  const { move } = journey.stretch;
  if (move !== undefined) {
    const stopsAlready = journey.ahead.length === 0 && move.kind === 'brake' && move.toMps === 0;
    if (mustStop(switches, intent)) {
      if (stopsAlready) return changed;
    } else {
      // Whoever is under way does at once what can be done at once.
      return (
        maneuvering({ ...changed, condition: during(journey.stretch, atS, around.model) }, around) ?? changed
      );
    }
  }
  const condition = during(journey.stretch, atS, around.model);
  return decide({ ...changed, condition, waited: false }, around);
}

/** The journey with the maneuver begun, or undefined where none is wanted or the vehicle is too slow for it. */
function maneuvering(
  { switches, intent, manners, ...rest }: Omit<Situation, 'waited'> & { readonly stretch?: Stretch },
  around: Circumstances,
): Journey | undefined {
  if (intent.maneuver === undefined) return undefined;
  const { condition } = rest;
  const done = rest.stretch === undefined ? 0 : condition.wayM - rest.stretch.from.wayM;
  const wayM =
    (rest.stretch?.move?.lengthM ?? 0) - done + rest.ahead.reduce((sum, move) => sum + move.lengthM, 0);
  const alongM = around.startM + condition.wayM;
  const drive = { alongM, fromMps: condition.speedMps, wayM };
  const plan: Replanned | undefined = replanned(around.route, drive, manners, intent.maneuver);
  const [first, ...ahead] = plan?.moves ?? [];
  if (first === undefined) return undefined;
  const calm = { ...intent, maneuver: undefined };
  return { switches, intent: calm, manners, ahead, stretch: moving(condition, first, around) };
}

/** The journey of a standing vehicle that has been filled up, charged, or given other batteries at `atS`. */
export function supplied(
  journey: Journey,
  atS: number,
  stores: Partial<Condition>,
  around: Circumstances,
): Journey {
  const condition = { ...during(journey.stretch, atS, around.model), ...stores };
  return decide({ ...journey, condition, waited: false }, around);
}

/** The journey after something has been switched that a driver does not mind. */
export function fitted(journey: Journey, change: Partial<Switches>): Journey {
  return { ...journey, switches: { ...journey.switches, ...change } };
}

/** The journey after the central lock has moved: only one who waits outside minds. */
export function relocked(journey: Journey, atS: number, locked: boolean, around: Circumstances): Journey {
  if (journey.stretch.engine === 'off') return intervened(journey, atS, { switches: { locked } }, around);
  return fitted(journey, { locked });
}

/** A vehicle that stands at the beginning of its way. */
export function standing(
  condition: Condition,
  switches: Switches,
  { wish, pace = 1 }: { readonly wish: Intent['wish']; readonly pace?: number | undefined },
  around: Circumstances,
): Journey {
  const intent = { wish, switchOff: false, openDoor: false, pace, maneuver: undefined };
  const { manners } = around;
  return decide({ switches, intent, manners, ahead: [], condition, waited: switches.ignitionOn }, around);
}

/** What is left of a driver's speed on a slow day, in percent. */
const LEAST_SHARE = 92;

interface Situation {
  readonly switches: Switches;
  readonly intent: Intent;
  readonly ahead: readonly Move[];
  readonly manners: Manners;
  readonly condition: Condition;
  /** The driver has waited at the light already. */
  readonly waited: boolean;
}

function decide(situation: Situation, around: Circumstances): Journey {
  const { condition, switches, intent } = situation;
  const stops = mustStop(switches, intent);
  const isMoving = condition.speedMps > 0;
  if (isMoving && !stops) {
    const { switches, intent, manners, ahead } = situation;
    const begun = maneuvering({ switches, intent, manners, ahead, condition }, around);
    if (begun !== undefined) return begun;
  }
  const [next, ...rest] = stops ? [stopping(condition.speedMps)] : situation.ahead;
  if (next === undefined || (stops && !isMoving)) return decideAtStandstill(situation, around);
  const { manners } = situation;
  return { switches, intent, manners, ahead: stops ? [] : rest, stretch: moving(condition, next, around) };
}

function decideAtStandstill(
  { switches: before, intent: wanted, condition, waited, manners: last }: Situation,
  around: Circumstances,
): Journey {
  const { model, chance } = around;
  const isParking = before.ignitionOn && wanted.switchOff;
  const switches = {
    ...before,
    ignitionOn: before.ignitionOn && !wanted.switchOff,
    doorOpen: before.doorOpen || (wanted.openDoor && !before.locked && model.body.doors > 0),
    standExtended: before.standExtended || (isParking && has(model, 'standExtended')),
  };
  const { wish, pace } = wanted;
  // Who rests has forgotten what was to be done on the way.
  const maneuver = wish === 'rest' ? undefined : wanted.maneuver;
  const intent = { wish, switchOff: false, openDoor: false, pace, maneuver };
  const journey = { switches, intent, manners: last, ahead: [] };
  if (intent.wish === 'rest' || !mayDrive(switches) || isSpent(condition)) {
    return { ...journey, stretch: resting(condition, switches, around) };
  }
  if (isLow(condition, model)) {
    const off = { ...switches, ignitionOn: false, standExtended: has(model, 'standExtended') };
    return { ...journey, switches: off, stretch: filling(condition, around) };
  }
  if (!switches.ignitionOn) {
    const on = { ...switches, ignitionOn: true, standExtended: false };
    return { ...journey, switches: on, stretch: waiting(condition, limits.startS, around) };
  }
  if (!waited) {
    // Who stands behind another one, and at no light, drives on with it.
    const queues = around.roomM !== undefined && !isAtLight(around.route, around.startM + condition.wayM);
    const redS = queues
      ? limits.queueS
      : chance.whole(limits.shortestRedS * 10, limits.longestRedS * 10) / 10;
    return { ...journey, stretch: waiting(condition, redS, around) };
  }
  const roomM = around.roomM?.(condition.atS) ?? Number.POSITIVE_INFINITY;
  if (roomM <= 0) return { ...journey, stretch: waiting(condition, limits.queueS, around) };
  // Nobody drives two hops alike.
  const limitShare = ((around.manners.limitShare * chance.whole(LEAST_SHARE, 100)) / 100) * pace;
  const manners = { ...around.manners, limitShare };
  const [first, ...rest] = hopFrom(around.startM + condition.wayM, roomM, manners, intent, around);
  if (first === undefined) return { ...journey, stretch: waiting(condition, limits.shortestRedS, around) };
  // Nobody moves off on the stand.
  const ready = { ...switches, standExtended: false };
  return { ...journey, manners, switches: ready, ahead: rest, stretch: moving(condition, first, around) };
}

/** Whether the route has what the maneuver takes, at that pace: braking needs nothing, cornering a bend. */
export function isPossible(
  { what, rateMps2 }: Maneuver,
  { route, startM, manners }: Circumstances,
  wayM: number,
  pace: number,
): boolean {
  const slowest = { ...manners, limitShare: ((manners.limitShare * LEAST_SHARE) / 100) * pace };
  return what !== 'harsh-cornering' || nextBend(route, startM + wayM, slowest, rateMps2) !== undefined;
}

/** The moves to the next red light, or to the end of the room. The lights before a bend that is to be taken sharply are green. */
function hopFrom(
  alongM: number,
  roomM: number,
  manners: Manners,
  { maneuver }: Intent,
  { route, chance }: Circumstances,
): readonly Move[] {
  const bend =
    maneuver?.what === 'harsh-cornering' ? nextBend(route, alongM, manners, maneuver.rateMps2) : undefined;
  const wayM = wayToStop(route, alongM, (_corner, aheadM) => {
    const isRed = chance.whole(1, 100) <= limits.redPercent;
    return isRed && (bend === undefined || alongM + aheadM >= bend.toM);
  });
  return movesOver(route, { alongM, fromMps: 0, wayM: Math.min(wayM, roomM) }, manners);
}

/** Asking for what is so already changes nothing: it must not make a driver wait at the light once more. */
function same<T extends object>(a: T, b: T): boolean {
  return (Object.keys(a) as (keyof T)[]).every((name) => a[name] === b[name]);
}

/** The immobilizer, an open seat and a plug hold a standing vehicle; a lock only one that nobody has started. */
export function mayDrive(switches: Switches): boolean {
  const { drivingEnabled, doorOpen, compartmentLocked, ignitionOn, locked, pluggedIn } = switches;
  return drivingEnabled && !doorOpen && compartmentLocked && !pluggedIn && (ignitionOn || !locked);
}

function mustStop(switches: Switches, intent: Intent): boolean {
  return intent.wish === 'rest' || intent.openDoor || intent.switchOff || !switches.drivingEnabled;
}
