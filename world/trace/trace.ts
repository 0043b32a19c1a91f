/**
 * What happened, in order. The virtual world hashes it (same seed, same hash); the real one passes it to its
 * listeners, such as `boxtwin wire`.
 */
export interface Trace {
  note(event: TraceEvent): void;
}

export interface TraceEvent {
  /** The source: `box/<id>`, `backend`, `broker`, `weather`. */
  readonly who: string;
  /** What happened, in kebab-case: `frame-up`, `frame-down`, `connect`, `commit`. */
  readonly what: string;
  /** The bytes of a payload that was sent or received, if the event is about one. */
  readonly bytes?: Uint8Array;
  readonly detail?: string;
  /** A line for people, such as one of a log: the trace shows it, and its hash leaves it out. */
  readonly isDiagnostic?: boolean;
}
