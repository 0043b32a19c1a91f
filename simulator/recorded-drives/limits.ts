/** The limits of recorded drives. */
export const limits = {
  /** The most rows or points of one file. */
  samples: 200_000,
  /** The most columns of a table, and the longest line of one. */
  columns: 500,
  lineCharacters: 100_000,
  /** The longest drive. */
  longestS: 172_800,
  /** The shortest way of a drive. */
  shortestWayM: 50,

  /** Samples that follow sooner are left out: the physics need no more. */
  leastStepS: 0.1,
  /** Points are kept this far apart: closer ones have no direction. */
  stepM: 5,
  /** A vehicle stands below this speed; where there is none, where it stays within `stepM` so long. */
  standingMps: 0.3,
  standingS: 8,
  /** A standing receiver drifts: only a place so far away is another one. */
  driftM: 25,
  /** The place where a vehicle stops is another one from this distance on. */
  shiftM: 2,

  /** Longer without a position is a gap, which is told where the vehicle has moved so far meanwhile. */
  gapS: 10,
  gapM: 50,
  /** Who stands so long without a word has turned the ignition off. */
  parkedS: 300,
  /** A time that goes on so much later is a clock that was set. */
  clockSetS: 43_200,
  /** How long a way of which the time is unknown is taken to last. */
  unknownWayMps: 14,
  /** No vehicle is faster: 360 km/h. A point that asks for more is an error of the receiver. */
  fastestMps: 100,
  /** So many such points in a row are left out; more are another place. */
  strayPoints: 5,

  /** How fast the speed changes: as recorded, and where it is reckoned from positions. */
  recordedMps2: 12,
  reckonedMps2: 4,
  /** From standstill a drive begins no harder; otherwise it had begun before the first point. */
  beginningMps2: 3,
  /** How a gap's speed is reached from the speed before it. */
  gapMps2: 1.5,
  /** Positions are too rough to tell more of a bend. Below what counts as harsh cornering. */
  lateralMps2: 2.5,

  /** Values outside are no readings of a vehicle. */
  speedMps: 140,
  rpm: 20_000,
  mileageKm: 2_000_000,
} as const;
