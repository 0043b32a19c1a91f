import { isLoopback } from '../../world/http/loopback.ts';
import { controlLimits } from '../limits.ts';
import type { ControlRefusal } from './refusal.ts';

const FOREIGN_PAGE: ControlRefusal = {
  status: 403,
  detail: 'Pages of other origins may not use this face: scheme, host and port have to be its own.',
};

/** The host names that this interface accepts: with a password, any. */
export type ControlHosts = 'loopback' | 'any';

/**
 * Whether a request comes from this machine's user rather than from a web page in their browser: the control API
 * listens on loopback only, yet any page can name that address. A foreign Host means that a foreign name was made to
 * resolve to this machine; a foreign Origin, or a Sec-Fetch-Site that states it, means that a page of another site
 * asks. Another port of this machine is also another site: any project may be developed there.
 */
export function originRefusal(
  request: Request,
  hosts: ControlHosts = 'loopback',
): ControlRefusal | undefined {
  const names = [new URL(request.url).host, request.headers.get('host')];
  for (const name of names) {
    if (hosts === 'loopback' && name !== null && !isLoopback(hostOf(`http://${name}`))) {
      return {
        status: 403,
        detail: 'This face answers under localhost and addresses of loopback only, such as 127.0.0.1.',
      };
    }
  }
  const origin = request.headers.get('origin');
  const own = `http://${request.headers.get('host') ?? new URL(request.url).host}`;
  if (origin !== null && !(URL.canParse(own) && origin === new URL(own).origin)) return FOREIGN_PAGE;
  return isAskedFromElsewhere(request) ? FOREIGN_PAGE : undefined;
}

/**
 * Whether the browser states that another site's page asks (Fetch Metadata, W3C): only this identifies requests
 * without an Origin, such as those of images. Following a link to here does not count: the linking page cannot read
 * the answer, and GET has no effects here. Programs do not send the header.
 */
function isAskedFromElsewhere({ method, headers }: Request): boolean {
  const site = headers.get('sec-fetch-site');
  if (site === null || site === 'same-origin' || site === 'none') return false;
  const isLink = headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document';
  return !(isLink && (method === 'GET' || method === 'HEAD'));
}

/** The host of an address without its port; empty where it is none (such as the origin `null`). */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : '';
}

/**
 * The JSON body of a request; no bytes are an empty object. A body must be declared as JSON: a form of a web page can
 * send JSON too, but not with that type without a preflight request.
 */
export async function jsonBody(
  request: Request,
  mostBytes: number = controlLimits.bodyBytes,
): Promise<{ readonly body: unknown } | { readonly refusal: ControlRefusal }> {
  const tooLarge = { status: 413, detail: `A body has at most ${mostBytes} bytes.` } as const;
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) return { refusal: tooLarge };
  const text = await boundedText(request, mostBytes);
  if (text === undefined) return { refusal: tooLarge };
  if (text === '') return { body: {} };
  const mediaType = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    return { refusal: { status: 415, detail: 'Send the body with Content-Type: application/json.' } };
  }
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() || 'identity';
  if (encoding !== 'identity') {
    return { refusal: { status: 415, detail: 'Send the body without a Content-Encoding.' } };
  }
  try {
    return { body: JSON.parse(text) as unknown };
  } catch {
    return { refusal: { status: 400, detail: 'The body is no JSON.' } };
  }
}

/** The text of the body, or undefined if it exceeds the limit. */
async function boundedText(request: Request, mostBytes: number): Promise<string | undefined> {
  if (request.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > mostBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
