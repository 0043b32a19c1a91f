import { connect, createServer, type Server, type Socket } from 'node:net';
import { limits } from '../limits.ts';
import {
  type LinkCounts,
  type NetworkConditions,
  noLinkCounts,
  type PacketFault,
} from '../network-faults/conditions.ts';
import { LateCopies } from '../network-faults/late-copies.ts';
import { RealProxyDirection } from './real-proxy-direction.ts';

export interface RealProxyOptions {
  /** Called for each connection, since the server may move. */
  readonly to: () => { readonly host: string; readonly port: number };
  /** The client's name from the first bytes of its connection; undefined: there are too few of them yet. */
  readonly nameOf: (greeting: Buffer) => string | undefined;
  readonly conditionsOf: (name: string) => NetworkConditions;
  /** Where the effects of a client's faults are counted; absent: nowhere. */
  readonly countsOf?: (name: string) => LinkCounts;
  /** Faults of single messages of that MQTT client; absent: the connections are not MQTT. */
  readonly packetFaultsOf?: (name: string) => readonly PacketFault[];
  /** Second copies of messages that wait for the next connection of that client; absent: each waits in vain. */
  readonly lateCopiesOf?: (name: string) => LateCopies<Buffer>;
  /** Uniform in [0, 1): the jitter of packets. */
  readonly draw: () => number;
}

/** A proxy in front of a TCP server on 127.0.0.1, with network faults. */
export interface RealProxy {
  readonly port: number;
  /** Resets the connections of that name, and returns how many; undefined: all connections. */
  cut(name: string | undefined): number;
  /** To be called after the conditions of that name (undefined: of all clients) have changed. */
  changed(name: string | undefined): void;
  /** While down, all connections are reset and new ones refused. */
  setDown(isDown: boolean): void;
  readonly isDown: boolean;
  /** Connections that were reset with all others or because it was down, and that were refused. Only grows. */
  readonly metCount: number;
  /** Names of the open connections. */
  names(): readonly string[];
  close(): Promise<void>;
}

/** Rejects with the system's error if no port is available. */
export async function startRealProxy(options: RealProxyOptions): Promise<RealProxy> {
  const connections = new Set<ProxyConnection>();
  let isDown = false;
  let metCount = 0;
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (clientSocket) => {
    if (isDown) {
      metCount += 1;
      clientSocket.resetAndDestroy();
      return;
    }
    const connection = new ProxyConnection(clientSocket, options, () => connections.delete(connection));
    connections.add(connection);
  });
  const port = await listening(server);
  const those = (name: string | undefined) =>
    [...connections].filter((connection) => name === undefined || connection.name === name);
  const cut = (name: string | undefined): number => {
    const cutOff = those(name);
    for (const connection of cutOff) connection.reset();
    if (name === undefined) metCount += cutOff.length;
    return cutOff.length;
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
    get metCount() {
      return metCount;
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

/**
 * Two sockets and the two directions between them. The client is identified by its first bytes; data waits
 * until it is known.
 */
class ProxyConnection {
  readonly #clientSocket: Socket;
  readonly #options: RealProxyOptions;
  readonly #onOver: () => void;
  readonly #openedMs = Date.now();
  #greeting = Buffer.alloc(0);
  #name: string | undefined;
  #counts = noLinkCounts();
  #serverSocket: Socket | undefined;
  #directions: readonly RealProxyDirection[] = [];
  #passedBytes = 0;
  /** The number of bytes that had passed when the limit took effect. */
  #limitFromBytes: number | undefined;
  #resetting: NodeJS.Timeout | undefined;
  /** One end has closed, but a fault still hides that from the other. */
  #isBroken = false;
  #isOver = false;

  constructor(clientSocket: Socket, options: RealProxyOptions, onOver: () => void) {
    this.#clientSocket = clientSocket;
    this.#options = options;
    this.#onOver = onOver;
    clientSocket.on('error', () => this.#broken());
    clientSocket.once('close', () => this.#clientClosed());
    clientSocket.on('data', this.#readGreeting);
    // The client closed before it was identified.
    clientSocket.once('end', () => {
      if (this.#serverSocket === undefined) this.reset();
    });
  }

  get name(): string | undefined {
    return this.#name;
  }

  reset(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#resetting);
    for (const direction of this.#directions) direction.close();
    sever(this.#clientSocket);
    if (this.#serverSocket !== undefined) sever(this.#serverSocket);
    this.#onOver();
  }

  changed(): void {
    if (this.#isOver || this.#name === undefined) return;
    const { isHalfOpen, isStalled, resetAfterMs, limitBytes } = this.#conditions();
    // A stream with a gap is of no use to either end.
    const isUseless = this.#isBroken || this.#directions.some(({ hasLost }) => hasLost);
    if (isUseless && !isHalfOpen && !isStalled) {
      this.reset();
      return;
    }
    clearTimeout(this.#resetting);
    if (Number.isFinite(resetAfterMs)) {
      const waitMs = Math.max(0, this.#openedMs + resetAfterMs - Date.now());
      this.#resetting = setTimeout(() => this.#resetForAge(), Math.min(waitMs, limits.longestTimerMs));
    }
    this.#limitFromBytes = Number.isFinite(limitBytes)
      ? (this.#limitFromBytes ?? this.#passedBytes)
      : undefined;
    for (const direction of this.#directions) direction.changed();
  }

  #resetForAge(): void {
    this.#counts.resets += 1;
    this.reset();
  }

  readonly #readGreeting = (bytes: Buffer): void => {
    this.#greeting = Buffer.concat([this.#greeting, bytes]);
    const isEnough = this.#greeting.byteLength >= limits.proxyGreetingBytes;
    const name = this.#options.nameOf(this.#greeting) ?? (isEnough ? '' : undefined);
    if (name === undefined) return;
    this.#name = name;
    this.#counts = this.#options.countsOf?.(name) ?? this.#counts;
    this.#clientSocket.off('data', this.#readGreeting);
    this.#connectServer();
  };

  #connectServer(): void {
    const clientSocket = this.#clientSocket;
    const serverSocket = connect({ ...this.#options.to(), allowHalfOpen: true, noDelay: true });
    this.#serverSocket = serverSocket;
    serverSocket.on('error', () => this.#broken());
    serverSocket.once('close', () => this.#serverClosed());
    const { packetFaultsOf, lateCopiesOf } = this.#options;
    const name = this.#name;
    const common = {
      // A greeting without a name was no CONNECT.
      packetFaults: packetFaultsOf && name ? () => packetFaultsOf(name) : undefined,
      lateCopies: lateCopiesOf?.(name ?? '') ?? new LateCopies<Buffer>(),
      sever: () => this.reset(),
      conditions: () => this.#conditions(),
      counts: this.#counts,
      admit: (bytes: number) => this.#admit(bytes),
      draw: this.#options.draw,
    };
    const up = new RealProxyDirection({ from: clientSocket, to: serverSocket, direction: 'up', ...common });
    const down = new RealProxyDirection({
      from: serverSocket,
      to: clientSocket,
      direction: 'down',
      ...common,
    });
    this.#directions = [up, down];
    this.changed();
    up.take(this.#greeting);
  }

  #conditions(): NetworkConditions {
    return this.#options.conditionsOf(this.#name ?? '');
  }

  #admit(bytes: number): boolean {
    const { limitBytes } = this.#conditions();
    if (this.#passedBytes + bytes - (this.#limitFromBytes ?? 0) > limitBytes) {
      this.#counts.overLimit += 1;
      this.reset();
      return false;
    }
    this.#passedBytes += bytes;
    return true;
  }

  /** The other end is notified when the conditions allow it. */
  #broken(): void {
    if (this.#isOver) return;
    const { isHalfOpen, isStalled, slowCloseMs } = this.#conditions();
    this.#isBroken = true;
    if (isHalfOpen || isStalled) return;
    clearTimeout(this.#resetting);
    if (slowCloseMs > 0) this.#counts.slowCloses += 1;
    this.#resetting = setTimeout(() => this.reset(), slowCloseMs);
  }

  /** The client's socket has closed: by both directions, or by an error. */
  #clientClosed(): void {
    if (this.#serverSocket === undefined || this.#serverSocket.closed) this.reset();
  }

  #serverClosed(): void {
    if (this.#clientSocket.closed) this.reset();
  }
}

/** The system refuses a reset while a FIN is pending, and Node would then never release the socket. */
function sever(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
