import { clamp, cos, PI, type Place } from '../arithmetic.ts';

/** A place with its height above the sea. */
export type Height = Place & { readonly altitudeM: number };

/** What the temperature around a standing vehicle follows from. */
export interface Air {
  /** Of the seed: it decides which days are warm for the season, and which cold. */
  readonly weather: number;
  /** When the vehicle's seconds began. */
  readonly madeMs: number;
  readonly place: Height;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const YEAR_DAYS = 365.2422;
/** The coldest day of the northern year, in days from the 1st of January, and the warmest hour of a day in solar time. */
const COLDEST_DAY = 20;
const WARMEST_HOUR = 15;
/** A year's mean at sea level on the equator, and what it loses with each degree of latitude. */
const EQUATOR_C = 28;
const PER_LATITUDE_C = 0.34;
/** Summer and winter lie so far from the mean, for each degree of latitude. */
const SEASON_PER_LATITUDE_C = 0.19;
/** A day's warmest hour lies so far above its mean: half way between a winter's day and a summer's. */
const DAY_C = 4.2;
const DAY_IN_SUMMER_C = 1.8;
/** Lost with each metre of height (ICAO standard atmosphere). */
const PER_METRE_C = 0.0065;
/** A warm or a cold spell: how far from the season, and after how many days another one is there. */
const SPELL_C = 5;
const SPELL_DAYS = 3;
/** No place of the simulation is colder or warmer than the sensors' rows can tell. */
const COLDEST_C = -39;
const WARMEST_C = 50;

/**
 * The temperature of the air at a time and a place: the mean of the latitude and the height, the season, the hour by the
 * sun there, and the spell of weather of those days. Equal arguments give equal degrees, on every version of Node.
 */
export function airC(weather: number, atMs: number, { latitude, longitude, altitudeM }: Height): number {
  const days = atMs / DAY_MS;
  const away = Math.abs(latitude);
  // 1 in the middle of that half's summer, −1 in the middle of its winter.
  const years = (days - COLDEST_DAY) / YEAR_DAYS;
  const summer = (latitude < 0 ? 1 : -1) * cos(2 * PI * (years - Math.floor(years)));
  const hours = atMs / HOUR_MS + longitude / 15 - WARMEST_HOUR;
  const turn = hours / 24;
  const noon = cos(2 * PI * (turn - Math.floor(turn)));
  const degrees =
    EQUATOR_C -
    PER_LATITUDE_C * away -
    PER_METRE_C * altitudeM +
    SEASON_PER_LATITUDE_C * away * summer +
    (DAY_C + DAY_IN_SUMMER_C * summer) * noon +
    spellC(weather, days);
  return clamp(degrees, COLDEST_C, WARMEST_C);
}

/** The same for a standing vehicle, so many seconds after it was made. */
export function airAroundC({ weather, madeMs, place }: Air, atS: number): number {
  return airC(weather, madeMs + atS * 1_000, place);
}

/** How far the weather of those days is from that of the season; it changes smoothly. */
function spellC(weather: number, days: number): number {
  const spells = days / SPELL_DAYS;
  const first = Math.floor(spells);
  const share = spells - first;
  const smooth = share * share * (3 - 2 * share);
  return spellOf(weather, first) * (1 - smooth) + spellOf(weather, first + 1) * smooth;
}

/** −5 to 5 degrees, by the last rounds of MurmurHash3 over the seed and the number of the spell. */
function spellOf(weather: number, spell: number): number {
  let hash = Math.imul(weather ^ Math.imul(spell, 0x9e37_79b1), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2_ae35);
  return (((hash ^ (hash >>> 16)) >>> 0) / 0x8000_0000 - 1) * SPELL_C;
}
