import type { VehicleModel } from '../../protocol/models/model.ts';
import { clamp, exp } from '../arithmetic.ts';
import { type Air, airAroundC } from './air.ts';
import { type Engine, idleS, type Stores, storesAfter } from './energy.ts';
import type { Move } from './hop.ts';
import { engineHelpsWith } from './hybrid.ts';
import { limits } from './limits.ts';

/** What flows and moves in a vehicle, at one moment. Times are seconds since the vehicle was made. */
export interface Condition extends Stores {
  readonly atS: number;
  /** Way travelled since the vehicle was made. */
  readonly wayM: number;
  readonly speedMps: number;
  readonly coolantC: number;
  readonly backupPercent: number;
  /** When the generator last charged the low-voltage net. */
  readonly chargedS: number;
  /** How often it has been filled up on the way. */
  readonly fillings: number;
}

/** A time in which nothing changes but by closed formulas: one move, or standing. */
export interface Stretch {
  readonly from: Condition;
  readonly engine: Engine;
  readonly move: Move | undefined;
  /** Infinite where nothing ends it but an intervention. */
  readonly untilS: number;
  /** Around it; undefined while the engine runs and keeps its own warmth. */
  readonly air: Air | undefined;
}

/** More is used while accelerating, little while braking. No recuperation: energy never rises while driving. */
const MOVE_FACTORS = { accelerate: 1.9, cruise: 0.85, brake: 0.25 } as const;

/** The condition at `atS`; before the stretch that of its beginning, after it that of its end. */
export function during(stretch: Stretch, atS: number, model: VehicleModel): Condition {
  const { from, engine } = stretch;
  const elapsedS = clamp(atS, from.atS, stretch.untilS) - from.atS;
  const { wayM, speedMps } = travelled(stretch, elapsedS);
  const running = engine === 'running';
  const share = stretch.move === undefined ? 0 : MOVE_FACTORS[stretch.move.kind];
  const engineHelps = engineHelpsWith(stretch.move);
  const { energy, tractionKwh } = storesAfter(from, { engine, elapsedS, wayM, share, engineHelps }, model);
  const isFilled = engine === 'filling' && from.atS + elapsedS >= stretch.untilS;
  return {
    atS: from.atS + elapsedS,
    wayM: from.wayM + wayM,
    speedMps,
    energy,
    tractionKwh,
    coolantC: coolantC(stretch, elapsedS, model),
    backupPercent: running
      ? Math.min(from.backupPercent + elapsedS * limits.backupPercentPerS, 100)
      : from.backupPercent,
    // The plug feeds the low-voltage net too.
    chargedS: running || engine === 'charging' ? from.atS + elapsedS : from.chargedS,
    fillings: isFilled ? from.fillings + 1 : from.fillings,
  };
}

/** What of a stretch its way follows from. */
export type Travelled = Pick<Stretch, 'move' | 'untilS'> & { readonly from: Pick<Condition, 'atS' | 'wayM'> };

/**
 * Way and speed so many seconds after the stretch began: v = v₀ + at, s = v₀t + at²/2; at the end of the move exactly
 * its length and its last speed.
 */
export function travelled(
  { move, from, untilS }: Travelled,
  elapsedS: number,
): { readonly wayM: number; readonly speedMps: number } {
  if (move === undefined) return { wayM: 0, speedMps: 0 };
  if (from.atS + elapsedS >= untilS) return { wayM: move.lengthM, speedMps: move.toMps };
  const rate = move.durationS === 0 ? 0 : (move.toMps - move.fromMps) / move.durationS;
  const [slow, fast] = [Math.min(move.fromMps, move.toMps), Math.max(move.fromMps, move.toMps)];
  return {
    wayM: clamp(move.fromMps * elapsedS + (rate * elapsedS * elapsedS) / 2, 0, move.lengthM),
    speedMps: clamp(move.fromMps + rate * elapsedS, slow, fast),
  };
}

/** How long a standing vehicle with the engine running lasts. */
export function idleEndS(condition: Condition, model: VehicleModel): number {
  return condition.atS + idleS(condition, model);
}

/** Running it becomes as warm as it should be; standing it comes as near to the air as time allows, and follows it. */
function coolantC({ from, air }: Stretch, elapsedS: number, model: VehicleModel): number {
  if (air === undefined) {
    const target = warmth(model);
    return target + (from.coolantC - target) * exp(-elapsedS / limits.warmingS);
  }
  const above = from.coolantC - airAroundC(air, from.atS);
  // Most vehicles stand parked for long, and are as cold as the air.
  const left = above === 0 ? 0 : above * exp(-elapsedS / limits.coolingS);
  return airAroundC(air, from.atS + elapsedS) + left;
}

function warmth(model: VehicleModel): number {
  return model.fuelType === 'ELECTRIC' ? limits.warmDriveC : limits.warmEngineC;
}
