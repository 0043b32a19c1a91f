/** Validity of the certificates of the local authority. */
export const limits = {
  /**
   * The authority: users have its certificate in their clients' settings, so it outlives every data
   * directory.
   */
  authorityDays: 3_650,
  /** A server's certificate: within the 398 days that strict clients accept. */
  serverDays: 397,
  /** A certificate that expires within this time is renewed at the start. */
  renewDays: 60,
  /** Certificates are valid from before their creation, since clocks differ. */
  earlierDays: 1,
} as const;
