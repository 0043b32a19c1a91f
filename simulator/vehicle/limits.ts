/** The bounds and the fixed figures of the physics. */
export const limits = {
  /** Share of what the engine could do that a driver asks for. */
  pedalShare: 0.55,
  /** Comfortable braking, and braking because the driver wants out now. */
  brakingMps2: 2,
  stoppingMps2: 4,
  /** Least share of the usual speed that a driver can be asked for. */
  slowestPace: 0.1,
  /** Below this speed a driver cannot brake hard. */
  maneuverMps: 7,
  /** How hard a maneuver is where nothing else is said, in thousandths of gravity. */
  heavyBrakingMg: 550,
  harshCorneringMg: 550,
  emergencyStopMg: 700,
  /** Lights that may be green one after the other; the next one is red. */
  greenInARow: 5,
  /** How likely a light is red, in percent. */
  redPercent: 45,
  shortestRedS: 6,
  longestRedS: 40,
  /** Where others drive too: from one vehicle's middle to the next, and how near two stand at the kerb. */
  followM: 12,
  kerbM: 7,
  /** It is not worth driving on for less, and looked at again after this time. */
  shortestHopM: 25,
  queueS: 3,
  /** From turning the key to moving off. */
  startS: 2,
  /** A driver fills up below the first, and goes on at the second. */
  lowEnergyPercent: 10,
  filledPercent: 92,
  /** What the traction battery of a plug-in hybrid keeps for itself, and what its engine does while it accelerates. */
  hybridReserveShare: 0.15,
  engineHelpShare: 0.5,
  /** How much of the engine's warmth reaches that battery. */
  packWarmthShare: 0.25,
  /** Petrol, litres a second; electricity, kilowatt-hours a second (50 kW). */
  pumpLitresPerS: 0.5,
  chargerKwhPerS: 50 / 3_600,
  /** Fuel at idle, in litres (0.7 an hour) or kilowatt-hours (0.6 an hour) a second. */
  idleLitresPerS: 0.7 / 3_600,
  idleKwhPerS: 0.6 / 3_600,

  /** Warming up and cooling down: targets, and the time in which two thirds of the way are done. */
  warmEngineC: 90,
  warmDriveC: 38,
  warmingS: 260,
  coolingS: 5_400,

  /** Below so much coolant it is hotter, by this share of what it is above the cold, at most. */
  coolingPercent: 15,
  coldC: 20,
  overheatingShare: 0.5,
  hotCoolantC: 110,
  /** Below it the indicator of the tank or the battery is lit. */
  energyWarningPercent: 15,
  /** A driver takes the gear out when a red light lasts longer. */
  neutralAfterS: 15,

  /** Low-voltage net: after a full charge, per day of rest, and the end of it. */
  restVolts: 12.7,
  restVoltsPerDay: 0.02,
  lowestRestVolts: 11.8,
  ignitionVolts: 12.3,
  /** With the generator running: at standstill, and more on top of it at speed. */
  generatorVolts: 13.9,
  generatorVoltsAtSpeed: 0.4,
  generatorSpeedMps: 15,
  /** While the traction battery is charged; and what a worn-out battery lacks at rest. */
  pluggedVolts: 13.6,
  wornOutVolts: 0.9,
  /** How much faster a worn-out battery sinks, and how much deeper. */
  wornOutSinking: 10,
  wornOutDepthVolts: 1.5,
  /** Lost on the way from the net to the box. */
  cableMillivolts: 80,
  brownOutMillivolts: 5_500,
  brownOutMs: 3_000,
  /** How long a starter turns a cold engine; between two attempts; and below which charge the first one fails. */
  crankingMs: 900,
  secondAttemptMs: 450,
  stallingPercent: 15,
  /** How long a workshop takes to put another starter battery in. */
  exchangeMs: 300_000,
  /** Behind a corroded terminal: enough for the box to run, too little to rely on. */
  poorSupplyMillivolts: 9_400,

  /** What an accelerometer keeps of what it has felt, at least; at most twice as much. */
  shakes: 48,
  /** How long the body rings when its skin is struck. */
  bumpMs: 20,
  /** How fast a vehicle is towed, and how far one leans that is taken up at one end. */
  towingMps: 5,
  liftedDegrees: 7,
  /** Fine particles in a cabin where nobody smokes. */
  cleanAirUgPerM3: 8,

  /** How long lights and horn go when a vehicle draws attention. */
  attentionMs: 6_000,

  /** The box's backup battery: percent a second while the generator runs; voltage empty, and per percent. */
  backupPercentPerS: 1 / 60,
  /** And while it feeds the box alone: ten hours. */
  backupPercentUsedPerS: 1 / 360,
  backupEmptyMillivolts: 3_500,
  backupMillivoltsPerPercent: 7,
} as const;
