import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Conditions } from './climate.ts';
import { limits } from './limits.ts';
import { RealPipe } from './real-pipe.ts';

export interface RealProxyOptions {
  /** Asked at each connection: what stands behind it may move. */
  readonly to: () => { readonly host: string; readonly port: number };
  /** Whose connection begins with these bytes; undefined: there are too few of them yet. */
  readonly nameOf: (greeting: Buffer) => string | undefined;
  readonly conditionsOf: (name: string) => Conditions;
  /** Uniform in [0, 1): the jitter of packets. */
  readonly draw: () => number;
}

/** A line to a TCP server on 127.0.0.1, on which weather is laid. */
export interface RealProxy {
  readonly port: number;
  /** Resets the connections of that name; undefined: all of them. */
  cut(name: string | undefined): void;
  /** The conditions of that name, of everybody where it is undefined, are others now. */
  changed(name: string | undefined): void;
  /** Resets every connection and lets no new one in, until it is up again. */
  setDown(isDown: boolean): void;
  readonly isDown: boolean;
  /** Names of the connections there are. */
  names(): readonly string[];
  close(): Promise<void>;
}

/** Rejects with the system's error where no port is to be had. */
export async function startRealProxy(options: RealProxyOptions): Promise<RealProxy> {
  const connections = new Set<Connection>();
  let isDown = false;
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    if (isDown) {
      near.resetAndDestroy();
      return;
    }
    const connection = new Connection(near, options, () => connections.delete(connection));
    connections.add(connection);
  });
  const port = await listening(server);
  const those = (name: string | undefined) =>
    [...connections].filter((connection) => name === undefined || connection.name === name);
  const cut = (name: string | undefined): void => {
    for (const connection of those(name)) connection.reset();
  };
  return {
    port,
    cut,
    changed: (name) => {
      for (const connection of those(name)) connection.changed();
    },
    setDown: (to) => {
      isDown = to;
      if (isDown) cut(undefined);
    },
    get isDown() {
      return isDown;
    },
    names: () => [...connections].flatMap(({ name }) => (name === undefined ? [] : [name])),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut(undefined);
      }),
  };
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

/** Two sockets and the two directions between them. Who made it is known from its first bytes; until then it waits. */
class Connection {
  readonly #near: Socket;
  readonly #options: RealProxyOptions;
  readonly #gone: () => void;
  readonly #bornMs = Date.now();
  #greeting = Buffer.alloc(0);
  #name: string | undefined;
  #far: Socket | undefined;
  #pipes: readonly RealPipe[] = [];
  #passedBytes = 0;
  /** What had passed when the limit came into force. */
  #limitFromBytes: number | undefined;
  #resetting: NodeJS.Timeout | undefined;
  /** One end broke off while the weather kept that from the other. */
  #isBroken = false;
  #isOver = false;

  constructor(near: Socket, options: RealProxyOptions, gone: () => void) {
    this.#near = near;
    this.#options = options;
    this.#gone = gone;
    near.on('error', () => this.#broken());
    near.once('close', () => this.#nearClosed());
    near.on('data', this.#greet);
    // A client that goes before it has said who it is.
    near.once('end', () => {
      if (this.#far === undefined) this.reset();
    });
  }

  get name(): string | undefined {
    return this.#name;
  }

  reset(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#resetting);
    for (const pipe of this.#pipes) pipe.close();
    sever(this.#near);
    if (this.#far !== undefined) sever(this.#far);
    this.#gone();
  }

  changed(): void {
    if (this.#isOver || this.#name === undefined) return;
    const { isHalfOpen, isStalled, resetAfterMs, limitBytes } = this.#conditions();
    // Neither end can make sense of a stream with a hole in it.
    const isUseless = this.#isBroken || this.#pipes.some(({ hasLost }) => hasLost);
    if (isUseless && !isHalfOpen && !isStalled) {
      this.reset();
      return;
    }
    clearTimeout(this.#resetting);
    if (Number.isFinite(resetAfterMs)) {
      const waitMs = Math.max(0, this.#bornMs + resetAfterMs - Date.now());
      this.#resetting = setTimeout(() => this.reset(), Math.min(waitMs, limits.longestTimerMs));
    }
    this.#limitFromBytes = Number.isFinite(limitBytes)
      ? (this.#limitFromBytes ?? this.#passedBytes)
      : undefined;
    for (const pipe of this.#pipes) pipe.changed();
  }

  readonly #greet = (bytes: Buffer): void => {
    this.#greeting = Buffer.concat([this.#greeting, bytes]);
    const isEnough = this.#greeting.byteLength >= limits.proxyGreetingBytes;
    const name = this.#options.nameOf(this.#greeting) ?? (isEnough ? '' : undefined);
    if (name === undefined) return;
    this.#name = name;
    this.#near.off('data', this.#greet);
    this.#join();
  };

  #join(): void {
    const near = this.#near;
    const far = connect({ ...this.#options.to(), allowHalfOpen: true, noDelay: true });
    this.#far = far;
    far.on('error', () => this.#broken());
    far.once('close', () => this.#farClosed());
    const common = {
      conditions: () => this.#conditions(),
      admit: (bytes: number) => this.#admit(bytes),
      draw: this.#options.draw,
    };
    const up = new RealPipe({ from: near, to: far, direction: 'up', ...common });
    const down = new RealPipe({ from: far, to: near, direction: 'down', ...common });
    this.#pipes = [up, down];
    this.changed();
    up.take(this.#greeting);
  }

  #conditions(): Conditions {
    return this.#options.conditionsOf(this.#name ?? '');
  }

  #admit(bytes: number): boolean {
    const { limitBytes } = this.#conditions();
    if (this.#passedBytes + bytes - (this.#limitFromBytes ?? 0) > limitBytes) {
      this.reset();
      return false;
    }
    this.#passedBytes += bytes;
    return true;
  }

  /** The other end hears of it as the weather lets it. */
  #broken(): void {
    if (this.#isOver) return;
    const { isHalfOpen, isStalled, slowCloseMs } = this.#conditions();
    this.#isBroken = true;
    if (isHalfOpen || isStalled) return;
    clearTimeout(this.#resetting);
    this.#resetting = setTimeout(() => this.reset(), slowCloseMs);
  }

  /** Both have said goodbye by the pipes, or one has broken off. */
  #nearClosed(): void {
    if (this.#far === undefined || this.#far.closed) this.reset();
  }

  #farClosed(): void {
    if (this.#near.closed) this.reset();
  }
}

/** A reset is refused by the system while a goodbye is on its way, and Node would keep the socket for ever then. */
function sever(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
