import type { VehicleModel } from '../../protocol/models/model.ts';
import { clamp, exp } from '../arithmetic.ts';
import type { Move } from './driving/moves.ts';
import { type EnergyStores, type EngineState, idleS, storesAfter } from './energy/energy.ts';
import { engineHelpsWith } from './energy/hybrid.ts';
import { limits } from './limits.ts';
import { type Air, airAroundC } from './surroundings/air.ts';

/** The continuous quantities of a vehicle at one moment. Times are seconds since the vehicle was made. */
export interface PhysicalState extends EnergyStores {
  readonly atS: number;
  /** Distance travelled since the vehicle was made. */
  readonly wayM: number;
  readonly speedMps: number;
  readonly coolantC: number;
  readonly backupPercent: number;
  /** When the generator last charged the low-voltage system. */
  readonly chargedS: number;
  /** How often it has been refuelled on the way. */
  readonly fillings: number;
}

/** A period in which everything follows closed formulas: one move, or a standstill. */
export interface MotionSegment {
  readonly from: PhysicalState;
  readonly engine: EngineState;
  readonly move: Move | undefined;
  /** Infinite if only an intervention ends it. */
  readonly untilS: number;
  /** The air around it; undefined while the engine runs and keeps itself warm. */
  readonly air: Air | undefined;
  /** The recorded readings of this period; absent: everything follows from the motion. */
  readonly recorded?: RecordedReadings;
}

/** Readings that change evenly over a period, independently of the motion. */
export interface RecordedReadings {
  readonly fromS: number;
  readonly untilS: number;
  /** Engine revolutions per minute; absent: as the model has them. */
  readonly rpm?: readonly [from: number, to: number];
  /** Litres or kilowatt-hours at both ends; absent: it follows from the way. */
  readonly energy?: readonly [from: number, to: number];
}

/** A recorded reading at that time. */
export function recordedAt(
  { fromS, untilS }: RecordedReadings,
  [from, to]: readonly [from: number, to: number],
  atS: number,
): number {
  return from + (to - from) * (untilS > fromS ? clamp((atS - fromS) / (untilS - fromS), 0, 1) : 1);
}

/**
 * More is used while accelerating, little while braking. No recuperation: energy never rises while driving.
 */
const MOVE_FACTORS = { accelerate: 1.9, cruise: 0.85, brake: 0.25 } as const;

/** The state at `atS`; before the segment that of its beginning, after it that of its end. */
export function physicalStateAt(segment: MotionSegment, atS: number, model: VehicleModel): PhysicalState {
  const { from, engine } = segment;
  const elapsedS = clamp(atS, from.atS, segment.untilS) - from.atS;
  const { wayM, speedMps } = travelled(segment, elapsedS);
  const running = engine === 'running';
  const share = segment.move === undefined ? 0 : MOVE_FACTORS[segment.move.kind];
  const engineHelps = engineHelpsWith(segment.move);
  const { energy, tractionKwh } = storesAfter(from, { engine, elapsedS, wayM, share, engineHelps }, model);
  const { recorded } = segment;
  const isFilled = engine === 'filling' && from.atS + elapsedS >= segment.untilS;
  return {
    atS: from.atS + elapsedS,
    wayM: from.wayM + wayM,
    speedMps,
    energy:
      recorded?.energy === undefined ? energy : recordedAt(recorded, recorded.energy, from.atS + elapsedS),
    tractionKwh,
    coolantC: coolantC(segment, elapsedS, model),
    backupPercent: running
      ? Math.min(from.backupPercent + elapsedS * limits.backupPercentPerS, 100)
      : from.backupPercent,
    // The plug also charges the low-voltage system.
    chargedS: running || engine === 'charging' ? from.atS + elapsedS : from.chargedS,
    fillings: isFilled ? from.fillings + 1 : from.fillings,
  };
}

/** The part of a segment that determines the distance. */
export type Travelled = Pick<MotionSegment, 'move' | 'untilS'> & {
  readonly from: Pick<PhysicalState, 'atS' | 'wayM'>;
};

/**
 * Distance and speed this many seconds after the segment began: v = v₀ + at, s = v₀t + at²/2; at the end of the move
 * exactly its length and its last speed. A scaled move has its own length: the distance grows in proportion to the
 * speed.
 */
export function travelled(
  { move, from, untilS }: Travelled,
  elapsedS: number,
): { readonly wayM: number; readonly speedMps: number } {
  if (move === undefined) return { wayM: 0, speedMps: 0 };
  if (from.atS + elapsedS >= untilS) return { wayM: move.lengthM, speedMps: move.toMps };
  const rate = move.durationS === 0 ? 0 : (move.toMps - move.fromMps) / move.durationS;
  const [slow, fast] = [Math.min(move.fromMps, move.toMps), Math.max(move.fromMps, move.toMps)];
  if (move.isScaled === true) {
    const meanMps = (move.fromMps + move.toMps) / 2;
    const done = move.fromMps * elapsedS + (rate * elapsedS * elapsedS) / 2;
    const share = meanMps > 0 ? done / (meanMps * move.durationS) : elapsedS / move.durationS;
    return {
      wayM: move.lengthM * clamp(share, 0, 1),
      speedMps: clamp(move.fromMps + rate * elapsedS, slow, fast),
    };
  }
  return {
    wayM: clamp(move.fromMps * elapsedS + (rate * elapsedS * elapsedS) / 2, 0, move.lengthM),
    speedMps: clamp(move.fromMps + rate * elapsedS, slow, fast),
  };
}

/** When a stationary vehicle with the engine running has used up its energy. */
export function idleEndS(physicalState: PhysicalState, model: VehicleModel): number {
  return physicalState.atS + idleS(physicalState, model);
}

/**
 * While running it warms up to its nominal temperature; at rest it cools down towards the air, and follows
 * it.
 */
function coolantC({ from, air }: MotionSegment, elapsedS: number, model: VehicleModel): number {
  if (air === undefined) {
    const target = warmth(model);
    return target + (from.coolantC - target) * exp(-elapsedS / limits.warmingS);
  }
  const above = from.coolantC - airAroundC(air, from.atS);
  // Most vehicles are parked for long, and are as cold as the air.
  const left = above === 0 ? 0 : above * exp(-elapsedS / limits.coolingS);
  return airAroundC(air, from.atS + elapsedS) + left;
}

function warmth(model: VehicleModel): number {
  return model.fuelType === 'ELECTRIC' ? limits.warmDriveC : limits.warmEngineC;
}
