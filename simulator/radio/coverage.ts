import type { Random } from '../../world/random.ts';
import { clamp, log10, type Place } from '../arithmetic.ts';
import { type Spot, spotOf } from './land.ts';
import { hashed, LARGEST_NOISE, noiseOver, shareOf } from './lattice.ts';
import { limits } from './limits.ts';

/** An antenna on a roof. */
interface Site extends Spot {
  /** Of the lattice of its shadowing. */
  readonly name: number;
}

/** A place that no site lights. */
interface Dark extends Spot {
  readonly radiusM: number;
}

/** What can be heard, or not, within one square. */
interface Square {
  readonly sites: readonly Site[];
  readonly dark: readonly Dark[];
}

/** What all sites send, and what the way to all of them costs at one metre. */
const SENT_DBM = limits.transmitDbm + limits.antennaDbi - limits.bodyDb;
/** 3GPP TR 38.901, table 7.4.1-1, UMa NLOS: 13.54 + 39.08 lg d + 20 lg f − 0.6 (h − 1.5). */
const LOSS_AT_1_M = 13.54 + 20 * log10(limits.carrierGhz) - 0.6 * (limits.vehicleHeightM - 1.5);
const LOSS_PER_DECADE = 39.08;
const RISE_M2 = (limits.siteHeightM - limits.vehicleHeightM) * (limits.siteHeightM - limits.vehicleHeightM);
const MOST_SHADOWING_DB = limits.shadowingDb * LARGEST_NOISE;
/** Beyond it no shadowing makes up for what a tilted antenna has lost. */
const FURTHEST_M = limits.sitePitchM * limits.squaresAround;
/** Below it nothing is told from noise. */
const NOTHING_DBM = -140;

/**
 * The mobile network of a land, from a seed: sites on a loose lattice, path loss of 3GPP TR 38.901 (UMa, no line of
 * sight), and for each site a shadowing of its own, correlated in space after Gudmundson. The level at a place is that
 * of the strongest site. It depends on the place alone; sites are kept by squares, which changes no answer.
 */
export class Coverage {
  readonly #name: number;
  readonly #squares = new Map<number, Square>();

  constructor(name: number) {
    this.#name = name;
  }

  /** The level of the strongest site at the street there, in dBm. Continuous but for the seams of the map. */
  levelDbm(place: Place): number {
    const spot = spotOf(place);
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
      const shadow = noiseOver(site.name, spot.eastM / shadowingM, spot.northM / shadowingM);
      best = Math.max(best, mean + shadowingDb * shadow);
    }
    return best - darknessDb(spot, square.dark);
  }

  #squareOf({ eastM, northM }: Spot): Square {
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
    const sites: Site[] = [];
    const dark: Dark[] = [];
    const reach = limits.squaresAround;
    for (let east = -reach; east <= reach; east += 1)
      for (let north = -reach; north <= reach; north += 1) {
        const name = hashed(this.#name, column + east, row + north);
        const within = (share: number, square: number) => (square + share) * limits.sitePitchM;
        if (shareOf(name, 0) * 100 < limits.builtPercent)
          sites.push({
            name,
            eastM: within(0.15 + 0.7 * shareOf(name, 1), column + east),
            northM: within(0.15 + 0.7 * shareOf(name, 2), row + north),
          });
        const isNear = Math.max(Math.abs(east), Math.abs(north)) <= 1;
        if (isNear && shareOf(name, 3) * 100 < limits.darkPercent)
          dark.push({
            eastM: within(shareOf(name, 4), column + east),
            northM: within(shareOf(name, 5), row + north),
            radiusM: limits.darkLeastM + (limits.darkMostM - limits.darkLeastM) * shareOf(name, 6),
          });
      }
    return { sites, dark };
  }
}

/** What dips and yards take away of all sites. */
function darknessDb({ eastM, northM }: Spot, dark: readonly Dark[]): number {
  let most = 0;
  for (const one of dark) {
    const east = eastM - one.eastM;
    const north = northM - one.northM;
    const awayM2 = east * east + north * north;
    if (awayM2 >= one.radiusM * one.radiusM) continue;
    const depth = (1 - Math.sqrt(awayM2) / one.radiusM) * 2;
    most = Math.max(most, limits.darkDb * Math.min(depth, 1));
  }
  return most;
}

/** What arrives of a site on average, by the square of the distance on the ground. */
export function meanDbm(flatM2: number): number {
  const loss = LOSS_AT_1_M + (LOSS_PER_DECADE / 2) * log10(flatM2 + RISE_M2);
  const beyondM = Math.sqrt(flatM2) - limits.tiltFromM;
  return SENT_DBM - loss - (beyondM > 0 ? beyondM * limits.tiltDbPerM : 0);
}

/** +CSQ of a level (3GPP TS 27.007, 8.5): 0 is −113 dBm or less, 31 is −51 dBm or more, 2 dB a step. */
export function csqOf(levelDbm: number): number {
  return clamp(Math.round((levelDbm + 113) / 2), 0, 31);
}

const coverages = new WeakMap<Random, Coverage>();

/** The network of a world, one for all of its vehicles. Its chance comes from the stream `radio/sites`. */
export function coverageOf(random: Random): Coverage {
  let coverage = coverages.get(random);
  if (coverage === undefined) {
    coverage = new Coverage(nameOf(random, 'radio/sites'));
    coverages.set(random, coverage);
  }
  return coverage;
}

/** A name for a lattice, drawn from that stream. */
export function nameOf(random: Random, stream: string): number {
  return random.stream(stream).whole(0, 0xffff_ffff - 1);
}
