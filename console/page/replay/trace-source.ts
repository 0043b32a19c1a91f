/** The source of a trace. */
export interface TraceSource {
  readonly name: string;
  /** Bytes; undefined: not known. */
  readonly size: number | undefined;
  open(): Promise<ReadableStream<Uint8Array>>;
}

/** The id of the element that contains the trace of a saved replay. */
export const TRACE_ELEMENT = 'trace';

/** The trace in this document, as a saved replay has it; or that of the console; undefined: there is none. */
export async function givenTrace(): Promise<TraceSource | undefined> {
  const element = document.getElementById(TRACE_ELEMENT);
  if (element !== null) {
    const text = element.textContent ?? '';
    return {
      name: element.dataset['name'] ?? 'trace',
      size: text.length,
      open: async () => new Blob([text]).stream(),
    };
  }
  if (!location.protocol.startsWith('http')) return undefined;
  const run = new URLSearchParams(location.search).get('run');
  const place = run === null ? '/console/trace' : `/console/runs/${encodeURIComponent(run)}/trace`;
  const answer = await fetch(place, { method: 'HEAD' });
  if (!answer.ok) return undefined;
  return {
    name: decodeURIComponent(answer.headers.get('x-trace-name') ?? 'trace'),
    size: Number(answer.headers.get('content-length') ?? Number.NaN) || undefined,
    open: async () => {
      const { ok, status, body } = await fetch(place);
      if (!ok || body === null) throw new Error(`The console answers ${status}.`);
      return body;
    },
  };
}

export function traceOfFile(file: File): TraceSource {
  return { name: file.name, size: file.size, open: async () => file.stream() };
}
