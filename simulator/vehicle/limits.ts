/** The bounds and the fixed figures of the physics. */
export const limits = {
  /** Share of what the engine could do that a driver asks for. */
  pedalShare: 0.55,
  /** Comfortable braking, and braking because the driver wants out now. */
  brakingMps2: 2,
  stoppingMps2: 4,
  /** Lights that may be green one after the other; the next one is red. */
  greenInARow: 5,
  /** How likely a light is red, in percent. */
  redPercent: 45,
  shortestRedS: 6,
  longestRedS: 40,
  /** From turning the key to moving off. */
  startS: 2,
  /** A driver fills up below the first, and goes on at the second. */
  lowEnergyPercent: 10,
  filledPercent: 92,
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

  /** Low-voltage net: after a full charge, per day of rest, and the end of it. */
  restVolts: 12.7,
  restVoltsPerDay: 0.02,
  lowestRestVolts: 11.8,
  ignitionVolts: 12.3,
  /** With the generator running: at standstill, and more on top of it at speed. */
  generatorVolts: 13.9,
  generatorVoltsAtSpeed: 0.4,
  generatorSpeedMps: 15,
  /** Lost on the way from the net to the box. */
  cableMillivolts: 80,
  brownOutMillivolts: 5_500,
  brownOutMs: 3_000,

  /** The box's backup battery: percent a second while the generator runs; voltage empty, and per percent. */
  backupPercentPerS: 1 / 60,
  backupEmptyMillivolts: 3_500,
  backupMillivoltsPerPercent: 7,
} as const;
