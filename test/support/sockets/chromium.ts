import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { type HttpServer, serveHttp } from '../../../deployment/http/http-server.ts';

/** Starts the Chromium at `path`. Tests run as root in containers, where its own sandbox cannot be set up. */
export function openChromium(path: string): Promise<Browser> {
  return chromium.launch({
    executablePath: path,
    chromiumSandbox: false,
    args: ['--disable-dev-shm-usage'],
  });
}

/** What a call from a page came to: what its script could see. */
export interface PageCall {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A foreign web page, at another origin. */
export interface WebSite {
  /** `http://127.0.0.1:4711` */
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves a page with this in its body at a free port. `host`: under which name of this machine it is opened. */
export async function startWebSite(
  body = '',
  host: '127.0.0.1' | 'localhost' = '127.0.0.1',
): Promise<WebSite> {
  const html = `<!doctype html><title>a page</title><link rel="icon" href="data:,"><body>${body}</body>`;
  const server: HttpServer = await serveHttp(
    { port: 0 },
    () => new Response(html, { headers: { 'content-type': 'text/html' } }),
  );
  return { origin: `http://${host}:${server.port}`, close: () => server.close() };
}

/**
 * Has a page of `origin` call an address by script, in a browser; resolves with what the script saw, or with the name
 * of the error where the browser let it see nothing.
 */
export async function callFromPage(
  context: BrowserContext,
  origin: string,
  address: string,
  init: {
    readonly method?: string;
    readonly mode?: 'cors' | 'no-cors';
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  } = {},
): Promise<PageCall | string> {
  const page = await context.newPage();
  try {
    await page.goto(`${origin}/`);
    return await page.evaluate(
      async ([url, options]) => {
        try {
          const response = await fetch(url, options);
          const headers = Object.fromEntries(response.headers);
          return { status: response.status, headers, body: await response.text() };
        } catch (error) {
          return error instanceof Error ? error.name : String(error);
        }
      },
      [address, init] as const,
    );
  } finally {
    await page.close();
  }
}
