/** The bounds of a scenario as a file. What a run may take is the runner's. */
export const limits = {
  /** Of a file: a scenario is read by people. */
  characters: 262_144,
  /** Of one document: aliases that grow, and values that hold values. */
  aliases: 100,
  depth: 24,
  nodes: 20_000,
  /** Problems in one report; what is wrong beyond them is seen when these are mended. */
  problems: 20,
  nameCharacters: 64,
  aboutCharacters: 1_000,
  steps: 500,
  fleetGroups: 50,
  boxes: 20_000,
  clients: 50,
  expectations: 20,
  variations: 20,
  choices: 100,
  /** Of any span: a year. */
  longestMs: 31_536_000_000,
  mostBytes: 1_099_511_627_776,
  mostBitsPerS: 10_000_000_000,
  /** How long all is left in peace at the end, where a scenario says nothing. */
  usualHealMs: 600_000,
  /** How long an answer is waited for, where a scenario says nothing: longer than the service waits for a box. */
  usualWithinMs: 30_000,
  /** Of the next messages that are lost or late. */
  mostMessages: 100_000,
  /** Of a regular expression in an expectation. */
  patternCharacters: 200,
  pathCharacters: 300,
} as const;
