import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { limits } from './limits.ts';

export interface HttpServer {
  /** Takes no new request, lets those that run end for a moment, then severs what is left. */
  close(): Promise<void>;
}

/**
 * Serves `fetch` on 127.0.0.1. Rejects with the system's error (`code` EADDRINUSE where the port is taken). Requests
 * that are sent too slowly are ended with 408 by Node itself.
 */
export async function serveHttp(
  port: number,
  fetch: (request: Request) => Response | Promise<Response>,
): Promise<HttpServer> {
  const server = createServer(
    {
      requestTimeout: limits.requestTimeoutMs,
      headersTimeout: limits.headersTimeoutMs,
      maxHeaderSize: limits.headerBytes,
      keepAliveTimeout: limits.keepAliveMs,
    },
    // Without it the library replaces the process's own Request and Response.
    getRequestListener(fetch, { overrideGlobalObjects: false }),
  );
  server.maxConnections = limits.httpConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { close: () => closeGently(server) };
}

function closeGently(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const severing = setTimeout(() => server.closeAllConnections(), limits.httpDrainMs);
    server.close(() => {
      clearTimeout(severing);
      resolve();
    });
    server.closeIdleConnections();
  });
}
