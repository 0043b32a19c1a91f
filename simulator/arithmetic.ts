/**
 * The only mathematics of simulated code. Library trigonometry, `**` and Math.pow differ in their last digits
 * between Node versions, so a trace would not be reproducible. IEEE 754 defines + − × ÷ and the square root
 * to the bit, and everything here uses only those (with floor, abs, min and max, which are exact).
 */
export const PI = Math.PI;
const HALF_PI = 1.5707963267948966;
/** π/2 in three parts whose products with small whole numbers are exact (Cody and Waite). */
const HALF_PI_PARTS = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21] as const;
const LN_2_PARTS = [0.6931471803691238, 1.9082149292705877e-10] as const;
const LN_10 = Math.LN10;
const SQUARE_ROOT_OF_2 = Math.SQRT2;
/** Coefficients of the series of artanh(x) / x, the highest power first. */
const ARTANH = [1 / 21, 1 / 19, 1 / 17, 1 / 15, 1 / 13, 1 / 11, 1 / 9, 1 / 7, 1 / 5, 1 / 3, 1] as const;

/** Mean radius of the earth (IUGG), in metres. */
export const EARTH_RADIUS_M = 6_371_008.8;

/** A place on the earth, in degrees (WGS 84). */
export interface GeoPoint {
  readonly latitude: number;
  readonly longitude: number;
}

export function radians(degrees: number): number {
  return (degrees * PI) / 180;
}

export function degrees(angle: number): number {
  return (angle * 180) / PI;
}

/** Sine of an angle in radians; exact to 1e-15 for |angle| below a million. */
export function sin(angle: number): number {
  return quarterTurns(angle, 0);
}

/** Cosine of an angle in radians, as exact as the sine. */
export function cos(angle: number): number {
  return quarterTurns(angle, 1);
}

function quarterTurns(angle: number, ahead: number): number {
  const turns = Math.floor(angle / HALF_PI + 0.5);
  const rest = angle - turns * HALF_PI_PARTS[0] - turns * HALF_PI_PARTS[1] - turns * HALF_PI_PARTS[2];
  const quarter = (((turns + ahead) % 4) + 4) % 4;
  const value = quarter % 2 === 0 ? sineSeries(rest) : cosineSeries(rest);
  return quarter < 2 ? value : -value;
}

/** Taylor series, |x| ≤ π/4: the first omitted term is below 1e-17. */
function sineSeries(x: number): number {
  const square = x * x;
  let sum = 1;
  for (let term = 16; term >= 2; term -= 2) sum = 1 - (square / (term * (term + 1))) * sum;
  return x * sum;
}

function cosineSeries(x: number): number {
  const square = x * x;
  let sum = 1;
  for (let term = 17; term >= 1; term -= 2) sum = 1 - (square / (term * (term + 1))) * sum;
  return sum;
}

/** The angle of the point (x, y) in radians, −π to π; 0 for the origin. */
export function atan2(y: number, x: number): number {
  if (x === 0 && y === 0) return 0;
  const steep = Math.abs(y) > Math.abs(x);
  const slope = steep ? Math.abs(x) / Math.abs(y) : Math.abs(y) / Math.abs(x);
  const acute = steep ? HALF_PI - arctangent(slope) : arctangent(slope);
  const right = x < 0 ? PI - acute : acute;
  return y < 0 ? -right : right;
}

/**
 * 0 ≤ x ≤ 1. Applying the half-angle formula twice brings it below tan(π/16), where the series needs few
 * terms.
 */
function arctangent(x: number): number {
  const half = x / (1 + Math.sqrt(1 + x * x));
  const quarter = half / (1 + Math.sqrt(1 + half * half));
  const square = quarter * quarter;
  let sum = 0;
  for (let order = 25; order >= 1; order -= 2) sum = 1 / order - square * sum;
  return 4 * quarter * sum;
}

/** e to the power x; relative error below 1e-14. 0 below −700, and above 700 the value at 700. */
export function exp(x: number): number {
  if (x < -700) return 0;
  const bounded = Math.min(x, 700);
  const halvings = Math.floor(bounded / Math.LN2 + 0.5);
  const rest = bounded - halvings * LN_2_PARTS[0] - halvings * LN_2_PARTS[1];
  let sum = 1;
  for (let term = 18; term >= 1; term -= 1) sum = 1 + (rest / term) * sum;
  for (let step = 0; step < halvings; step += 1) sum *= 2;
  for (let step = 0; step > halvings; step -= 1) sum /= 2;
  return sum;
}

/** The natural logarithm of a positive number; relative error below 1e-14. −Infinity for 0 and less. */
export function ln(x: number): number {
  if (!(x > 0)) return Number.NEGATIVE_INFINITY;
  if (x === Number.POSITIVE_INFINITY) return x;
  let halvings = 0;
  let rest = x;
  // Exact: only the exponent changes.
  for (; rest >= 65_536; halvings += 16) rest /= 65_536;
  for (; rest > SQUARE_ROOT_OF_2; halvings += 1) rest /= 2;
  for (; rest < 1 / 65_536; halvings -= 16) rest *= 65_536;
  for (; rest < SQUARE_ROOT_OF_2 / 2; halvings -= 1) rest *= 2;
  // ln x = 2 artanh((x − 1) / (x + 1)); with the argument below 0.172 the first omitted term is below 1e-17.
  const ratio = (rest - 1) / (rest + 1);
  const square = ratio * ratio;
  let sum = 0;
  for (const coefficient of ARTANH) sum = coefficient + square * sum;
  return halvings * LN_2_PARTS[0] + (2 * ratio * sum + halvings * LN_2_PARTS[1]);
}

/** The logarithm to the base 10, as exact as the natural one. */
export function log10(x: number): number {
  return ln(x) / LN_10;
}

/** `value` limited to the range `minimum` to `maximum`. */
export function clamp(value: number, minimum: number, maximum: number): number {
  return Math.min(Math.max(value, minimum), maximum);
}

/** A direction in degrees normalized to [0, 360). */
export function wrapDegrees(direction: number): number {
  const wrapped = direction - Math.floor(direction / 360) * 360;
  // Rounding may have moved the quotient across a whole turn, up or down.
  return wrapped >= 0 && wrapped < 360 ? wrapped : 0;
}

/** The turn from one direction to another: −180 to below 180 degrees, right is positive. */
export function turnDegrees(from: number, to: number): number {
  return wrapDegrees(to - from + 180) - 180;
}

/**
 * East and north of `to` seen from `from`, in metres, on the tangent plane half way between them
 * (equirectangular). Within 10 km the error is below 0.1 %; across the date line it takes the short way.
 */
function offsetM(from: GeoPoint, to: GeoPoint): { readonly eastM: number; readonly northM: number } {
  const middle = radians((from.latitude + to.latitude) / 2);
  const east = radians(turnDegrees(from.longitude, to.longitude)) * cos(middle);
  const north = radians(to.latitude - from.latitude);
  return { eastM: east * EARTH_RADIUS_M, northM: north * EARTH_RADIUS_M };
}

/** Distance of two near places in metres. */
export function distanceM(from: GeoPoint, to: GeoPoint): number {
  const { eastM, northM } = offsetM(from, to);
  return Math.sqrt(eastM * eastM + northM * northM);
}

/** Direction from one near place to another: north 0, east 90, below 360; 0 if they are equal. */
export function bearingDegrees(from: GeoPoint, to: GeoPoint): number {
  const { eastM, northM } = offsetM(from, to);
  return wrapDegrees(degrees(atan2(eastM, northM)));
}

/** The place on the straight line between two near places, at `fraction` 0 to 1 of it from `from`. */
export function placeBetween(from: GeoPoint, to: GeoPoint, fraction: number): GeoPoint {
  return {
    latitude: from.latitude + (to.latitude - from.latitude) * fraction,
    longitude: from.longitude + turnDegrees(from.longitude, to.longitude) * fraction,
  };
}
