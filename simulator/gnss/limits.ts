/** The figures of satellite navigation. */
export const limits = {
  /** A receiver uses no satellite lower than this: the air and the ground spoil its signal. */
  leastElevationDegrees: 10,
  /** Directions of satellites are worked out so often, and for squares of so many degrees. */
  slotMs: 60_000,
  squareDegrees: 1,
  /** Of those kept at once. */
  skiesKept: 64,

  /**
   * Houses beside a street: twice their height by its width, which is the tangent of the elevation below which they
   * hide what stands across the street. From the least to the most, by the place.
   */
  openFrom: 0.1,
  openTo: 0.8,
  canyonFrom: 0.7,
  canyonTo: 1.5,
  /** Houses are alike within this way. */
  housesM: 120,
  /** What is seen below a roof: so low, and so much along the street. */
  coveredElevation: 0.35,
  coveredRatio: 2,

  /** A place has four unknowns: its three coordinates and the clock. */
  leastSatellites: 4,
  /** Above it a place is worth nothing. */
  worstHdop: 20,
  /** Of a box that reckons on with wheels and gyroscope. */
  reckonedHdop: 3.5,

  /** Error of one range (UERE), with and without corrections, in metres; in which time it forgets. */
  correctedRangeM: 0.9,
  rangeM: 1.8,
  rangeS: 90,
  /** A place is off upwards by so many times as much. */
  upwards: 1.7,
  /** What comes by way of the houses: deviation by sky, in metres; alike within this way. */
  echoesM: { open: 0.4, canyon: 3, covered: 4 },
  echoWayM: 12,

  /** Speed by Doppler: deviation in metres a second at an HDOP of 1; in which time it forgets. */
  dopplerMps: 0.05,
  dopplerS: 1.5,
  /** Below it a direction is held rather than measured, in metres a second. */
  heldMps: 1.5,
  /** Along which way the error of a direction forgets. */
  courseM: 15,

  /** From power to the first fix, shortest and longest, by what the receiver knows. */
  firstFixMs: { cold: [26_000, 40_000], warm: [18_000, 28_000], hot: [1_000, 3_000] },
} as const;
