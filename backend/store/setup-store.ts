import type { BoxVehicle } from './vehicle-store.ts';

/**
 * Setups as work that is due: when, and which attempt, stands with each vehicle, so that any backend may go on with
 * what another one began. What a box answers is settled by ingest in the commit of its reply; these calls never touch
 * a setup that has come to its end.
 */
export interface SetupStore {
  /**
   * Of vehicles with a box, in the order in which they fall due: those PENDING whose box is connected and ready, and
   * those RUNNING whose box has not answered by `nowMs`. With `afterMs` only what fell due later than that.
   */
  due(query: {
    readonly nowMs: number;
    readonly limit: number;
    readonly afterMs?: number;
  }): Promise<readonly Setup[]>;
  /** Those of these boxes, whether they are due by now or not. */
  ofBoxes(boxIds: readonly string[]): Promise<readonly Setup[]>;
  /** When the next of them falls due after `afterMs`, as their boxes are now; undefined: none does. */
  nextDueMs(afterMs: number): Promise<number | undefined>;
  /** PENDING becomes RUNNING, as one attempt more, until `dueMs`. Undefined: it has changed since, nothing is written. */
  begin(setup: Setup, dueMs: number, atMs: number): Promise<Setup | undefined>;
  /** RUNNING becomes PENDING until `dueMs`, or FAILED. False: it has changed since, nothing is written. */
  end(setup: Setup, end: SetupEnd, atMs: number): Promise<boolean>;
}

export interface Setup {
  readonly vehicle: BoxVehicle;
  /** Begun by now. */
  readonly attempts: number;
  /** PENDING: not before then. RUNNING: the box counts as silent from then on. */
  readonly dueMs: number;
}

export type SetupEnd =
  /** `isVoid`: nothing reached the box, so the attempt does not count. */
  | {
      readonly to: 'PENDING';
      readonly dueMs: number;
      readonly detail: string;
      readonly isVoid?: boolean;
    }
  | { readonly to: 'FAILED'; readonly detail: string };
