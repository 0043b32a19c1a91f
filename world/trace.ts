/**
 * What happened, in order. The virtual world hashes it (same seed, same hash); the real one hands it to whoever
 * listens, such as `boxtwin wire`.
 */
export interface Trace {
  note(event: TraceEvent): void;
}

export interface TraceEvent {
  /** Who: `box/<id>`, `backend`, `broker`, `weather`. */
  readonly who: string;
  /** What, in kebab-case: `frame-up`, `frame-down`, `connect`, `commit`. */
  readonly what: string;
  /** Bytes that crossed the wire, where that is what happened. */
  readonly bytes?: Uint8Array;
  readonly detail?: string;
}
