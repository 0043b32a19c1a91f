/** The bounds of looking for failures. */
export const limits = {
  /** Runs where nobody says how many. */
  usualRuns: 100,
  usualSwarmRuns: 20,
  mostRuns: 100_000,
  /** Runs that go into making a failure smaller, beyond those that found it. */
  shrinkRuns: 300,
  /** Of these so many at most for simpler draws; the rest is for the document, which gets smaller faster. */
  drawShrinkRuns: 10,
  /** Beside the seed of the file so many following ones are drawn. */
  seeds: 10_000,
  /** Beside the seed of the file so many following ones are tried for comparison: with one a run may pass by chance. */
  contrastSeeds: 3,
  /** Steps of one file whose order is drawn where they have the same time. */
  orderedSteps: 60,
  /** Of a drawn scenario. */
  swarmSteps: 10,
  /** In each of up to three groups. */
  swarmVehicles: 3,
  swarmLongestMs: 20 * 60_000,
  /** The longest that each call of a slow store takes longer in it. */
  swarmStoreSlowMs: 10_000,
  /** The longest gap of a change of networks. */
  swarmGapMs: 240_000,
  /** Characters of a reason in the header of a file. */
  headerCharacters: 300,
} as const;
