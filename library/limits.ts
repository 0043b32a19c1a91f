/** The bounds of the test library. */
export const limits = {
  /** Of the hooks that start and end a service for a test file, and of a test that runs a scenario. */
  startMs: 60_000,
  scenarioMs: 600_000,
  /** The maker's vehicles and the unassigned devices of a fleet. */
  makerVehicles: 100,
  unassignedDevices: 3,
  /** How long a wait lasts that names no time, and the interval at which an expectation looks again. */
  withinMs: 5_000,
  lookMs: 50,
  /** Messages that a stream keeps for its reader. */
  bufferedMessages: 10_000,
  /** The last messages that are kept for the texts of failures, and how many of them a text lists. */
  recentMessages: 1_000,
  listedMessages: 8,
  /** What a test did, in its trace, and how much of it the report shows. */
  tracedEvents: 20_000,
  reportedEvents: 60,
  /** The last payloads between boxes and their broker, in a trace, and the frames of them that a report shows. */
  tracedPayloads: 2_000,
  reportedFrames: 30,
  reportedVehicles: 10,
  /** The characters of a folder's name, and of a body in a trace. */
  nameCharacters: 80,
  bodyCharacters: 4_000,
  /** The characters of a body, and of an answer, in the text of a failure. */
  shownCharacters: 300,
} as const;
