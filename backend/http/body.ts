/** A request's body after it has been read whole. No bytes: there is no body, whatever the headers say. */
export interface Body {
  readonly bytes: Uint8Array;
  /** `application/json`, lower case, without parameters; empty where the header is missing. */
  readonly mediaType: string;
}

/** `too-large`: over the bound; the rest was not read. `unreadable`: the sender broke off. */
export type ReadBody = Body | 'too-large' | 'unreadable';

/** The media type of a Content-Type header (RFC 9110 section 8.3.1). */
export function mediaTypeOf(header: string | null): string {
  return (header ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Reads a body up to `maximumBytes`. Never rejects. */
export async function readBody(request: Request, maximumBytes: number): Promise<ReadBody> {
  const mediaType = mediaTypeOf(request.headers.get('content-type'));
  if (Number(request.headers.get('content-length') ?? 0) > maximumBytes) return 'too-large';
  if (request.body === null) return { bytes: new Uint8Array(0), mediaType };
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const reader = request.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.byteLength;
      if (size > maximumBytes) {
        await reader.cancel();
        return 'too-large';
      }
      chunks.push(value);
    }
  } catch {
    return 'unreadable';
  }
  return { bytes: joined(chunks, size), mediaType };
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

export type ParsedBody<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly rule: string };

/** The text of a body, where it is UTF-8 (RFC 8259 section 8.1). */
export function bodyText(bytes: Uint8Array): ParsedBody<string> {
  try {
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { ok: false, rule: 'The body must be UTF-8.' };
  }
}

/** The JSON value of a body that is not empty. */
export function bodyJson(bytes: Uint8Array): ParsedBody<unknown> {
  const text = bodyText(bytes);
  if (!text.ok) return text;
  try {
    const value: unknown = JSON.parse(text.value);
    return { ok: true, value };
  } catch {
    return { ok: false, rule: 'The body must be JSON.' };
  }
}
