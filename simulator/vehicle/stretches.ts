import { spotAt } from '../routes/route.ts';
import type { Air } from './air.ts';
import type { Circumstances, Switches } from './driver.ts';
import { type Engine, fillingUp, isSpent, untilFullS } from './energy.ts';
import type { Move } from './hop.ts';
import { type Condition, idleEndS, type Stretch } from './stretch.ts';

type AirSource = Pick<Circumstances, 'weather' | 'madeMs' | 'route' | 'startM'>;

function stretchOf(from: Condition, engine: Engine, untilS: number, around: Circumstances): Stretch {
  const air = engine === 'running' ? undefined : airOf(from, around);
  return { from, engine, untilS, move: undefined, air };
}

/** The air where the vehicle is then. */
export function airOf({ wayM }: Pick<Condition, 'wayM'>, around: AirSource): Air {
  const { weather, madeMs, route, startM } = around;
  return { weather, madeMs, place: spotAt(route, startM + wayM) };
}

/** Under way with that move. */
export function moving(from: Condition, move: Move, around: Circumstances): Stretch {
  return { ...stretchOf(from, 'running', from.atS + move.durationS, around), move };
}

/** Standing with the engine running, for that long. */
export function waiting(from: Condition, durationS: number, around: Circumstances): Stretch {
  return stretchOf(from, 'running', from.atS + durationS, around);
}

/** At the pump or the charger, until it is full enough to go on. */
export function filling(from: Condition, around: Circumstances): Stretch {
  const { engine, durationS } = fillingUp(from, around.model);
  return stretchOf(from, engine, from.atS + durationS, around);
}

/** Standing until somebody does something, or the fuel is used up at idle. */
export function resting(from: Condition, switches: Switches, around: Circumstances): Stretch {
  const chargingS = switches.pluggedIn ? untilFullS(from, around.model) : 0;
  if (chargingS > 0) return stretchOf(from, 'charging', from.atS + chargingS, around);
  if (!switches.ignitionOn) return stretchOf(from, 'off', Number.POSITIVE_INFINITY, around);
  if (!switches.drivingEnabled || switches.pluggedIn || isSpent(from)) {
    return stretchOf(from, 'ignition', Number.POSITIVE_INFINITY, around);
  }
  return stretchOf(from, 'running', idleEndS(from, around.model), around);
}
