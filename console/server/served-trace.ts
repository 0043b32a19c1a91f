/** A trace that is shown. */
export interface ServedTrace {
  /** For people: the name of its file. */
  readonly name: string;
  readonly size: number;
  open(): ReadableStream<Uint8Array>;
}

/** The trace as a file; of a HEAD its name and size alone. */
export function traceResponse(trace: ServedTrace, method: string): Response {
  const headers = {
    'content-type': 'application/x-ndjson',
    'content-length': String(trace.size),
    'x-trace-name': encodeURIComponent(trace.name),
    'cache-control': 'no-store',
  };
  return new Response(method === 'HEAD' ? null : trace.open(), { headers });
}
