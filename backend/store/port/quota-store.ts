/** The quotas of clients that several backends share. */
export interface QuotaStore {
  /**
   * Assigns calls of a client's quota: at least `wanted` if that many are left, and a few more if no other backend
   * needs them. Unused ones lapse at the end of the window.
   */
  take(clientId: string, wish: QuotaWish): Promise<QuotaAllotment>;
}

/** Times are those of the store's clock, in milliseconds since 1970. */
export interface QuotaWish {
  /** Calls in a window of `windowMs` milliseconds, of all backends together. */
  readonly limit: number;
  readonly windowMs: number;
  /** Calls that wait for it. */
  readonly wanted: number;
  /** Calls that this backend got in the window that ends then, and has used since its last report. */
  readonly spent: { readonly endsMs: number; readonly calls: number } | undefined;
}

/** The calls that a backend may allow on its own. */
export interface QuotaAllotment {
  readonly calls: number;
  /** Calls of the window that are not assigned yet. */
  readonly left: number;
  /** The end of the window, by the store's clock, and its remaining duration. */
  readonly endsMs: number;
  readonly remainingMs: number;
}
