import { cos, type GeoPoint, PI, radians, sin } from '../../arithmetic.ts';

const DAY_MS = 86_400_000;
/** The solar year in days, and the equinox of 2000-03-20T07:35Z. */
const YEAR_DAYS = 365.2422;
const EQUINOX_MS = 953_537_700_000;
/** The tilt of the earth's axis. */
const TILT_DEGREES = 23.44;
/** Below this height of the sun drivers turn their lights on. */
const DUSK_SINE = 0.05;

/**
 * Whether it is so dark at this place that lights are on, by the height of the sun (accurate to some
 * minutes).
 */
export function isDark(atMs: number, { latitude, longitude }: GeoPoint): boolean {
  const days = (atMs - EQUINOX_MS) / DAY_MS;
  const years = days / YEAR_DAYS;
  const sine = sin(radians(TILT_DEGREES)) * sin(2 * PI * (years - Math.floor(years)));
  const cosine = Math.sqrt(1 - sine * sine);
  const dayMs = atMs - Math.floor(atMs / DAY_MS) * DAY_MS;
  const hourAngle = radians((dayMs / DAY_MS) * 360 - 180 + longitude);
  const here = radians(latitude);
  return sin(here) * sine + cos(here) * cosine * cos(hourAngle) < DUSK_SINE;
}
