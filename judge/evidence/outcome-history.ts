/** What has an outcome in the store that is final. */
export const OUTCOME_KINDS = ['command', 'item', 'configuration'] as const;
export type OutcomeKind = (typeof OUTCOME_KINDS)[number];

/** A change of what was settled. */
export interface OutcomeChange {
  readonly kind: OutcomeKind;
  readonly atMs: number;
  /** Which one, what it was and what it became. */
  readonly text: string;
  /** Of the box, or of the vehicle. */
  readonly of: string;
}

/** The changes of commands, of vehicles of bulk jobs and of configurations in the store, row by row. */
export interface OutcomeHistory {
  /** How many changes were looked at. */
  readonly counts: Readonly<Record<OutcomeKind, number>>;
  /** Those of settled ones, the first ones. */
  readonly changed: readonly OutcomeChange[];
}
