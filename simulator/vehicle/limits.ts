/** The limits and fixed figures of the physics. */
export const limits = {
  /** The share of the engine's power that a driver uses. */
  pedalShare: 0.55,
  /** Comfortable braking, and hard braking when the driver wants to stop now. */
  brakingMps2: 2,
  stoppingMps2: 4,
  /** The lowest share of the usual speed that can be set. */
  slowestPace: 0.1,
  /** The highest: a driver who ignores the limits. */
  fastestPace: 2,
  /** Below this speed a driver cannot brake hard. */
  maneuverMps: 7,
  /** The default strength of a maneuver, in thousandths of gravity. */
  heavyBrakingMg: 550,
  harshCorneringMg: 550,
  emergencyStopMg: 700,
  /** The most consecutive lights that can be green; the next one is red. */
  greenInARow: 5,
  /** The probability of a red light, in percent. */
  redPercent: 45,
  shortestRedS: 6,
  longestRedS: 40,
  /** With other traffic: the distance between the middles of two vehicles, driving and parked at the kerb. */
  followM: 12,
  kerbM: 7,
  /** A vehicle does not drive on for a shorter distance, and checks again after this time. */
  shortestDriveM: 25,
  queueS: 3,
  /** From starting the engine to moving off. */
  startS: 2,
  /** A driver refuels below the first value, and continues at the second. */
  lowEnergyPercent: 10,
  filledPercent: 92,
  /**
   * The reserve of a plug-in hybrid's traction battery, and its engine's share of the work while it
   * accelerates.
   */
  hybridReserveShare: 0.15,
  engineHelpShare: 0.5,
  /** The share of the engine's heat that reaches that battery. */
  packWarmthShare: 0.25,
  /** How much warmer a battery in the second port is than one in the first, and an old one than a new one. */
  portWarmthC: 4,
  agedWarmthC: 2,
  /** Refuelling in litres per second; charging in kilowatt-hours per second (50 kW). */
  pumpLitresPerS: 0.5,
  chargerKwhPerS: 50 / 3_600,
  /** Consumption at idle, in litres (0.7 per hour) or kilowatt-hours (0.6 per hour) per second. */
  idleLitresPerS: 0.7 / 3_600,
  idleKwhPerS: 0.6 / 3_600,

  /** Warming up and cooling down: target temperatures and time constants. */
  warmEngineC: 90,
  warmDriveC: 38,
  warmingS: 260,
  coolingS: 5_400,

  /** Below this coolant level the engine is hotter, by at most this share of its excess temperature. */
  coolingPercent: 15,
  coldC: 20,
  overheatingShare: 0.5,
  hotCoolantC: 110,
  /** Below this level the indicator of the tank or battery is lit. */
  energyWarningPercent: 15,
  /** A driver shifts into neutral if a red light lasts longer. */
  neutralAfterS: 15,

  /** Low-voltage system: the voltage after a full charge, its loss per day of rest, and its lowest value. */
  restVolts: 12.7,
  restVoltsPerDay: 0.02,
  lowestRestVolts: 11.8,
  ignitionVolts: 12.3,
  /** With the generator running: at a standstill, and the addition at speed. */
  generatorVolts: 13.9,
  generatorVoltsAtSpeed: 0.4,
  generatorSpeedMps: 15,
  /** While the traction battery is charged; and how much less a worn-out battery has at rest. */
  pluggedVolts: 13.6,
  wornOutVolts: 0.9,
  /** How much faster and deeper a worn-out battery discharges. */
  wornOutSinking: 10,
  wornOutDepthVolts: 1.5,
  /** The voltage drop between the low-voltage system and the box. */
  cableMillivolts: 80,
  brownOutMillivolts: 5_500,
  brownOutMs: 3_000,
  /**
   * The cranking time of a cold engine, the pause between two attempts, and the charge below which the first
   * one fails.
   */
  crankingMs: 900,
  secondAttemptMs: 450,
  stallingPercent: 15,
  /** How long a workshop takes to replace the starter battery. */
  exchangeMs: 300_000,
  /** Behind a corroded terminal: enough for the box to run, too little to be reliable. */
  poorSupplyMillivolts: 9_400,

  /** The minimum number of intervals that an accelerometer's buffer keeps; the maximum is twice as many. */
  accelerationIntervals: 48,
  /** How long the body vibrates after a knock on its skin. */
  bumpMs: 20,
  /** The towing speed, and the tilt of a vehicle that is lifted at one end. */
  towingMps: 5,
  liftedDegrees: 7,
  /** Fine particles in a cabin without smokers. */
  cleanAirUgPerM3: 8,

  /** How long lights and horn are on when a vehicle draws attention. */
  attentionMs: 6_000,

  /**
   * The box's backup battery: percent per second while the generator runs; its voltage when empty, and per
   * percent.
   */
  backupPercentPerS: 1 / 60,
  /** The same while it alone supplies the box: ten hours. */
  backupPercentUsedPerS: 1 / 360,
  backupEmptyMillivolts: 3_500,
  backupMillivoltsPerPercent: 7,
} as const;
