/** A trace that is shown. */
export interface ServedTrace {
  /** For display: the name of its file. */
  readonly name: string;
  readonly size: number;
  /** Rejects where the file cannot be read any more. */
  open(): Promise<ReadableStream<Uint8Array>>;
}

/** The trace as a file; of a HEAD its name and size only. */
export async function traceResponse(trace: ServedTrace, method: string): Promise<Response> {
  const headers = {
    'content-type': 'application/x-ndjson',
    'content-length': String(trace.size),
    'x-trace-name': encodeURIComponent(trace.name),
    'cache-control': 'no-store',
  };
  return new Response(method === 'HEAD' ? null : await trace.open(), { headers });
}
