import type { QuotaAllotment, QuotaWish } from './quota-allotment.ts';

/** The quotas of clients, where several backends count one together. */
export interface QuotaStore {
  /**
   * Takes some calls out of a client's quota: at least `wanted`, as far as there are so many left, and a few more where
   * nobody else needs them. What is not used by the end of the window lapses.
   */
  take(clientId: string, wish: QuotaWish): Promise<QuotaAllotment>;
}
