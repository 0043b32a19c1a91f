import type { Log } from './log.ts';
import type { Trace, TraceEvent } from './trace.ts';

/** The real trace keeps nothing: it hands each event to whoever listens at that moment. */
export interface RealTrace extends Trace {
  /** Calls `hear` with every event from now on; the returned function ends that. */
  listen(hear: (event: TraceEvent) => void): () => void;
}

/** A trace without listeners costs one comparison for each event. */
export function realTrace(log: Log): RealTrace {
  const listeners = new Set<(event: TraceEvent) => void>();
  return {
    note(event) {
      if (listeners.size === 0) return;
      for (const hear of listeners) tell(hear, event, log);
    },
    listen(hear) {
      // A wrapper of its own for each call, so that listening twice with one function is ended twice too.
      const listener = (event: TraceEvent) => hear(event);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What is watched must not suffer from who watches. */
function tell(hear: (event: TraceEvent) => void, event: TraceEvent, log: Log): void {
  try {
    hear(event);
  } catch (error) {
    log.error({ reason: String(error) }, 'A listener of the trace failed.');
  }
}
