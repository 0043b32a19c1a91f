import type { Side } from '../../protocol/measured.ts';
import type { Route } from '../routes/route.ts';
import { bendsOn, milligravity } from './forces.ts';
import { limits } from './limits.ts';
import { type Stretch, travelled } from './stretch.ts';

/**
 * What an accelerometer has felt over a time in which nothing changed: a piece of braking or of a bend, an impact, a
 * scratch. Times are the world's epoch milliseconds, with fractions.
 */
export interface Shake {
  /** Counts up from 1 over all of a vehicle. */
  readonly number: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Forward positive, to the right positive: the strongest of that time. */
  readonly longitudinalMg: number;
  readonly lateralMg: number;
  /** Structure-borne sound, as the acceleration of the body's skin; 0: none. */
  readonly structureMg: number;
  /** Where the structure-borne sound comes from. */
  readonly side: Side | undefined;
  readonly speedFromKph: number;
  readonly speedToKph: number;
}

export type Felt = Omit<Shake, 'number'>;

/** Something strikes the vehicle: this acceleration for that long. It is too short to change where the vehicle is. */
export interface Impact {
  readonly accelerationMg: number;
  readonly durationMs: number;
  /** Where it is struck. */
  readonly direction: Side;
}

/** Something dents or scratches the skin, and the body rings with it. */
export interface Bump {
  readonly strengthMg: number;
  readonly side: Side;
}

/** Along and across, for an impact on each side: struck in front it is pushed backwards. */
const PUSH: Readonly<Record<Side, readonly [longitudinal: number, lateral: number]>> = {
  front: [-1, 0],
  rear: [1, 0],
  left: [0, 1],
  right: [0, -1],
};

export function impactFelt(
  { accelerationMg, durationMs, direction }: Impact,
  atMs: number,
  speedKph: number,
): Felt {
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

export function bumpFelt({ strengthMg, side }: Bump, atMs: number, speedKph: number): Felt {
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
 * What driving makes felt in a part of a stretch: its one rate along, and each bend across. `madeMs`: when the
 * vehicle's seconds began.
 */
export function drivingFelt(
  stretch: Stretch,
  way: { readonly route: Route; readonly startM: number },
  [fromS, toS]: readonly [number, number],
  madeMs: number,
): readonly Felt[] {
  const { move } = stretch;
  if (move === undefined || move.durationS === 0 || toS <= fromS) return [];
  const begin = travelled(stretch, fromS - stretch.from.atS);
  const end = travelled(stretch, toS - stretch.from.atS);
  const rate = (move.toMps - move.fromMps) / move.durationS;
  const still = { structureMg: 0, side: undefined };
  const felt: Felt[] = [];
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
  const alongM = way.startM + stretch.from.wayM + begin.wayM;
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

/** What a vehicle has felt lately: the buffer of its accelerometer, which forgets the oldest. */
export interface ShakeBuffer {
  add(felt: readonly Felt[]): void;
  /** Felt once its time is over. */
  expect(felt: Felt): void;
  /** Takes in what was expected and is over by then. */
  advance(nowMs: number): void;
  /** In the order in which they were over; never changed in place. */
  recent(): readonly Shake[];
  /** When the next that is expected is over; infinite: none is. */
  nextMs(): number;
}

export function makeShakeBuffer(): ShakeBuffer {
  let recent: readonly Shake[] = [];
  let expected: readonly Felt[] = [];
  let count = 0;
  const add = (felt: readonly Felt[]) => {
    if (felt.length === 0) return;
    // Trimmed now and then only: what it holds is copied at each addition.
    const kept = recent.length < 2 * limits.shakes ? recent : recent.slice(-limits.shakes);
    recent = kept.concat(felt.map((one) => ({ number: ++count, ...one })));
  };
  return {
    add,
    expect: (felt) => {
      expected = [...expected, felt].sort((one, other) => one.toMs - other.toMs).slice(0, limits.shakes);
    },
    advance: (nowMs) => {
      if (expected.length === 0) return;
      add(expected.filter(({ toMs }) => toMs <= nowMs));
      expected = expected.filter(({ toMs }) => toMs > nowMs);
    },
    recent: () => recent,
    nextMs: () => expected[0]?.toMs ?? Number.POSITIVE_INFINITY,
  };
}
