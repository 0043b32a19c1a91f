/** The bounds of mutation testing. */
export const limits = {
  /** Mutants that are drawn in each room. */
  mutants: 400,
  /** A mutant has so many times as long as its tests took without it, and `mutantMs` on top. */
  mutantTimes: 4,
  mutantMs: 20_000,
  /** Of the tests without a mutant, which also tell what each of them reaches. */
  dryRunMinutes: 15,
  /** Texts of a survivor are cut at this length. */
  textCharacters: 400,
} as const;
