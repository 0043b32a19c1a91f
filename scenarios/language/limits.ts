/** The bounds of a scenario file. The bounds of a run are in scenarios/run/limits.ts. */
export const limits = {
  /** Characters of a file: a scenario is read by people. */
  characters: 262_144,
  /** Values of one document, against aliases that expand without end, and their nesting. */
  aliases: 100,
  depth: 24,
  nodes: 20_000,
  /** Problems in one report; further ones are reported when these are corrected. */
  problems: 20,
  nameCharacters: 64,
  aboutCharacters: 1_000,
  steps: 500,
  fleetGroups: 50,
  boxes: 20_000,
  clients: 50,
  backends: 8,
  callsPerMinute: 10_000_000,
  expectations: 20,
  /** Corners of a place. */
  corners: 100,
  /** Rounds of one step that is repeated. */
  rounds: 10_000,
  variations: 20,
  choices: 100,
  /** The longest span: a year. */
  longestMs: 31_536_000_000,
  mostBytes: 1_099_511_627_776,
  mostBitsPerS: 10_000_000_000,
  /** The default time to heal. */
  usualHealMs: 600_000,
  /** The default time for expectations: longer than the service waits for a box. */
  usualWithinMs: 30_000,
  /** The default time for which a step waits for what it is to begin with. */
  usualTriggerMs: 600_000,
  /** The most messages of one `lose` or `late`. */
  mostMessages: 100_000,
  /** Characters of a regular expression in an expectation. */
  patternCharacters: 200,
  pathCharacters: 300,
} as const;
