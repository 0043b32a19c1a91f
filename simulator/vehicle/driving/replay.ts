import { hasPart } from '../../../protocol/models/model.ts';
import type { RecordedLeg } from '../../routes/recorded-drive.ts';
import type { MotionSegment, PhysicalState, RecordedReadings } from '../motion-segment.ts';
import { airOf, resting } from '../motion-segments.ts';
import type { DriveContext, Journey } from './journey.ts';
import type { Move } from './moves.ts';

/** A change of speed that is more than keeping it, in m/s². */
const STEADY_MPS2 = 0.2;

/** A journey that replays nothing, or whose segment is to be replaced. */
type Before = Omit<Journey, 'segment' | 'leg'>;

/** The journey as it begins to replay the drive of its route, at whose beginning the vehicle is. */
export function replayedFrom(journey: Before, physicalState: PhysicalState, context: DriveContext): Journey {
  const percent = context.route.drive?.fromEnergyPercent;
  const { energyCapacity } = context.model.body;
  const from =
    percent === undefined ? physicalState : { ...physicalState, energy: (percent / 100) * energyCapacity };
  return atLeg(journey, 0, from, context);
}

/** The journey after a leg: the next one, or parked where the drive ends. */
export function replayedAfter(
  { leg = 0, segment: _segment, ...journey }: Journey,
  physicalState: PhysicalState,
  context: DriveContext,
): Journey {
  return atLeg(journey, leg + 1, physicalState, context);
}

/** Whether this change of a vehicle ends its replay: it is to stop, or is held. */
export function isReplayBroken(
  before: Journey,
  { switches, intent }: Pick<Journey, 'switches' | 'intent'>,
): boolean {
  const isHeld =
    !switches.drivingEnabled || switches.doorOpen || !switches.compartmentLocked || switches.pluggedIn;
  const isAsked = intent.wish === 'rest' || intent.openDoor || intent.switchOff;
  return isHeld || isAsked || switches.ignitionOn !== before.switches.ignitionOn;
}

/** The journey without its replay: the driver decides the next moves. */
export function withoutReplay({ leg: _leg, ...journey }: Journey): Journey {
  return journey;
}

function atLeg(journey: Before, index: number, physicalState: PhysicalState, context: DriveContext): Journey {
  const leg = context.route.drive?.legs[index];
  if (leg === undefined) return parked(journey, { ...physicalState, speedMps: 0 }, context);
  const switches = {
    ...journey.switches,
    ignitionOn: leg.ignitionOn,
    standExtended: !leg.ignitionOn && hasPart(context.model, 'standExtended'),
  };
  const from = { ...physicalState, speedMps: leg.fromMps };
  return { ...journey, ahead: [], switches, leg: index, segment: segmentOf(leg, from, context) };
}

function segmentOf(leg: RecordedLeg, from: PhysicalState, context: DriveContext): MotionSegment {
  const untilS = from.atS + leg.durationS;
  const { rpm, toEnergyPercent } = leg;
  const { energyCapacity } = context.model.body;
  const recorded: RecordedReadings = {
    fromS: from.atS,
    untilS,
    ...(rpm === undefined ? {} : { rpm }),
    ...(toEnergyPercent === undefined
      ? {}
      : { energy: [from.energy, (toEnergyPercent / 100) * energyCapacity] as const }),
  };
  return {
    from,
    untilS,
    recorded,
    engine: leg.ignitionOn ? 'running' : 'off',
    move: leg.lengthM > 0 ? moveOf(leg) : undefined,
    air: leg.ignitionOn ? undefined : airOf(from, context),
  };
}

function moveOf({ durationS, fromMps, toMps, lengthM }: RecordedLeg): Move {
  const rate = (toMps - fromMps) / durationS;
  const kind = rate > STEADY_MPS2 ? 'accelerate' : rate < -STEADY_MPS2 ? 'brake' : 'cruise';
  return { kind, fromMps, toMps, lengthM, durationS, isScaled: true };
}

function parked(journey: Before, physicalState: PhysicalState, context: DriveContext): Journey {
  const switches = {
    ...journey.switches,
    ignitionOn: false,
    standExtended: hasPart(context.model, 'standExtended'),
  };
  const intent = { ...journey.intent, wish: 'rest' as const, switchOff: false, openDoor: false };
  return { ...journey, ahead: [], switches, intent, segment: resting(physicalState, switches, context) };
}
