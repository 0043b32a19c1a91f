/** The figures of mobile radio along the streets. */
export const limits = {
  /** Of a carrier of LTE band 3, and what a site sends: power, and the gain of its antenna. */
  carrierGhz: 1.8,
  transmitDbm: 46,
  antennaDbi: 15,
  /** What the body of a vehicle takes away from an antenna below its dashboard (7.4.3.2, car penetration loss). */
  bodyDb: 9,
  /** Antennas above the street: of a site, and of a vehicle (3GPP TR 38.901, table 7.2-1, UMa). */
  siteHeightM: 25,
  vehicleHeightM: 1.5,
  /** Shadowing in UMa without line of sight: deviation (table 7.4.1-1) and correlation distance (table 7.5-6). */
  shadowingDb: 6,
  shadowingM: 50,

  /** One site in each square of the land, where one is built: in so many of a hundred. */
  sitePitchM: 1_400,
  builtPercent: 80,
  /**
   * Dips, yards and underpasses that no site lights: in so many of a hundred squares one, round, of that size. Half way
   * to its middle so much is lost.
   */
  darkPercent: 60,
  darkLeastM: 80,
  darkMostM: 200,
  darkDb: 70,
  /** From here on a tilted antenna loses sight of the street: by so much more each metre, and wholly at the second. */
  tiltFromM: 1_800,
  tiltDbPerM: 0.05,
  /** In how many squares around its own a vehicle can hear a site. */
  squaresAround: 2,
  /** Squares of which the sites are kept. */
  squaresKept: 4_096,

  /** Below it a modem under way has no network (3GPP TS 27.007, +CSQ: 2 dB a step from −113 dBm on). */
  leastDbm: -107,
  /** Of the level as a modem measures it: deviation, bound, and in which time it forgets. */
  measuringDb: 2,
  measuringMostDb: 4,
  measuringS: 20,
  /** By so much, up or down, antennas differ at most in how they are built in. */
  antennaMostDb: 4,

  /** Of a frame, one way: the span of the boxes' medians, the deviation of its logarithm, and the most. */
  linkMedianMs: [55, 120],
  linkSigma: 0.45,
  linkMostMs: 4_000,
  /** Below the first each step of +CSQ means so much more of it: blocks are sent again. */
  poorCsq: 12,
  slowerPerCsq: 0.12,
  /** So long after a frame the radio is awake; then it is set up anew, and called every so often. */
  awakeMs: 10_000,
  setUpMs: [80, 180],
  pagingMs: 1_280,
  /** From a frame in the modem to the program that has read it. */
  processorMs: [15, 60],
  /** What moves, or switches. */
  motorMs: {
    locked: [120, 320],
    drivingEnabled: [20, 60],
    topCaseLocked: [120, 320],
    compartmentLocked: [120, 320],
    attention: [20, 60],
  },
} as const;
