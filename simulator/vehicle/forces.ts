import { corner, cornerBefore, onLoop, type Route } from '../routes/route.ts';
import { type Stretch, type Travelled, travelled } from './stretch.ts';

/** Standard gravity, in m/s². */
const GRAVITY_MPS2 = 9.80665;

/** What an accelerometer feels along and across the vehicle, without gravity: forward positive, to the right positive. */
export interface Acceleration {
  readonly longitudinalMg: number;
  readonly lateralMg: number;
}

/** The lowest and highest of both over a time; 0 is always between them. */
export interface Extremes {
  readonly longitudinalMg: Span;
  readonly lateralMg: Span;
}

export type Span = readonly [lowest: number, highest: number];

export const AT_REST: Extremes = { longitudinalMg: [0, 0], lateralMg: [0, 0] };

/** `acceleration` in thousandths of gravity. */
export function milligravity(accelerationMps2: number): number {
  return (accelerationMps2 / GRAVITY_MPS2) * 1_000;
}

/** m/s² of so many thousandths of gravity. */
export function fromMilligravity(mg: number): number {
  return (mg / 1_000) * GRAVITY_MPS2;
}

/** The acceleration in a stretch at that speed where the way bends so much. */
export function accelerationOf(stretch: Stretch, speedMps: number, curvaturePerM: number): Acceleration {
  return {
    longitudinalMg: milligravity(rateOf(stretch)),
    lateralMg: milligravity(speedMps * speedMps * curvaturePerM),
  };
}

function rateOf({ move }: Pick<Stretch, 'move'>): number {
  return move === undefined || move.durationS === 0 ? 0 : (move.toMps - move.fromMps) / move.durationS;
}

/**
 * The extremes within a stretch, between two times in it. Along a move the rate is one; across it the highest speed in
 * each bend counts, which is at one end of what is driven of it.
 */
export function extremesIn(
  stretch: Travelled,
  way: { readonly route: Route; readonly startM: number },
  fromS: number,
  toS: number,
): Extremes {
  if (stretch.move === undefined || toS <= fromS) return AT_REST;
  const begin = travelled(stretch, fromS - stretch.from.atS);
  const end = travelled(stretch, toS - stretch.from.atS);
  const longitudinal = milligravity(rateOf(stretch));
  let lateralMg: Span = [0, 0];
  const startM = way.startM + stretch.from.wayM;
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

export interface Bent {
  /** From the beginning of the look. */
  readonly fromM: number;
  readonly toM: number;
  readonly curvaturePerM: number;
}

/** The parts of bends on `wayM` metres from `alongM`. */
export function bendsOn(route: Route, alongM: number, wayM: number): readonly Bent[] {
  const bends: Bent[] = [];
  const first = cornerBefore(route, alongM);
  // The corner behind lies at or below 0, those ahead above.
  let atM = corner(route, first).startM - onLoop(route, alongM);
  for (let index = first; ; index += 1) {
    const { roundingM, curvaturePerM, lengthM } = corner(route, index);
    if (atM - roundingM > wayM) return bends;
    const [fromM, toM] = [Math.max(atM - roundingM, 0), Math.min(atM + roundingM, wayM)];
    if (fromM <= toM && curvaturePerM !== 0) bends.push({ fromM, toM, curvaturePerM });
    atM += lengthM;
  }
}

/** The extremes of two times together. */
export function widened(a: Extremes, b: Extremes): Extremes {
  return {
    longitudinalMg: both(a.longitudinalMg, b.longitudinalMg),
    lateralMg: both(a.lateralMg, b.lateralMg),
  };
}

function both(a: Span, b: Span): Span {
  return [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
}
