import { problem, type Refusal } from '../../contract/problems.ts';
import { quote } from './quoted-text.ts';

/** A request's body after it has been read whole. No bytes: there is no body, regardless of the headers. */
export interface Body {
  readonly bytes: Uint8Array;
  /** `application/json`, lower case, without parameters; empty if the header is missing. */
  readonly mediaType: string;
}

/** `too-large`: over the bound; the rest was not read. `unreadable`: the sender broke off. */
export type ReadBody = Body | 'too-large' | 'unreadable';

/** The media type of a Content-Type header (RFC 9110 section 8.3.1). */
export function mediaTypeOf(header: string | null): string {
  return (header ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The body of a request that has none. */
export function emptyBody(headers: Headers): Body {
  return { bytes: new Uint8Array(0), mediaType: mediaTypeOf(headers.get('content-type')) };
}

/** Reads a body up to `maximumBytes`. Never rejects. */
export async function readBody(request: Request, maximumBytes: number): Promise<ReadBody> {
  const mediaType = mediaTypeOf(request.headers.get('content-type'));
  if (Number(request.headers.get('content-length') ?? 0) > maximumBytes) return 'too-large';
  if (request.body === null) return emptyBody(request.headers);
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

/** The text of a body, if it is UTF-8 (RFC 8259 section 8.1). */
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

/** The media type that every path accepts. */
export const JSON_TYPE = 'application/json';

/**
 * Reads a request's body: 415 before 413, and an empty body is valid under any type. `alsoTaken`: media types that this
 * path accepts besides JSON. Never rejects.
 */
export async function takeBody(
  request: Request,
  rule: { readonly maximumBytes: number; readonly alsoTaken: readonly string[] },
): Promise<Body | Refusal> {
  const fault = unsupported(request.headers, [JSON_TYPE, ...rule.alsoTaken]);
  const body = await readBody(request, rule.maximumBytes);
  if (body === 'unreadable') return problem('validation-error', 'The body is incomplete.');
  const isEmpty = body !== 'too-large' && body.bytes.byteLength === 0;
  if (!isEmpty && fault !== undefined) return problem('unsupported-media-type', fault);
  if (body === 'too-large')
    return problem('payload-too-large', `The body is over ${rule.maximumBytes} bytes.`);
  return body;
}

/** Why a body with these headers is refused, in a sentence; undefined: it is accepted. */
function unsupported(headers: Headers, taken: readonly string[]): string | undefined {
  const types = taken.join(' or ');
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() || 'identity';
  if (encoding !== 'identity')
    return `The body is encoded as ${quote(encoding)} (Content-Encoding). Send it without an encoding, as ${types}.`;
  const mediaType = mediaTypeOf(headers.get('content-type'));
  if (taken.includes(mediaType)) return undefined;
  return mediaType === ''
    ? `The body has no Content-Type. Send it as ${types}.`
    : `The Content-Type of the body is ${quote(mediaType)}. Send it as ${types}.`;
}

/** For endpoints without a body: an empty one is valid, and so is an object without properties. */
export function refuseBody(body: Body): Refusal | undefined {
  if (body.bytes.byteLength === 0) return undefined;
  const json = bodyJson(body.bytes);
  if (!json.ok) return problem('validation-error', json.rule);
  if (typeof json.value !== 'object' || json.value === null || Array.isArray(json.value))
    return problem('validation-error', 'The body must be empty or an object without properties.');
  const [name] = Object.keys(json.value);
  return name === undefined
    ? undefined
    : problem('validation-error', `${quote(name)}: there is no such property; this request takes no body.`);
}
