import { hasPart } from '../../../protocol/models/model.ts';
import { isOutOfEnergy, needsRefill } from '../energy/energy.ts';
import { limits } from '../limits.ts';
import { type MotionSegment, type PhysicalState, physicalStateAt } from '../motion-segment.ts';
import { filling, moving, resting, waiting } from '../motion-segments.ts';
import type { DriveContext, DriverChange, DriverIntent, Journey, Switches } from './journey.ts';
import { type Maneuver, nextBend, type Replanned, replanned } from './maneuver.ts';
import { type DrivingStyle, isAtLight, type Move, movesOver, stopping, wayToStop } from './moves.ts';
import { isReplayBroken, replayedAfter, replayedFrom, withoutReplay } from './replay.ts';

/** The journey after its segment has ended. */
export function afterSegment(journey: Journey, context: DriveContext): Journey {
  const physicalState = physicalStateAt(journey.segment, journey.segment.untilS, context.model);
  if (journey.leg !== undefined) return replayedAfter(journey, physicalState, context);
  const waited = journey.segment.move === undefined && journey.segment.engine === 'running';
  return decide({ ...journey, physicalState, waited }, context);
}

/** The journey after a change of a switch or of the driver's intention at `atS`. */
export function afterChange(
  journey: Journey,
  atS: number,
  change: DriverChange,
  context: DriveContext,
): Journey {
  const switches = { ...journey.switches, ...change.switches };
  const intent = { ...journey.intent, ...change.intent };
  if (same(switches, journey.switches) && same(intent, journey.intent)) return journey;
  const changed = { ...journey, switches, intent };
  if (journey.leg !== undefined) {
    if (!isReplayBroken(journey, changed)) return changed;
    const now = physicalStateAt(journey.segment, atS, context.model);
    // A recorded drive cannot be resumed elsewhere: a driver who aborts it rests.
    const rests = { ...withoutReplay(changed), intent: { ...intent, wish: 'rest' as const } };
    return decide({ ...rests, physicalState: now, waited: false }, context);
  }
  // A driver at a light whose intention concerns the way ahead continues to wait.
  const { pace, maneuver } = journey.intent;
  const isOfTheWay = same(switches, journey.switches) && same({ ...intent, pace, maneuver }, journey.intent);
  if (isOfTheWay && journey.segment.move === undefined) return changed;
  const { move } = journey.segment;
  if (move !== undefined) {
    const stopsAlready = journey.ahead.length === 0 && move.kind === 'brake' && move.toMps === 0;
    if (mustStop(switches, intent)) {
      if (stopsAlready) return changed;
    } else {
      // A driver under way immediately performs the actions that are possible while driving.
      return (
        maneuvering(
          { ...changed, physicalState: physicalStateAt(journey.segment, atS, context.model) },
          context,
        ) ?? changed
      );
    }
  }
  const physicalState = physicalStateAt(journey.segment, atS, context.model);
  return decide({ ...changed, physicalState, waited: false }, context);
}

/** The journey with the maneuver begun, or undefined where none is wanted or the vehicle is too slow for it. */
function maneuvering(
  { switches, intent, style, ...rest }: Omit<Situation, 'waited'> & { readonly segment?: MotionSegment },
  context: DriveContext,
): Journey | undefined {
  if (intent.maneuver === undefined) return undefined;
  const { physicalState } = rest;
  const done = rest.segment === undefined ? 0 : physicalState.wayM - rest.segment.from.wayM;
  const wayM =
    (rest.segment?.move?.lengthM ?? 0) - done + rest.ahead.reduce((sum, move) => sum + move.lengthM, 0);
  const alongM = context.startM + physicalState.wayM;
  const drive = { alongM, fromMps: physicalState.speedMps, wayM };
  const plan: Replanned | undefined = replanned(context.route, drive, style, intent.maneuver);
  const [first, ...ahead] = plan?.moves ?? [];
  if (first === undefined) return undefined;
  const withoutManeuver = { ...intent, maneuver: undefined };
  return { switches, intent: withoutManeuver, style, ahead, segment: moving(physicalState, first, context) };
}

/** The journey of a stationary vehicle that has been filled up, charged, or given other batteries at `atS`. */
export function afterSupply(
  journey: Journey,
  atS: number,
  stores: Partial<PhysicalState>,
  context: DriveContext,
): Journey {
  const condition = { ...physicalStateAt(journey.segment, atS, context.model), ...stores };
  if (journey.leg !== undefined) return { ...journey, segment: { ...journey.segment, from: condition } };
  return decide({ ...journey, physicalState: condition, waited: false }, context);
}

/** The journey after a switch that does not affect the driver. */
export function withSwitches(journey: Journey, change: Partial<Switches>): Journey {
  return { ...journey, switches: { ...journey.switches, ...change } };
}

/** The journey after the central lock has moved: it only affects a driver who waits outside. */
export function afterLocking(journey: Journey, atS: number, locked: boolean, context: DriveContext): Journey {
  if (journey.segment.engine === 'off') return afterChange(journey, atS, { switches: { locked } }, context);
  return withSwitches(journey, { locked });
}

/** A vehicle that is stationary at the beginning of its way. */
export function standingJourney(
  physicalState: PhysicalState,
  switches: Switches,
  { wish, pace = 1 }: { readonly wish: DriverIntent['wish']; readonly pace?: number | undefined },
  context: DriveContext,
): Journey {
  const intent = { wish, switchOff: false, openDoor: false, pace, maneuver: undefined };
  const { style } = context;
  return decide({ switches, intent, style, ahead: [], physicalState, waited: switches.ignitionOn }, context);
}

/** A driver's remaining speed on a slow day, in percent. */
const LEAST_SHARE = 92;

interface Situation {
  readonly switches: Switches;
  readonly intent: DriverIntent;
  readonly ahead: readonly Move[];
  readonly style: DrivingStyle;
  readonly physicalState: PhysicalState;
  /** The driver has waited at the light already. */
  readonly waited: boolean;
}

function decide(situation: Situation, context: DriveContext): Journey {
  const { physicalState, switches, intent } = situation;
  const stops = mustStop(switches, intent);
  const isMoving = physicalState.speedMps > 0;
  if (isMoving && !stops) {
    const { switches, intent, style, ahead } = situation;
    const begun = maneuvering({ switches, intent, style, ahead, physicalState }, context);
    if (begun !== undefined) return begun;
  }
  const [next, ...rest] = stops ? [stopping(physicalState.speedMps)] : situation.ahead;
  if (next === undefined || (stops && !isMoving)) return decideAtStandstill(situation, context);
  const { style } = situation;
  return { switches, intent, style, ahead: stops ? [] : rest, segment: moving(physicalState, next, context) };
}

function decideAtStandstill(
  { switches: before, intent: wanted, physicalState, waited, style: last }: Situation,
  context: DriveContext,
): Journey {
  const { model, chance } = context;
  const isParking = before.ignitionOn && wanted.switchOff;
  const switches = {
    ...before,
    ignitionOn: before.ignitionOn && !wanted.switchOff,
    doorOpen: before.doorOpen || (wanted.openDoor && !before.locked && model.body.doors > 0),
    standExtended: before.standExtended || (isParking && hasPart(model, 'standExtended')),
  };
  const { wish, pace } = wanted;
  // A resting driver drops the intentions for the way.
  const maneuver = wish === 'rest' ? undefined : wanted.maneuver;
  const intent = { wish, switchOff: false, openDoor: false, pace, maneuver };
  const journey = { switches, intent, style: last, ahead: [] };
  if (intent.wish === 'drive' && mayDrive(switches) && context.route.drive !== undefined) {
    return replayedFrom(journey, physicalState, context);
  }
  if (intent.wish === 'rest' || !mayDrive(switches) || isOutOfEnergy(physicalState)) {
    return { ...journey, segment: resting(physicalState, switches, context) };
  }
  if (needsRefill(physicalState, model)) {
    const off = { ...switches, ignitionOn: false, standExtended: hasPart(model, 'standExtended') };
    return { ...journey, switches: off, segment: filling(physicalState, context) };
  }
  if (!switches.ignitionOn) {
    const on = { ...switches, ignitionOn: true, standExtended: false };
    return { ...journey, switches: on, segment: waiting(physicalState, limits.startS, context) };
  }
  if (!waited) {
    // A driver who waits behind another one, and not at a light, continues with it.
    const queues =
      context.roomM !== undefined && !isAtLight(context.route, context.startM + physicalState.wayM);
    const redS = queues
      ? limits.queueS
      : chance.whole(limits.shortestRedS * 10, limits.longestRedS * 10) / 10;
    return { ...journey, segment: waiting(physicalState, redS, context) };
  }
  const roomM = context.roomM?.(physicalState.atS) ?? Number.POSITIVE_INFINITY;
  if (roomM <= 0) return { ...journey, segment: waiting(physicalState, limits.queueS, context) };
  // No two drives of a driver are equal.
  const limitShare = ((context.style.limitShare * chance.whole(LEAST_SHARE, 100)) / 100) * pace;
  const style = { ...context.style, limitShare };
  const [first, ...rest] = nextMoves(context.startM + physicalState.wayM, roomM, style, intent, context);
  if (first === undefined)
    return { ...journey, segment: waiting(physicalState, limits.shortestRedS, context) };
  // A vehicle on its stand does not move off.
  const ready = { ...switches, standExtended: false };
  return { ...journey, style, switches: ready, ahead: rest, segment: moving(physicalState, first, context) };
}

/** Whether the route allows the maneuver, at that pace: braking needs nothing, cornering a bend. */
export function isManeuverPossible(
  { what, rateMps2 }: Maneuver,
  { route, startM, style }: DriveContext,
  wayM: number,
  pace: number,
): boolean {
  const slowest = { ...style, limitShare: ((style.limitShare * LEAST_SHARE) / 100) * pace };
  return what !== 'harsh-cornering' || nextBend(route, startM + wayM, slowest, rateMps2) !== undefined;
}

/** The moves to the next red light, or to the end of the room. The lights before a bend that is to be taken sharply are green. */
function nextMoves(
  alongM: number,
  roomM: number,
  style: DrivingStyle,
  { maneuver }: DriverIntent,
  { route, chance }: DriveContext,
): readonly Move[] {
  const bend =
    maneuver?.what === 'harsh-cornering' ? nextBend(route, alongM, style, maneuver.rateMps2) : undefined;
  const wayM = wayToStop(route, alongM, (_corner, aheadM) => {
    const isRed = chance.whole(1, 100) <= limits.redPercent;
    return isRed && (bend === undefined || alongM + aheadM >= bend.toM);
  });
  return movesOver(route, { alongM, fromMps: 0, wayM: Math.min(wayM, roomM) }, style);
}

/** A request for the current state changes nothing: a driver must not wait at the light again. */
function same<T extends object>(a: T, b: T): boolean {
  return (Object.keys(a) as (keyof T)[]).every((name) => a[name] === b[name]);
}

/** The immobilizer, an open seat and a plug hold a stationary vehicle; a lock only one that is not started. */
export function mayDrive(switches: Switches): boolean {
  const { drivingEnabled, doorOpen, compartmentLocked, ignitionOn, locked, pluggedIn } = switches;
  return drivingEnabled && !doorOpen && compartmentLocked && !pluggedIn && (ignitionOn || !locked);
}

function mustStop(switches: Switches, intent: DriverIntent): boolean {
  return intent.wish === 'rest' || intent.openDoor || intent.switchOff || !switches.drivingEnabled;
}
