/** The figures of satellite navigation. */
export const limits = {
  /** A receiver uses no satellite below this elevation, where atmosphere and ground distort the signal. */
  leastElevationDegrees: 10,
  /** Satellite directions are computed this often, and for squares of this many degrees. */
  slotMs: 60_000,
  squareDegrees: 1,
  /** How many of these results are cached. */
  skiesKept: 64,

  /**
   * Buildings along a street: twice their height divided by its width, which is the tangent of the elevation
   * below which they hide satellites across the street. Minimum and maximum by kind of street.
   */
  openFrom: 0.1,
  openTo: 0.8,
  canyonFrom: 0.7,
  canyonTo: 1.5,
  /** Correlation distance of the buildings. */
  housesM: 120,
  /** The sky visible below a roof: its elevation limit, and its width along the street. */
  coveredElevation: 0.35,
  coveredRatio: 2,

  /** A position fix has four unknowns: three coordinates and the clock. */
  leastSatellites: 4,
  /** Above this value a position is unusable. */
  worstHdop: 20,
  /** For dead reckoning with wheels and gyroscope. */
  reckonedHdop: 3.5,

  /** Error of one range (UERE), with and without corrections, in metres; its correlation time. */
  correctedRangeM: 0.9,
  rangeM: 1.8,
  rangeS: 90,
  /** The vertical error is this many times the horizontal one. */
  upwards: 1.7,
  /** Multipath error from buildings: deviation by sky, in metres; its correlation distance. */
  echoesM: { open: 0.4, canyon: 3, covered: 4 },
  echoWayM: 12,

  /** Speed by Doppler: deviation in metres per second at an HDOP of 1; its correlation time. */
  dopplerMps: 0.05,
  dopplerS: 1.5,
  /** Below this speed, in metres per second, the last course is held instead of measured. */
  heldMps: 1.5,
  /** Correlation distance of the course error. */
  courseM: 15,

  /** From power to the first fix, shortest and longest, by the receiver's memory. */
  firstFixMs: { cold: [26_000, 40_000], warm: [18_000, 28_000], hot: [1_000, 3_000] },
} as const;
