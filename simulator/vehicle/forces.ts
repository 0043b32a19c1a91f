import { corner, cornerBefore, onLoop, type Route } from '../routes/route.ts';
import { type MotionSegment, type Travelled, travelled } from './motion-segment.ts';

/** Standard gravity, in m/s². */
const GRAVITY_MPS2 = 9.80665;

/**
 * What an accelerometer measures along and across the vehicle, without gravity: forward positive, right
 * positive.
 */
export interface Acceleration {
  readonly longitudinalMg: number;
  readonly lateralMg: number;
}

/** The lowest and highest of both over a time; 0 is always between them. */
export interface AccelerationExtremes {
  readonly longitudinalMg: AccelerationSpan;
  readonly lateralMg: AccelerationSpan;
}

export type AccelerationSpan = readonly [lowest: number, highest: number];

export const NO_ACCELERATION: AccelerationExtremes = { longitudinalMg: [0, 0], lateralMg: [0, 0] };

/** `acceleration` in thousandths of gravity. */
export function milligravity(accelerationMps2: number): number {
  return (accelerationMps2 / GRAVITY_MPS2) * 1_000;
}

/** `mg` thousandths of gravity in m/s². */
export function fromMilligravity(mg: number): number {
  return (mg / 1_000) * GRAVITY_MPS2;
}

/** The acceleration in a segment at this speed and this curvature. */
export function accelerationOf(
  segment: MotionSegment,
  speedMps: number,
  curvaturePerM: number,
): Acceleration {
  return {
    longitudinalMg: milligravity(rateOf(segment)),
    lateralMg: milligravity(speedMps * speedMps * curvaturePerM),
  };
}

function rateOf({ move }: Pick<MotionSegment, 'move'>): number {
  return move === undefined || move.durationS === 0 ? 0 : (move.toMps - move.fromMps) / move.durationS;
}

/**
 * The extremes within a segment, between two times in it. Along the vehicle the acceleration is constant;
 * across it the highest speed in each bend counts, which is at one end of the driven part.
 */
export function extremesIn(
  segment: Travelled,
  way: { readonly route: Route; readonly startM: number },
  fromS: number,
  toS: number,
): AccelerationExtremes {
  if (segment.move === undefined || toS <= fromS) return NO_ACCELERATION;
  const begin = travelled(segment, fromS - segment.from.atS);
  const end = travelled(segment, toS - segment.from.atS);
  const longitudinal = milligravity(rateOf(segment));
  let lateralMg: AccelerationSpan = [0, 0];
  const startM = way.startM + segment.from.wayM;
  const wayM = end.wayM - begin.wayM;
  const [begin2, end2] = [begin.speedMps * begin.speedMps, end.speedMps * end.speedMps];
  const square = (aheadM: number) => (wayM > 0 ? begin2 + (end2 - begin2) * (aheadM / wayM) : begin2);
  for (const bend of bendsOn(way.route, startM + begin.wayM, wayM)) {
    const fastest = Math.max(square(bend.fromM), square(bend.toM));
    const mg = milligravity(fastest * bend.curvaturePerM);
    lateralMg = [Math.min(lateralMg[0], mg), Math.max(lateralMg[1], mg)];
  }
  return { longitudinalMg: [Math.min(longitudinal, 0), Math.max(longitudinal, 0)], lateralMg };
}

export interface BendPart {
  /** From the beginning of the distance. */
  readonly fromM: number;
  readonly toM: number;
  readonly curvaturePerM: number;
}

/** The parts of bends on `wayM` metres from `alongM`. */
export function bendsOn(route: Route, alongM: number, wayM: number): readonly BendPart[] {
  const bends: BendPart[] = [];
  const first = cornerBefore(route, alongM);
  // The corner behind is at or below 0, those ahead are above.
  let atM = corner(route, first).startM - onLoop(route, alongM);
  for (let index = first; ; index += 1) {
    const { roundingM, curvaturePerM, lengthM } = corner(route, index);
    if (atM - roundingM > wayM) return bends;
    const [fromM, toM] = [Math.max(atM - roundingM, 0), Math.min(atM + roundingM, wayM)];
    if (fromM <= toM && curvaturePerM !== 0) bends.push({ fromM, toM, curvaturePerM });
    atM += lengthM;
  }
}

/** The combined extremes of two periods. */
export function widened(a: AccelerationExtremes, b: AccelerationExtremes): AccelerationExtremes {
  return {
    longitudinalMg: both(a.longitudinalMg, b.longitudinalMg),
    lateralMg: both(a.lateralMg, b.lateralMg),
  };
}

function both(a: AccelerationSpan, b: AccelerationSpan): AccelerationSpan {
  return [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
}
