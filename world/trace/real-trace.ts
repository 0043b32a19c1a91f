import type { Trace, TraceEvent } from './trace.ts';

/** The real trace keeps nothing: it passes each event to the current listeners. */
export interface RealTrace extends Trace {
  /** Calls `listener` with every event from now on. The returned function removes the listener. */
  listen(listener: (event: TraceEvent) => void): () => void;
}

/** Where an error of a listener is logged. */
interface ErrorLog {
  error(fields: { readonly reason: string }, message: string): void;
}

/** Without listeners an event costs one comparison. */
export function realTrace(log: ErrorLog): RealTrace {
  const listeners = new Set<(event: TraceEvent) => void>();
  return {
    note(event) {
      if (listeners.size === 0) return;
      for (const listener of listeners) notify(listener, event, log);
    },
    listen(listener) {
      // Each call has its own wrapper, so that a function that is added twice can also be removed twice.
      const wrapper = (event: TraceEvent) => listener(event);
      listeners.add(wrapper);
      return () => listeners.delete(wrapper);
    },
  };
}

/** An error of a listener is logged and must not reach the code that is traced. */
function notify(listener: (event: TraceEvent) => void, event: TraceEvent, log: ErrorLog): void {
  try {
    listener(event);
  } catch (error) {
    log.error({ reason: String(error) }, 'A listener of the trace failed.');
  }
}
