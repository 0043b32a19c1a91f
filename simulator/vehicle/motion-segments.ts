import { spotAt } from '../routes/route.ts';
import type { DriveContext, Switches } from './driving/journey.ts';
import type { Move } from './driving/moves.ts';
import { type EngineState, fillingUp, isOutOfEnergy, untilFullS } from './energy/energy.ts';
import { idleEndS, type MotionSegment, type PhysicalState } from './motion-segment.ts';
import type { Air } from './surroundings/air.ts';

type AirSource = Pick<DriveContext, 'weather' | 'madeMs' | 'route' | 'startM'>;

function segmentOf(
  from: PhysicalState,
  engine: EngineState,
  untilS: number,
  context: DriveContext,
): MotionSegment {
  const air = engine === 'running' ? undefined : airOf(from, context);
  return { from, engine, untilS, move: undefined, air };
}

/** The air around the vehicle at this state. */
export function airOf({ wayM }: Pick<PhysicalState, 'wayM'>, context: AirSource): Air {
  const { weather, madeMs, route, startM } = context;
  return { weather, madeMs, place: spotAt(route, startM + wayM) };
}

/** A segment that drives this move. */
export function moving(from: PhysicalState, move: Move, context: DriveContext): MotionSegment {
  return { ...segmentOf(from, 'running', from.atS + move.durationS, context), move };
}

/** A segment at a standstill with the engine running, for this time. */
export function waiting(from: PhysicalState, durationS: number, context: DriveContext): MotionSegment {
  return segmentOf(from, 'running', from.atS + durationS, context);
}

/** A segment of refuelling or charging, until there is enough to continue. */
export function filling(from: PhysicalState, context: DriveContext): MotionSegment {
  const { engine, durationS } = fillingUp(from, context.model);
  return segmentOf(from, engine, from.atS + durationS, context);
}

/** A segment at rest, until an intervention or until the fuel is used up at idle. */
export function resting(from: PhysicalState, switches: Switches, context: DriveContext): MotionSegment {
  const chargingS = switches.pluggedIn ? untilFullS(from, context.model) : 0;
  if (chargingS > 0) return segmentOf(from, 'charging', from.atS + chargingS, context);
  if (!switches.ignitionOn) return segmentOf(from, 'off', Number.POSITIVE_INFINITY, context);
  if (!switches.drivingEnabled || switches.pluggedIn || isOutOfEnergy(from)) {
    return segmentOf(from, 'ignition', Number.POSITIVE_INFINITY, context);
  }
  return segmentOf(from, 'running', idleEndS(from, context.model), context);
}
