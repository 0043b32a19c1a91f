import { limits } from './limits.ts';
import type { ControlRefusal } from './refusal.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]', '::1']);

const FOREIGN_PAGE: ControlRefusal = {
  status: 403,
  detail: 'Pages of other origins may not use this face: scheme, host and port have to be its own.',
};

/** By which names this interface may be asked: where it has a password, by any. */
export type ControlHosts = 'loopback' | 'any';

/**
 * Whether a request comes from this machine's user rather than from a web page in their browser: the control API listens on
 * 127.0.0.1 only, yet any page can name that address. A foreign Host means that a foreign name was made to resolve
 * to this machine; a foreign Origin, or a Sec-Fetch-Site that says so, that a page of somebody else asks. Another port
 * of this machine is somebody else, too: whatever is developed there.
 */
export function originRefusal(
  request: Request,
  hosts: ControlHosts = 'loopback',
): ControlRefusal | undefined {
  const names = [new URL(request.url).host, request.headers.get('host')];
  for (const name of names) {
    if (hosts === 'loopback' && name !== null && !LOOPBACK.has(hostOf(`http://${name}`))) {
      return { status: 403, detail: 'This face answers under 127.0.0.1 and localhost only.' };
    }
  }
  const origin = request.headers.get('origin');
  const own = new URL(`http://${request.headers.get('host') ?? new URL(request.url).host}`).origin;
  if (origin !== null && origin !== own) return FOREIGN_PAGE;
  return isAskedFromElsewhere(request) ? FOREIGN_PAGE : undefined;
}

/**
 * Whether the browser says that another site's page asks (Fetch Metadata, W3C): requests that carry no Origin are told
 * apart by this alone, such as that of a picture. Following a link to here is no such request: the page that has it
 * sees nothing of the answer, and nothing here is done by GET. Programs do not send the header.
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
 * The JSON body of a request; no bytes are an empty object. A body must say that it is JSON: a form of a web page can
 * send one too, but not under that type without asking first.
 */
export async function jsonBody(
  request: Request,
  mostBytes: number = limits.bodyBytes,
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
  try {
    return { body: JSON.parse(text) as unknown };
  } catch {
    return { refusal: { status: 400, detail: 'The body is no JSON.' } };
  }
}

/** The text of the body, or undefined where it is over the bound. */
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
