import type { BoxVehicle } from './stored-vehicle.ts';

/**
 * Setups as work with due times: due time and attempt are stored with each vehicle, so that any backend can
 * continue what another one began. A box's answer is settled by ingest in the commit of its reply; these
 * calls never change a setup that has ended.
 */
export interface SetupStore {
  /**
   * Setups of vehicles with a box, in order of their due times: PENDING ones whose box is connected and
   * ready, and RUNNING ones whose box has not answered by `nowMs`. With `afterMs` only those that fell due
   * later.
   */
  due(query: {
    readonly nowMs: number;
    readonly limit: number;
    readonly afterMs?: number;
  }): Promise<readonly Setup[]>;
  /** The setups of these boxes, whether or not they are due. */
  ofBoxes(boxIds: readonly string[]): Promise<readonly Setup[]>;
  /** When the next one falls due after `afterMs`, with the boxes as they are now; undefined: none. */
  nextDueMs(afterMs: number): Promise<number | undefined>;
  /**
   * PENDING becomes RUNNING, as one more attempt, until `dueMs`. Undefined: it has changed since, nothing is
   * written.
   */
  begin(setup: Setup, dueMs: number, atMs: number): Promise<Setup | undefined>;
  /** RUNNING becomes PENDING until `dueMs`, or FAILED. False: it has changed since, nothing is written. */
  end(setup: Setup, end: SetupResult, atMs: number): Promise<boolean>;
}

export interface Setup {
  readonly vehicle: BoxVehicle;
  /** Attempts so far. */
  readonly attempts: number;
  /** PENDING: not before then. RUNNING: the box counts as silent from then on. */
  readonly dueMs: number;
}

export type SetupResult =
  /** `isVoid`: nothing reached the box, so the attempt does not count. */
  | {
      readonly to: 'PENDING';
      readonly dueMs: number;
      readonly detail: string;
      readonly isVoid?: boolean;
    }
  | { readonly to: 'FAILED'; readonly detail: string };
