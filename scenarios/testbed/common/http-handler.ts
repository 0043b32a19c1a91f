import type { HttpHandler } from '../../../world/http/virtual-http.ts';

/** Serves an application at an origin of the virtual world. */
export function httpHandler(fetch: (request: Request) => Response | Promise<Response>): HttpHandler {
  return async ({ method, url, headers, body }) => {
    const request = new Request(url, { method, headers, ...(body === undefined ? {} : { body }) });
    const response = await fetch(request);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
  };
}
