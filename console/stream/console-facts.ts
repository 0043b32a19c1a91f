import type { MapBase } from './map-base.ts';

/** What the page needs to know at first. */
export interface ConsoleFacts {
  readonly seed: number;
  /** The address of the service; null: there is none beside this fleet. */
  readonly service: string | null;
  /** Whether messages can be read. */
  readonly hasMessages: boolean;
  readonly nowMs: number;
  readonly map: MapBase;
}

/** Something that can be done: a row of a table of the control API, or an operation of the API. */
export interface Act {
  readonly name: string;
  readonly does: string;
  /** A body with which it works; undefined: it takes none. */
  readonly example: unknown;
}

/** An operation of the API on one vehicle. */
export interface ApiCommand {
  readonly method: string;
  /** With `{id}` for the vehicle. */
  readonly path: string;
  readonly summary: string;
  readonly group: string;
  /** A body with which it works; absent: it takes none. */
  readonly example?: unknown;
}

/** Everything that can be done with a vehicle. */
export interface Workbench {
  readonly acts: readonly Act[];
  readonly commands: readonly ApiCommand[];
}

/** A call of the API that was made for the page. */
export interface AnsweredCall {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly tookMs: number;
  readonly flowId: string | undefined;
  readonly retryAfter: string | undefined;
  /** JSON, or text; cut where it is too long. */
  readonly body: unknown;
  /** The same call for a shell; `$TOKEN` is for the reader to fill in. */
  readonly curl: string;
}
