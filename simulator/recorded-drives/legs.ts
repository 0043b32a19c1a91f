import type { RecordedLeg } from '../routes/recorded-drive.ts';
import type { TimedSample } from './clock.ts';
import { limits } from './limits.ts';

/** One way between two nodes, with the speeds at both. */
export interface Stretch {
  readonly fromS: number;
  readonly untilS: number;
  readonly lengthM: number;
  readonly fromMps: number;
  readonly toMps: number;
}

/** The piece of a leg that is its motion. */
type Motion = Pick<RecordedLeg, 'durationS' | 'fromMps' | 'toMps' | 'lengthM'>;

/**
 * The legs of a stretch. Where the speeds at its ends do not fit its length, as in a gap, it is driven at one speed that
 * is reached from the first, and left for the last. A standstill is cut where the ignition changes.
 */
export function legsOf(stretch: Stretch, channels: Channels): readonly RecordedLeg[] {
  const { fromS, untilS, lengthM } = stretch;
  if (lengthM === 0) {
    const cuts = [fromS, ...channels.ignitionChangesIn(fromS, untilS), untilS];
    return cuts.slice(1).map((endS, index) => {
      const beginS = cuts[index] ?? fromS;
      const ignitionOn = channels.ignitionAt(beginS, untilS - fromS);
      const still = { durationS: endS - beginS, fromMps: 0, toMps: 0, lengthM: 0, ignitionOn };
      return { ...still, ...channels.readings(beginS, endS) };
    });
  }
  let atS = fromS;
  return motionsOf(stretch).map((motion) => {
    const beginS = atS;
    atS += motion.durationS;
    return { ...motion, ignitionOn: true, ...channels.readings(beginS, atS) };
  });
}

function motionsOf({ fromS, untilS, lengthM, fromMps, toMps }: Stretch): readonly Motion[] {
  const durationS = untilS - fromS;
  const meanMps = (fromMps + toMps) / 2;
  const neededMps = lengthM / durationS;
  const isShort = durationS <= limits.gapS && meanMps > limits.standingMps;
  if (isShort || (meanMps <= 2 * neededMps && meanMps >= neededMps / 2))
    return [{ durationS, fromMps, toMps, lengthM }];
  const rampS = (mps: number): number => Math.min(durationS / 3, Math.abs(neededMps - mps) / limits.gapMps2);
  const [upS, downS] = [rampS(fromMps), rampS(toMps)];
  const pieces = [
    { durationS: upS, fromMps, toMps: neededMps },
    { durationS: durationS - upS - downS, fromMps: neededMps, toMps: neededMps },
    { durationS: downS, fromMps: neededMps, toMps },
  ].filter((piece) => piece.durationS > 0);
  const wayM = (piece: (typeof pieces)[number]): number =>
    ((piece.fromMps + piece.toMps) / 2) * piece.durationS;
  const scale = lengthM / pieces.reduce((sum, piece) => sum + wayM(piece), 0);
  return pieces.map((piece) => ({ ...piece, lengthM: wayM(piece) * scale }));
}

/** The recorded values other than time and place, as functions of the time. */
export interface Channels {
  /** `standsS`: the total time at rest there. */
  ignitionAt(atS: number, standsS: number): boolean;
  /** Times between the two at which it is turned on or off. */
  ignitionChangesIn(fromS: number, untilS: number): readonly number[];
  readings(fromS: number, untilS: number): Pick<RecordedLeg, 'rpm' | 'toEnergyPercent'>;
  energyPercentAt(atS: number): number | undefined;
  readonly fromMileageKm: number | undefined;
  readonly hasReadings: boolean;
}

/** The channels of a drive. Readings are drawn straight from one to the next; the ignition keeps its last recorded value. */
export function channelsOf(timed: readonly TimedSample[]): Channels {
  const ignition = timed.flatMap(({ atS, ignitionOn }) =>
    ignitionOn === undefined ? [] : [{ atS, ignitionOn }],
  );
  const changes = ignition.filter(({ ignitionOn }, index) => ignition[index - 1]?.ignitionOn !== ignitionOn);
  const rpm = lineOf(timed, 'rpm');
  const energy = lineOf(timed, 'energyPercent');
  return {
    ignitionAt: (atS, standsS) => {
      const change = changes[countUntil(changes, atS) - 1] ?? changes[0];
      return change?.ignitionOn ?? standsS < limits.parkedS;
    },
    ignitionChangesIn: (fromS, untilS) =>
      changes
        .slice(countUntil(changes, fromS), countUntil(changes, untilS))
        .map(({ atS }) => atS)
        .filter((atS) => atS < untilS),
    readings: (fromS, untilS) => {
      const toEnergyPercent = energy(untilS);
      const [from, to] = [rpm(fromS), rpm(untilS)];
      return {
        ...(from === undefined || to === undefined ? {} : { rpm: [from, to] as const }),
        ...(toEnergyPercent === undefined ? {} : { toEnergyPercent }),
      };
    },
    energyPercentAt: energy,
    fromMileageKm: timed.find(({ mileageKm }) => mileageKm !== undefined)?.mileageKm,
    hasReadings: rpm(0) !== undefined || energy(0) !== undefined,
  };
}

/** A reading at any time; before the first and behind the last it is that one. Undefined: there are none. */
function lineOf(
  timed: readonly TimedSample[],
  field: 'rpm' | 'energyPercent',
): (atS: number) => number | undefined {
  const points = timed.flatMap(({ atS, [field]: value }) => (value === undefined ? [] : [{ atS, value }]));
  return (atS) => {
    const count = countUntil(points, atS);
    const [before, after] = [points[count - 1], points[count]];
    if (before === undefined || after === undefined) return (before ?? after)?.value;
    const share = (atS - before.atS) / (after.atS - before.atS);
    return before.value + (after.value - before.value) * share;
  };
}

/** How many of these, which are in the order of time, are not later. */
function countUntil(points: readonly { readonly atS: number }[], atS: number): number {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.atS ?? 0) <= atS) low = middle + 1;
    else high = middle;
  }
  return low;
}
