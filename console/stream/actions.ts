/** An act on a vehicle: a row of a table of the control API. */
export interface Act {
  readonly name: string;
  readonly does: string;
  /** A valid body; undefined: it takes none. */
  readonly example: unknown;
}

/** An operation of the API on one vehicle. */
export interface ApiCommand {
  readonly method: string;
  /** With `{id}` for the vehicle. */
  readonly path: string;
  readonly summary: string;
  readonly group: string;
  /** A valid body; absent: it takes none. */
  readonly example?: unknown;
}

/** All actions on a vehicle. */
export interface ActionCatalogue {
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

/** The weather of the whole fleet, and the available presets. */
export interface FleetWeatherState {
  readonly preset: string;
  readonly presets: readonly { readonly name: string; readonly does: string }[];
}
