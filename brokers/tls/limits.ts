/** How long certificates of the local authority last. */
export const limits = {
  /** The authority: users have its certificate in their clients' settings, so it outlives every data directory. */
  authorityDays: 3_650,
  /** A server's: within the 398 days that strict clients take. */
  serverDays: 397,
  /** A certificate that ends within this time is made anew at the start. */
  renewDays: 60,
  /** Certificates begin before they are made: clocks differ. */
  earlierDays: 1,
} as const;
