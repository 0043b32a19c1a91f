import type { Random } from '../../world/random/random.ts';
import { clamp, type GeoPoint, log10 } from '../arithmetic.ts';
import { hashed, LARGEST_NOISE, noiseOver, shareOf } from './lattice-noise.ts';
import { limits } from './limits.ts';
import { type MapPoint, mapPointOf } from './map-point.ts';

/** A cell site on a roof. */
interface RadioSite extends MapPoint {
  /** The seed of its shadowing lattice. */
  readonly seed: number;
}

/** A place without coverage from any site. */
interface DeadZone extends MapPoint {
  readonly radiusM: number;
}

/** The sites and dead zones within one square. */
interface Square {
  readonly sites: readonly RadioSite[];
  readonly deadZones: readonly DeadZone[];
}

/** The transmit level common to all sites, and the path loss at one metre. */
const SENT_DBM = limits.transmitDbm + limits.antennaDbi - limits.bodyDb;
/** 3GPP TR 38.901, table 7.4.1-1, UMa NLOS: 13.54 + 39.08 lg d + 20 lg f − 0.6 (h − 1.5). */
const LOSS_AT_1_M = 13.54 + 20 * log10(limits.carrierGhz) - 0.6 * (limits.vehicleHeightM - 1.5);
const LOSS_PER_DECADE = 39.08;
const RISE_M2 = (limits.siteHeightM - limits.vehicleHeightM) * (limits.siteHeightM - limits.vehicleHeightM);
const MOST_SHADOWING_DB = limits.shadowingDb * LARGEST_NOISE;
/** Beyond this distance no shadowing compensates for the antenna's tilt. */
const FURTHEST_M = limits.sitePitchM * limits.squaresAround;
/** Below this level there is only noise. */
const NOTHING_DBM = -140;

/**
 * The mobile network of a country, from a seed: sites on a loose lattice, path loss of 3GPP TR 38.901 (UMa,
 * no line of sight), and for each site its own shadowing, correlated in space after Gudmundson. The level at
 * a place is that of the strongest site. It depends only on the place; the cache of squares changes no
 * result.
 */
export class Coverage {
  readonly #seed: number;
  readonly #squares = new Map<number, Square>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The level of the strongest site at this place, in dBm. Continuous except at the seams of the map. */
  levelDbm(place: GeoPoint): number {
    const spot = mapPointOf(place);
    let best = NOTHING_DBM;
    const square = this.#squareOf(spot);
    for (const site of square.sites) {
      const eastM = spot.eastM - site.eastM;
      const northM = spot.northM - site.northM;
      const flatM2 = eastM * eastM + northM * northM;
      if (flatM2 >= FURTHEST_M * FURTHEST_M) continue;
      const mean = meanDbm(flatM2);
      // Most sites are too far away for their shadowing to matter.
      if (mean + MOST_SHADOWING_DB <= best) continue;
      const { shadowingM, shadowingDb } = limits;
      const shadow = noiseOver(site.seed, spot.eastM / shadowingM, spot.northM / shadowingM);
      best = Math.max(best, mean + shadowingDb * shadow);
    }
    return best - darknessDb(spot, square.deadZones);
  }

  #squareOf({ eastM, northM }: MapPoint): Square {
    const column = Math.floor(eastM / limits.sitePitchM);
    const row = Math.floor(northM / limits.sitePitchM);
    const key = column * 0x1_0000 + row;
    let square = this.#squares.get(key);
    if (square === undefined) {
      if (this.#squares.size >= limits.squaresKept) this.#squares.clear();
      square = this.#survey(column, row);
      this.#squares.set(key, square);
    }
    return square;
  }

  #survey(column: number, row: number): Square {
    const sites: RadioSite[] = [];
    const deadZones: DeadZone[] = [];
    const reach = limits.squaresAround;
    for (let east = -reach; east <= reach; east += 1)
      for (let north = -reach; north <= reach; north += 1) {
        const seed = hashed(this.#seed, column + east, row + north);
        const within = (share: number, square: number) => (square + share) * limits.sitePitchM;
        if (shareOf(seed, 0) * 100 < limits.builtPercent)
          sites.push({
            seed,
            eastM: within(0.15 + 0.7 * shareOf(seed, 1), column + east),
            northM: within(0.15 + 0.7 * shareOf(seed, 2), row + north),
          });
        const isNear = Math.max(Math.abs(east), Math.abs(north)) <= 1;
        if (isNear && shareOf(seed, 3) * 100 < limits.darkPercent)
          deadZones.push({
            eastM: within(shareOf(seed, 4), column + east),
            northM: within(shareOf(seed, 5), row + north),
            radiusM: limits.darkLeastM + (limits.darkMostM - limits.darkLeastM) * shareOf(seed, 6),
          });
      }
    return { sites, deadZones };
  }
}

/** The attenuation in dB of all sites by dead zones. */
function darknessDb({ eastM, northM }: MapPoint, deadZones: readonly DeadZone[]): number {
  let most = 0;
  for (const one of deadZones) {
    const east = eastM - one.eastM;
    const north = northM - one.northM;
    const awayM2 = east * east + north * north;
    if (awayM2 >= one.radiusM * one.radiusM) continue;
    const depth = (1 - Math.sqrt(awayM2) / one.radiusM) * 2;
    most = Math.max(most, limits.darkDb * Math.min(depth, 1));
  }
  return most;
}

/** The mean received level of a site in dBm, by the square of the ground distance. */
export function meanDbm(flatM2: number): number {
  const loss = LOSS_AT_1_M + (LOSS_PER_DECADE / 2) * log10(flatM2 + RISE_M2);
  const beyondM = Math.sqrt(flatM2) - limits.tiltFromM;
  return SENT_DBM - loss - (beyondM > 0 ? beyondM * limits.tiltDbPerM : 0);
}

/** +CSQ of a level (3GPP TS 27.007, 8.5): 0 is −113 dBm or less, 31 is −51 dBm or more, 2 dB per step. */
export function csqOf(levelDbm: number): number {
  return clamp(Math.round((levelDbm + 113) / 2), 0, 31);
}

const coverages = new WeakMap<Random, Coverage>();

/**
 * The network of a world, shared by all of its vehicles. Its random numbers come from the stream
 * `radio/sites`.
 */
export function coverageOf(random: Random): Coverage {
  let coverage = coverages.get(random);
  if (coverage === undefined) {
    coverage = new Coverage(noiseSeedOf(random, 'radio/sites'));
    coverages.set(random, coverage);
  }
  return coverage;
}

/** The seed of a lattice, drawn from this stream. */
export function noiseSeedOf(random: Random, stream: string): number {
  return random.stream(stream).whole(0, 0xffff_ffff - 1);
}
