import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { limits } from '../limits.ts';

/** Another process uses the port; the caller may try another port. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
  readonly port: number;

  constructor(port: number, options: ErrorOptions) {
    super(`Port ${port} is in use.`, options);
    this.port = port;
  }
}

export interface ListenerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** PEM. With it the port accepts TLS only. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

export interface Listener {
  readonly port: number;
  /** Stops listening and severs the connections that are open. */
  close(): Promise<void>;
}

/** Listens, and calls `take` with each connection. Rejects with `PortTaken`, or with the system's error. */
export async function listen(options: ListenerOptions, take: (socket: Socket) => void): Promise<Listener> {
  const sockets = new Set<Socket>();
  const accept = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    take(socket);
  };
  const server =
    options.tls === undefined
      ? createServer({ noDelay: true }, accept)
      : createTlsServer({ ...options.tls, noDelay: true, handshakeTimeout: limits.mqtt.connectMs }, accept);
  server.maxConnections = limits.mqtt.connections;
  await startListening(server, options);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The listener has no port.');
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function startListening(server: Server, { host, port }: ListenerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new PortTaken(port, { cause: error }) : error);
    };
    server.once('error', fail);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', fail);
      // Later errors concern single connections (no file descriptor left): the listener continues.
      server.on('error', () => undefined);
      resolve();
    });
  });
}
