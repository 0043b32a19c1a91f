import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { serveHttp } from '../../../deployment/http/http-server.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Serves the files of a folder as they are, below `/sub/`, on a free port. `url` ends with a slash. */
export async function serveFolder(
  folder: string,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = await serveHttp({ port: 0 }, async (request) => {
    const path = decodeURIComponent(new URL(request.url).pathname);
    const file = normalize(path.replace(/^\/sub\//, '').replace(/(^|\/)$/, '$1index.html'));
    const type = TYPES[extname(file)];
    const body = path.startsWith('/sub/')
      ? await readFile(join(folder, file)).catch(() => undefined)
      : undefined;
    if (body === undefined || type === undefined) return new Response('not found', { status: 404 });
    return new Response(body, { headers: { 'content-type': type } });
  });
  return { url: `http://127.0.0.1:${server.port}/sub/`, close: () => server.close() };
}
