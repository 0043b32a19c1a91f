import fc from 'fast-check';

/** One moment of a drive as it was. */
export interface DrivenMoment {
  /** Since the first one. */
  readonly atS: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly altitudeM: number;
  readonly speedMps: number;
  readonly rpm: number;
  readonly energyPercent: number;
  readonly mileageKm: number;
}

/** The sphere of the mean radius of IUGG, in metres. */
const RADIUS_M = 6_371_008.8;
const RADIANS = Math.PI / 180;

type Place = Pick<DrivenMoment, 'latitude' | 'longitude'>;

/** The distance on the sphere, by the haversine. */
export function apartM(one: Place, other: Place): number {
  const [north, east] = [other.latitude - one.latitude, other.longitude - one.longitude];
  const [sinNorth, sinEast] = [Math.sin((north * RADIANS) / 2), Math.sin((east * RADIANS) / 2)];
  const across = Math.cos(one.latitude * RADIANS) * Math.cos(other.latitude * RADIANS) * sinEast * sinEast;
  return 2 * RADIUS_M * Math.asin(Math.sqrt(sinNorth * sinNorth + across));
}

/** What happens until the next moment. */
const anyStep = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      what: fc.constant('go' as const),
      s: fc.constantFrom(1, 1, 1, 2, 3),
      mps2: fc.integer({ min: -3, max: 3 }),
      turn: fc.integer({ min: -6, max: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('stop' as const), s: fc.integer({ min: 9, max: 40 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant('gap' as const),
      s: fc.integer({ min: 11, max: 50 }),
      /** Of the speed before and after it: how fast it was meanwhile. */
      share: fc.constantFrom(0.3, 0.6, 1, 1.5, 2.5),
    }),
  },
);

const LEAST_MPS = 7;
const MOST_MPS = 40;

/** A drive whose speed changes evenly between two moments, on straight lines; a gap is driven at one speed. */
export const anyDrivenWay = fc
  .record({
    steps: fc.array(anyStep, { minLength: 12, maxLength: 50 }),
    from: fc.record({
      // 0, 0 is written by receivers without a fix.
      latitude: fc.oneof(
        fc.double({ min: 1, max: 65, noNaN: true }),
        fc.double({ min: -55, max: -1, noNaN: true }),
      ),
      longitude: fc.double({ min: -179, max: 179, noNaN: true }),
      heading: fc.integer({ min: 0, max: 359 }),
      mps: fc.integer({ min: LEAST_MPS, max: 25 }),
      energyPercent: fc.integer({ min: 40, max: 95 }),
      mileageKm: fc.integer({ min: 1, max: 200_000 }),
    }),
    noise: fc.array(fc.integer({ min: 900, max: 4_000 }), { minLength: 200, maxLength: 200 }),
  })
  .map(({ steps, from, noise }) => {
    const moments: DrivenMoment[] = [];
    let { heading, mps } = from;
    const add = (s: number, speedMps: number, share = 1): void => {
      const before = moments.at(-1);
      if (before === undefined) return;
      const wayM = ((before.speedMps + speedMps) / 2) * s * share;
      const north = (wayM * Math.cos(heading * RADIANS)) / RADIUS_M / RADIANS;
      const east =
        (wayM * Math.sin(heading * RADIANS)) / RADIUS_M / RADIANS / Math.cos(before.latitude * RADIANS);
      moments.push({
        atS: before.atS + s,
        latitude: before.latitude + north,
        longitude: before.longitude + east,
        altitudeM: before.altitudeM + (wayM > 0 ? 1 : 0),
        speedMps,
        rpm: (noise[moments.length] ?? 2_000) / (speedMps === 0 ? 3 : 1),
        // In whole thousandths, as it is written.
        energyPercent: Math.round(before.energyPercent * 1_000 - s * 10) / 1_000,
        mileageKm: before.mileageKm + wayM / 1_000,
      });
      mps = speedMps;
    };
    const { heading: _, mps: __, ...place } = from;
    moments.push({ ...place, atS: 0, altitudeM: 100, speedMps: mps, rpm: 1_500 });
    for (const step of steps) {
      if (step.what === 'go') {
        heading += step.turn;
        add(step.s, Math.min(Math.max(mps + step.mps2 * step.s, LEAST_MPS), MOST_MPS));
      } else if (step.what === 'gap') add(step.s, mps, Math.min(step.share, 90 / mps));
      else {
        const goesOnMps = Math.min(mps, 15);
        add(3, LEAST_MPS);
        add(3, 0);
        for (let s = 0; s < step.s; s += 1) add(1, 0);
        add(3, LEAST_MPS);
        add(3, goesOnMps);
      }
    }
    return moments;
  });

/** The index of the moment before a time. */
export function momentBefore(moments: readonly DrivenMoment[], atS: number): number {
  return Math.max(
    moments.findLastIndex((one) => one.atS <= atS),
    0,
  );
}

/** Where a drive is at a time between two of its moments: evenly accelerated, straight, readings drawn straight. */
export function drivenAt(moments: readonly DrivenMoment[], atS: number): DrivenMoment {
  const index = momentBefore(moments, atS);
  const [from, to] = [moments[index], moments[index + 1]];
  if (from === undefined) throw new Error('no moments');
  if (to === undefined) return from;
  const [passedS, wholeS] = [atS - from.atS, to.atS - from.atS];
  const share = passedS / wholeS;
  const meanMps = (from.speedMps + to.speedMps) / 2;
  const speedMps = from.speedMps + (to.speedMps - from.speedMps) * share;
  const ofWay = meanMps === 0 ? 0 : ((from.speedMps + speedMps) / 2) * passedS * (1 / (meanMps * wholeS));
  const between = (name: keyof DrivenMoment, by: number): number => from[name] + (to[name] - from[name]) * by;
  return {
    atS,
    speedMps,
    latitude: between('latitude', ofWay),
    longitude: between('longitude', ofWay),
    altitudeM: between('altitudeM', ofWay),
    mileageKm: between('mileageKm', ofWay),
    rpm: between('rpm', share),
    energyPercent: between('energyPercent', share),
  };
}
