import { type Body, mediaTypeOf, readBody } from './body.ts';
import { problem, type Refusal } from './problem.ts';
import { quote } from './quote.ts';

/** The media type of a body that every path takes. */
export const JSON_TYPE = 'application/json';

/**
 * Takes a request's body in: 415 before 413, and an empty body is right under any type. `alsoTaken`: media types
 * that this path takes beside JSON. Never rejects.
 */
export async function takeBody(
  request: Request,
  rule: { readonly maximumBytes: number; readonly alsoTaken: readonly string[] },
): Promise<Body | Refusal> {
  const mediaType = mediaTypeOf(request.headers.get('content-type'));
  const isTaken =
    (mediaType === JSON_TYPE || rule.alsoTaken.includes(mediaType)) &&
    isPlain(request.headers.get('content-encoding'));
  const body = await readBody(request, rule.maximumBytes);
  if (body === 'unreadable') return problem('validation-error', 'The body broke off.');
  const isEmpty = body !== 'too-large' && body.bytes.byteLength === 0;
  if (!isEmpty && !isTaken)
    return problem(
      'unsupported-media-type',
      `A body must be ${JSON_TYPE}, not encoded; this one is ${quote(mediaType)}.`,
    );
  if (body === 'too-large')
    return problem('payload-too-large', `The body is over ${rule.maximumBytes} bytes.`);
  return body;
}

function isPlain(contentEncoding: string | null): boolean {
  return contentEncoding === null || contentEncoding.trim().toLowerCase() === 'identity';
}
