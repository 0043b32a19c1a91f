import { clamp, cos, type GeoPoint, PI } from '../../arithmetic.ts';

/** A place with its height above sea level. */
export type Height = GeoPoint & { readonly altitudeM: number };

/** The inputs of the temperature around a stationary vehicle. */
export interface Air {
  /** A seed that decides which days are warm for the season, and which cold. */
  readonly weather: number;
  /** The origin of the vehicle's seconds. */
  readonly madeMs: number;
  readonly place: Height;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const YEAR_DAYS = 365.2422;
/**
 * The coldest day of the northern year, in days from the 1st of January, and the warmest hour of a day in
 * solar time.
 */
const COLDEST_DAY = 20;
const WARMEST_HOUR = 15;
/** The annual mean at sea level on the equator, and its decrease per degree of latitude. */
const EQUATOR_C = 28;
const PER_LATITUDE_C = 0.34;
/** The difference of summer and winter from the mean, per degree of latitude. */
const SEASON_PER_LATITUDE_C = 0.19;
/** The difference of a day's warmest hour from its mean: half way between a winter's day and a summer's. */
const DAY_C = 4.2;
const DAY_IN_SUMMER_C = 1.8;
/** Decrease per metre of height (ICAO standard atmosphere). */
const PER_METRE_C = 0.0065;
/** A warm or cold period: its largest difference from the season, and its length in days. */
const SPELL_C = 5;
const SPELL_DAYS = 3;
/** The lowest and highest temperature that the sensors' rows can encode. */
const COLDEST_C = -39;
const WARMEST_C = 50;

/**
 * The air temperature at a time and place: the mean by latitude and height, the season, the hour of the sun
 * there, and the weather of those days. Equal arguments give equal results on every version of Node.
 */
export function airC(weather: number, atMs: number, { latitude, longitude, altitudeM }: Height): number {
  const days = atMs / DAY_MS;
  const away = Math.abs(latitude);
  // 1 in the middle of that hemisphere's summer, −1 in the middle of its winter.
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

/** The same for a stationary vehicle, this many seconds after it was made. */
export function airAroundC({ weather, madeMs, place }: Air, atS: number): number {
  return airC(weather, madeMs + atS * 1_000, place);
}

/** The difference of those days' weather from the season; it changes smoothly. */
function spellC(weather: number, days: number): number {
  const spells = days / SPELL_DAYS;
  const first = Math.floor(spells);
  const share = spells - first;
  const smooth = share * share * (3 - 2 * share);
  return spellOf(weather, first) * (1 - smooth) + spellOf(weather, first + 1) * smooth;
}

/** −5 to 5 degrees, by the last rounds of MurmurHash3 over the seed and the number of the period. */
function spellOf(weather: number, spell: number): number {
  let hash = Math.imul(weather ^ Math.imul(spell, 0x9e37_79b1), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2_ae35);
  return (((hash ^ (hash >>> 16)) >>> 0) / 0x8000_0000 - 1) * SPELL_C;
}
