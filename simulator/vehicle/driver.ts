import type { VehicleModel } from '../../protocol/models/model.ts';
import type { Stream } from '../../world/random.ts';
import type { Route } from '../routes/route.ts';
import { hop, type Manners, type Move, stopping } from './hop.ts';
import { limits } from './limits.ts';
import { type Condition, during, type Engine, fillingRate, idleEndS, type Stretch } from './stretch.ts';

/** What is switched in the vehicle. An open door is never locked. */
export interface Switches {
  readonly ignitionOn: boolean;
  readonly doorOpen: boolean;
  readonly locked: boolean;
  readonly drivingEnabled: boolean;
}

/** What the driver wants; the errands are done at the next standstill. */
export interface Intent {
  readonly wish: 'drive' | 'rest';
  readonly switchOff: boolean;
  readonly openDoor: boolean;
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
}

/** What does not change about a vehicle. */
export interface Circumstances {
  readonly model: VehicleModel;
  readonly route: Route;
  /** Where on the loop the way began. */
  readonly startM: number;
  readonly manners: Manners;
  readonly chance: Stream;
  readonly ambientC: (atS: number) => number;
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
  const { move } = journey.stretch;
  if (move !== undefined) {
    const stopsAlready = journey.ahead.length === 0 && move.kind === 'brake';
    if (stopsAlready || !mustStop(switches, intent)) return changed;
  }
  const condition = during(journey.stretch, atS, around.model);
  return decide({ ...changed, condition, waited: false }, around);
}

/** The journey after the central lock has moved: only one who waits outside minds. */
export function relocked(journey: Journey, atS: number, locked: boolean, around: Circumstances): Journey {
  if (journey.stretch.engine === 'off') return intervened(journey, atS, { switches: { locked } }, around);
  return { ...journey, switches: { ...journey.switches, locked } };
}

/** A vehicle that stands at the beginning of its way. */
export function standing(
  condition: Condition,
  switches: Switches,
  wish: Intent['wish'],
  around: Circumstances,
): Journey {
  const intent = { wish, switchOff: false, openDoor: false };
  return decide({ switches, intent, ahead: [], condition, waited: switches.ignitionOn }, around);
}

interface Situation {
  readonly switches: Switches;
  readonly intent: Intent;
  readonly ahead: readonly Move[];
  readonly condition: Condition;
  /** The driver has waited at the light already. */
  readonly waited: boolean;
}

function decide(situation: Situation, around: Circumstances): Journey {
  const { condition, switches, intent } = situation;
  const stops = mustStop(switches, intent);
  const isMoving = condition.speedMps > 0;
  const [next, ...rest] = stops ? [stopping(condition.speedMps)] : situation.ahead;
  if (next === undefined || (stops && !isMoving)) return decideAtStandstill(situation, around);
  return { switches, intent, ahead: stops ? [] : rest, stretch: moving(condition, next, around) };
}

function decideAtStandstill(
  { switches: before, intent: wanted, condition, waited }: Situation,
  around: Circumstances,
): Journey {
  const switches = {
    ...before,
    ignitionOn: before.ignitionOn && !wanted.switchOff,
    doorOpen: before.doorOpen || (wanted.openDoor && !before.locked),
  };
  const intent = { wish: wanted.wish, switchOff: false, openDoor: false };
  const journey = { switches, intent, ahead: [] };
  const { model, chance } = around;
  if (intent.wish === 'rest' || !mayDrive(switches) || condition.energy <= 0) {
    return { ...journey, stretch: resting(condition, switches, around) };
  }
  if (condition.energy < (model.body.energyCapacity * limits.lowEnergyPercent) / 100) {
    const off = { ...switches, ignitionOn: false };
    return { ...journey, switches: off, stretch: filling(condition, around) };
  }
  if (!switches.ignitionOn) {
    const on = { ...switches, ignitionOn: true };
    return { ...journey, switches: on, stretch: waiting(condition, limits.startS, around) };
  }
  if (!waited) {
    const redS = chance.whole(limits.shortestRedS * 10, limits.longestRedS * 10) / 10;
    return { ...journey, stretch: waiting(condition, redS, around) };
  }
  const isRed = () => chance.whole(1, 100) <= limits.redPercent;
  // Nobody drives two hops alike.
  const limitShare = (around.manners.limitShare * chance.whole(92, 100)) / 100;
  const manners = { ...around.manners, limitShare };
  const [first, ...rest] = hop(around.route, around.startM + condition.wayM, manners, isRed);
  if (first === undefined) return { ...journey, stretch: waiting(condition, limits.shortestRedS, around) };
  return { ...journey, ahead: rest, stretch: moving(condition, first, around) };
}

/** Asking for what is so already changes nothing: it must not make a driver wait at the light once more. */
function same<T extends object>(a: T, b: T): boolean {
  return (Object.keys(a) as (keyof T)[]).every((name) => a[name] === b[name]);
}

/** The immobilizer holds a standing vehicle; a lock only one that nobody has started. */
function mayDrive(switches: Switches): boolean {
  return switches.drivingEnabled && !switches.doorOpen && (switches.ignitionOn || !switches.locked);
}

function mustStop(switches: Switches, intent: Intent): boolean {
  return intent.wish === 'rest' || intent.openDoor || intent.switchOff || !switches.drivingEnabled;
}

function stretchOf(from: Condition, engine: Engine, untilS: number, around: Circumstances): Stretch {
  return { from, engine, untilS, move: undefined, ambientC: around.ambientC(from.atS) };
}

function moving(from: Condition, move: Move, around: Circumstances): Stretch {
  return { ...stretchOf(from, 'running', from.atS + move.durationS, around), move };
}

function waiting(from: Condition, durationS: number, around: Circumstances): Stretch {
  return stretchOf(from, 'running', from.atS + durationS, around);
}

function filling(from: Condition, around: Circumstances): Stretch {
  const { model } = around;
  const missing = (model.body.energyCapacity * limits.filledPercent) / 100 - from.energy;
  return stretchOf(from, 'filling', from.atS + missing / fillingRate(model), around);
}

function resting(from: Condition, switches: Switches, around: Circumstances): Stretch {
  if (!switches.ignitionOn) return stretchOf(from, 'off', Number.POSITIVE_INFINITY, around);
  if (!switches.drivingEnabled || from.energy <= 0) {
    return stretchOf(from, 'ignition', Number.POSITIVE_INFINITY, around);
  }
  return stretchOf(from, 'running', idleEndS(from, around.model), around);
}
