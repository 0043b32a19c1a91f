/** The figures of mobile radio along the streets. */
export const limits = {
  /** The carrier frequency of LTE band 3; the transmit power of a site and the gain of its antenna. */
  carrierGhz: 1.8,
  transmitDbm: 46,
  antennaDbi: 15,
  /** Attenuation by the vehicle's body for an antenna below its dashboard (7.4.3.2, car penetration loss). */
  bodyDb: 9,
  /** Antenna heights above the street: of a site, and of a vehicle (3GPP TR 38.901, table 7.2-1, UMa). */
  siteHeightM: 25,
  vehicleHeightM: 1.5,
  /** Shadowing in UMa without line of sight: deviation (table 7.4.1-1) and correlation distance (table 7.5-6). */
  shadowingDb: 6,
  shadowingM: 50,

  /** The side of the squares that have at most one site, and how many of a hundred have one. */
  sitePitchM: 1_400,
  builtPercent: 80,
  /**
   * Dips, yards and underpasses without coverage: how many of a hundred squares have one, round, and its
   * size. Half way to its middle this much is lost.
   */
  darkPercent: 60,
  darkLeastM: 80,
  darkMostM: 200,
  darkDb: 70,
  /**
   * From this distance on a tilted antenna loses the street: by this much more each metre, completely at the
   * second.
   */
  tiltFromM: 1_800,
  tiltDbPerM: 0.05,
  /** How many squares around its own are searched for sites. */
  squaresAround: 2,
  /** How many squares are cached with their sites. */
  squaresKept: 4_096,

  /** Below this level a moving modem has no network (3GPP TS 27.007, +CSQ: 2 dB per step from −113 dBm). */
  leastDbm: -107,
  /** The measurement error of a modem's level: deviation, bound, and correlation time. */
  measuringDb: 2,
  measuringMostDb: 4,
  measuringS: 20,
  /** The largest difference, up or down, by how an antenna is installed. */
  antennaMostDb: 4,

  /**
   * The delay of a frame, one way: the range of the boxes' medians, the deviation of its logarithm, and the
   * maximum.
   */
  linkMedianMs: [55, 120],
  linkSigma: 0.45,
  linkMostMs: 4_000,
  /** Below the first value each step of +CSQ multiplies the delay: blocks are sent again. */
  poorCsq: 12,
  slowerPerCsq: 0.12,
  /**
   * The radio stays awake this long after a frame. After that its connection must be set up again, and it
   * is paged periodically.
   */
  awakeMs: 10_000,
  setUpMs: [80, 180],
  pagingMs: 1_280,
  /** From the frame's arrival at the modem until the program has read it. */
  processorMs: [15, 60],
  /** How long parts take to move or switch. */
  motorMs: {
    locked: [120, 320],
    drivingEnabled: [20, 60],
    topCaseLocked: [120, 320],
    compartmentLocked: [120, 320],
    attention: [20, 60],
  },
} as const;
