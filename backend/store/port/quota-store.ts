/** The quotas of clients, where several backends count one together. */
export interface QuotaStore {
  /**
   * Takes some calls out of a client's quota: at least `wanted`, as far as there are so many left, and a few more where
   * nobody else needs them. What is not used by the end of the window lapses.
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
  /** Calls that this backend got in the window that ends then, and has used since it last told. */
  readonly spent: { readonly endsMs: number; readonly calls: number } | undefined;
}

/** What a backend may let through on its own. */
export interface QuotaAllotment {
  readonly calls: number;
  /** Calls of the window that nobody has yet. */
  readonly left: number;
  /** The end of the window, by the store's clock, and how long it lasts from now on. */
  readonly endsMs: number;
  readonly remainingMs: number;
}
