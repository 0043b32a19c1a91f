import type { Side } from '../../../protocol/measured.ts';
import type { Route } from '../../routes/route.ts';
import { bendsOn, milligravity } from '../forces.ts';
import { limits } from '../limits.ts';
import { type MotionSegment, travelled } from '../motion-segment.ts';

/**
 * The measurement of an accelerometer over a period of constant conditions: a part of braking or of a bend,
 * an impact, a scratch. Times are the world's epoch milliseconds, with fractions.
 */
export interface AccelerationInterval {
  /** Counts up from 1 over the vehicle's lifetime. */
  readonly number: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Forward positive, right positive: the strongest in this period. */
  readonly longitudinalMg: number;
  readonly lateralMg: number;
  /** Structure-borne sound, as the acceleration of the body's skin; 0: none. */
  readonly structureMg: number;
  /** The side that the structure-borne sound comes from. */
  readonly side: Side | undefined;
  readonly speedFromKph: number;
  readonly speedToKph: number;
}

export type NewAcceleration = Omit<AccelerationInterval, 'number'>;

/**
 * An impact on the vehicle: this acceleration for this long. It changes neither its position nor its speed: the driver
 * continues.
 */
export interface Impact {
  readonly accelerationMg: number;
  readonly durationMs: number;
  /** The side that is hit. */
  readonly direction: Side;
}

/** A dent or scratch in the skin, which makes the body vibrate. */
export interface Bump {
  readonly strengthMg: number;
  readonly side: Side;
}

/** Along and across, for an impact on each side: an impact in front pushes the vehicle backwards. */
const PUSH: Readonly<Record<Side, readonly [longitudinal: number, lateral: number]>> = {
  front: [-1, 0],
  rear: [1, 0],
  left: [0, 1],
  right: [0, -1],
};

export function impactAcceleration(
  { accelerationMg, durationMs, direction }: Impact,
  atMs: number,
  speedKph: number,
): NewAcceleration {
  const [longitudinal, lateral] = PUSH[direction];
  return {
    fromMs: atMs,
    toMs: atMs + durationMs,
    longitudinalMg: longitudinal * accelerationMg,
    lateralMg: lateral * accelerationMg,
    structureMg: 0,
    side: undefined,
    speedFromKph: speedKph,
    speedToKph: speedKph,
  };
}

export function bumpAcceleration(
  { strengthMg, side }: Bump,
  atMs: number,
  speedKph: number,
): NewAcceleration {
  return {
    fromMs: atMs,
    toMs: atMs + limits.bumpMs,
    longitudinalMg: 0,
    lateralMg: 0,
    structureMg: strengthMg,
    side,
    speedFromKph: speedKph,
    speedToKph: speedKph,
  };
}

/**
 * The accelerations of driving in a part of a segment: the constant one along, and one for each bend across.
 * `madeMs`: the origin of the vehicle's seconds.
 */
export function drivingAccelerations(
  segment: MotionSegment,
  way: { readonly route: Route; readonly startM: number },
  [fromS, toS]: readonly [number, number],
  madeMs: number,
): readonly NewAcceleration[] {
  const { move } = segment;
  if (move === undefined || move.durationS === 0 || toS <= fromS) return [];
  const begin = travelled(segment, fromS - segment.from.atS);
  const end = travelled(segment, toS - segment.from.atS);
  const rate = (move.toMps - move.fromMps) / move.durationS;
  const still = { structureMg: 0, side: undefined };
  const felt: NewAcceleration[] = [];
  if (rate !== 0) {
    felt.push({
      fromMs: madeMs + fromS * 1_000,
      toMs: madeMs + toS * 1_000,
      longitudinalMg: milligravity(rate),
      lateralMg: 0,
      ...still,
      speedFromKph: begin.speedMps * 3.6,
      speedToKph: end.speedMps * 3.6,
    });
  }
  const speedAfter = (aheadM: number) =>
    Math.sqrt(Math.max(begin.speedMps * begin.speedMps + 2 * rate * aheadM, 0));
  const secondsTo = (aheadM: number) => {
    const mean = (begin.speedMps + speedAfter(aheadM)) / 2;
    return mean > 0 ? Math.min(fromS + aheadM / mean, toS) : fromS;
  };
  const alongM = way.startM + segment.from.wayM + begin.wayM;
  for (const bend of bendsOn(way.route, alongM, end.wayM - begin.wayM)) {
    const [first, last] = [speedAfter(bend.fromM), speedAfter(bend.toM)];
    const fastest = Math.max(first, last);
    felt.push({
      fromMs: madeMs + secondsTo(bend.fromM) * 1_000,
      toMs: madeMs + secondsTo(bend.toM) * 1_000,
      longitudinalMg: 0,
      lateralMg: milligravity(fastest * fastest * bend.curvaturePerM),
      ...still,
      speedFromKph: first * 3.6,
      speedToKph: last * 3.6,
    });
  }
  return felt;
}

/** The recent accelerations of a vehicle: the buffer of its accelerometer, which drops the oldest. */
export class AccelerometerBuffer {
  #recent: readonly AccelerationInterval[] = NONE;
  #expected: readonly NewAcceleration[] = NONE;
  #count = 0;

  add(felt: readonly NewAcceleration[]): void {
    if (felt.length === 0) return;
    // Trimmed only occasionally, since each addition copies the content.
    const kept =
      this.#recent.length < 2 * limits.accelerationIntervals
        ? this.#recent
        : this.#recent.slice(-limits.accelerationIntervals);
    this.#recent = kept.concat(
      felt.map((one) => {
        this.#count += 1;
        return { number: this.#count, ...one };
      }),
    );
  }

  /** Adds an interval that enters the buffer once it is over. */
  expect(felt: NewAcceleration): void {
    this.#expected = [...this.#expected, felt]
      .sort((one, other) => one.toMs - other.toMs)
      .slice(0, limits.accelerationIntervals);
  }

  /** Adds the expected intervals that are over by then, each with the speed that the vehicle has at its end. */
  advance(nowMs: number, speedKphAt: (atMs: number) => number): void {
    if (this.#expected.length === 0) return;
    const over = this.#expected.filter(({ toMs }) => toMs <= nowMs);
    this.add(over.map((one) => ({ ...one, speedToKph: speedKphAt(one.toMs) })));
    this.#expected = this.#expected.filter(({ toMs }) => toMs > nowMs);
  }

  /** In the order in which they ended; never changed in place. */
  recent(): readonly AccelerationInterval[] {
    return this.#recent;
  }

  /** When the next expected interval ends; infinite: there is none. */
  nextMs(): number {
    return this.#expected[0]?.toMs ?? Number.POSITIVE_INFINITY;
  }
}

const NONE: readonly never[] = [];
