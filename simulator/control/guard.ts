import { limits } from './limits.ts';
import type { Refusal } from './refusal.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]', '::1']);

/**
 * Whether a request comes from this machine's user rather than from a web page in their browser: the face listens on
 * 127.0.0.1 only, yet any page can name that address. A foreign Host means that a foreign name was made to resolve
 * to this machine, a foreign Origin that a page of somebody else asks.
 */
export function guard(request: Request): Refusal | undefined {
  const names = [new URL(request.url).host, request.headers.get('host')];
  for (const name of names) {
    if (name !== null && !LOOPBACK.has(hostOf(`http://${name}`))) {
      return { status: 403, detail: 'This face answers under 127.0.0.1 and localhost only.' };
    }
  }
  const origin = request.headers.get('origin');
  if (origin !== null && !LOOPBACK.has(hostOf(origin))) {
    return { status: 403, detail: 'Pages of other origins may not use this face.' };
  }
  return undefined;
}

/** The host of an address without its port; empty where it is none (such as the origin `null`). */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : '';
}

/**
 * The JSON body of a request; no bytes are an empty object. A body must say that it is JSON: a form of a web page can
 * send one too, but not under that type without asking first.
 */
export async function jsonBody(
  request: Request,
): Promise<{ readonly body: unknown } | { readonly refusal: Refusal }> {
  if (Number(request.headers.get('content-length') ?? 0) > limits.bodyBytes) return { refusal: TOO_LARGE };
  const text = await boundedText(request);
  if (text === undefined) return { refusal: TOO_LARGE };
  if (text === '') return { body: {} };
  const mediaType = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    return { refusal: { status: 415, detail: 'Send the body with Content-Type: application/json.' } };
  }
  try {
    return { body: JSON.parse(text) as unknown };
  } catch {
    return { refusal: { status: 400, detail: 'The body is no JSON.' } };
  }
}

const TOO_LARGE: Refusal = { status: 413, detail: `A body has at most ${limits.bodyBytes} bytes.` };

/** The text of the body, or undefined where it is over the bound. */
async function boundedText(request: Request): Promise<string | undefined> {
  if (request.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limits.bodyBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
