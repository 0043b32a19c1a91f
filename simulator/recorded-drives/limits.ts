/** The limits of recorded drives. */
export const limits = {
  /** The most rows or points of one file. */
  samples: 200_000,
  /** The most columns of a table, and the longest line of one. */
  columns: 500,
  /** The longest format of a time in a mapping. */
  formatCharacters: 60,
  lineCharacters: 100_000,
  /** The names of the columns are in one of the first lines. */
  headerLines: 50,
  /** This many first lines decide whether a JSON text has one object a line: then most of them are objects. */
  formLines: 10,
  /** Lines below the names that state units or sources. */
  unitsLines: 3,
  /** Readings of several signals within this time are one moment. */
  momentMs: 2_000,
  /** The longest drive. */
  longestS: 172_800,
  /** The shortest way of a drive. */
  shortestWayM: 50,

  /** Samples that follow sooner are left out: the physics does not need them. */
  leastStepS: 0.1,
  /** Points are kept this far apart: closer ones have no direction. */
  stepM: 5,
  /** A vehicle is stationary below this speed; without speeds, if it stays within `stepM` for this long. */
  standingMps: 0.3,
  standingS: 8,
  /** A stationary receiver drifts: only a place at least this far away is another one. */
  driftM: 25,
  /** The place where a vehicle stops is another one from this distance on. */
  shiftM: 2,

  /** Longer without a position is a gap, which is remarked if the vehicle has moved this far meanwhile. */
  gapS: 10,
  gapM: 50,
  /** A vehicle that is stationary for this long without a reading has its ignition off. */
  parkedS: 300,
  /** A jump of the time by this much is a clock that was set. */
  clockSetS: 43_200,
  /** The assumed duration of a way whose time is unknown. */
  unknownWayMps: 14,
  /** No vehicle is faster: 360 km/h. A point that requires more is an error of the receiver. */
  fastestMps: 100,
  /** This many such points in a row are left out; more are another place. */
  strayPoints: 5,

  /** How fast the speed changes: as recorded, and where it is calculated from positions. */
  recordedMps2: 12,
  calculatedMps2: 4,
  /** From standstill a drive begins no harder; otherwise it had begun before the first point. */
  beginningMps2: 3,
  /** How a gap's speed is reached from the speed before it. */
  gapMps2: 1.5,
  /** Positions are too inaccurate for sharper bends. Below the threshold of harsh cornering. */
  lateralMps2: 2.5,

  /** A speed is compared with the way over this many stretches or more of this length, in pieces this long at most. */
  comparedWayM: 50,
  comparedS: 60,
  comparedStretches: 3,
  /** An odometer is compared with the way over this length and this many steps; a speed over this many stretches. */
  comparedDriveM: 500,
  comparedSteps: 10,
  /**
   * Readings are in a unit if they match its factor: the median within `unitShare`, all but `outlierShare` in
   * `unitSpread`.
   */
  unitShare: 0.07,
  unitSpread: 0.15,
  outlierShare: 0.2,
  /** A factor of this size or its inverse needs two steps only, and may be off by more: no other unit is near. */
  certainFactor: 100,
  certainSteps: 2,
  certainShare: 1 / 3,
  /** Points that are further apart in time cut bends: straight lines between them have at least this share of the way. */
  closeS: 5,
  leastChord: 1 / 3,
  /** A deviation of more than a third is remarked. */
  leastRatio: 2 / 3,
  mostRatio: 4 / 3,

  /** A drive whose usual speed is outside has implausible times: 2 and 200 km/h. */
  leastUsualMps: 2 / 3.6,
  mostUsualMps: 200 / 3.6,

  /** Values outside are no readings of a vehicle. */
  speedMps: 140,
  rpm: 20_000,
  mileageKm: 2_000_000,
} as const;
