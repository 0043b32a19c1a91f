import { connect, createServer, type Socket } from 'node:net';

/** A line to a server that can be cut and held. */
export interface TcpProxy {
  readonly port: number;
  /** Breaks every connection, and lets no new one through until `mend`. */
  cut(): void;
  mend(): void;
  /** Passes nothing on over the connections that there are, and breaks none. */
  hold(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(to: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(to);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  const address = server.address();
  const sever = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    cut: () => {
      isCut = true;
      sever();
    },
    mend: () => {
      isCut = false;
    },
    hold: () => {
      for (const socket of sockets) socket.pause();
    },
    close: () =>
      new Promise((resolve) => {
        sever();
        server.close(() => resolve());
      }),
  };
}
