import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import type { Log } from '../../world/log.ts';
import { limits as brokerLimits } from '../limits.ts';
import { type Listener, type ListenerOptions, listen } from '../mqtt/listener.ts';
import { refusalLog, seldom, type Warn } from '../refusal-log.ts';
import { type Input, newBroker, step, takeJournal } from './core.ts';
import { limits } from './limits.ts';
import { restore } from './restore.ts';
import { Shelf, ShelfUnusable } from './shelf.ts';
import type { BrokerState, Effect, Entrance, Services } from './state.ts';

export interface AmqpBrokerOptions {
  /** The SQLite file of durable queues and persistent messages, or `:memory:`, which keeps nothing. */
  readonly path: string;
  /** Whether a user may sign in. A rejection counts as a no. */
  authenticate(username: string, password: string): Promise<boolean>;
  /** As `permitsByPatterns` gives it. The default exchange is `amq.default`. */
  readonly permits: Services['permits'];
  readonly log: Log;
}

/** Where a broker listens. */
export interface AmqpAddress {
  readonly port: number;
  /** `amqp://127.0.0.1:5672`, or `amqps://...` with TLS; without user and password. */
  readonly url: string;
}

export interface AmqpBroker {
  /** Listens at one more address. Rejects with `PortTaken` where the port is in use. */
  listen(address: ListenerOptions): Promise<AmqpAddress>;
  /** Ends the connections of a user with 320, as when the user is removed or loses rights. */
  dismiss(username: string): void;
  /** Ends all connections with 320, writes down what is open and frees ports and file. */
  close(): Promise<void>;
}

/**
 * Opens the embedded AMQP 0-9-1 broker, with the virtual host `/`; it listens nowhere yet. Throws `ShelfUnusable` where
 * the file is somebody else's, damaged, or of a newer version.
 */
export function openAmqpBroker(options: AmqpBrokerOptions): AmqpBroker {
  const edge = new Edge(options);
  const listeners: Listener[] = [];
  return {
    async listen(address) {
      const { host: at, port, tls } = address;
      const context = tls === undefined ? undefined : createSecureContext(tls);
      const listener = await listen({ host: at, port }, (socket) => edge.take(secured(socket, context)));
      listeners.push(listener);
      const scheme = address.tls === undefined ? 'amqp' : 'amqps';
      const host = address.host.includes(':') ? `[${address.host}]` : address.host;
      return { port: listener.port, url: `${scheme}://${host}:${listener.port}` };
    },
    dismiss: (username) => edge.dismiss(username),
    async close() {
      await edge.sayGoodbye();
      await Promise.all(listeners.map((listener) => listener.close()));
      edge.close();
    },
  };
}

/** With TLS from its first byte on, so that a connection counts, and its time runs, before the handshake too. */
function secured(socket: Socket, secureContext: SecureContext | undefined): Socket {
  if (secureContext === undefined) return socket;
  // What goes wrong with the socket below ends the one above.
  socket.on('error', () => undefined);
  return new TLSSocket(socket, { isServer: true, secureContext });
}

/** Carries out what the core decides: sockets, the file, the clock. */
class Edge {
  readonly #options: AmqpBrokerOptions;
  readonly #shelf: Shelf;
  readonly #state: BrokerState;
  readonly #sockets = new Map<number, Socket>();
  readonly #warn: Warn;
  readonly #isFailureDue = seldom(brokerLimits.logEveryMs, 1);
  readonly #startMs = Date.now() - performance.now();
  readonly #ticker: NodeJS.Timeout;
  /** Not on disk yet, because a commit failed. */
  #open: Entrance[] = [];
  #commit: NodeJS.Immediate | undefined;
  /** Of what nobody waits for. */
  #later: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #nextConnection = 1;
  #isClosed = false;

  constructor(options: AmqpBrokerOptions) {
    this.#options = options;
    this.#warn = refusalLog(options.log, () => this.#nowMs());
    this.#shelf = new Shelf(options.path);
    const services = {
      permits: options.permits,
      mintName: () => randomBytes(16).toString('base64url'),
    };
    this.#state = newBroker(services, this.#nowMs());
    try {
      restore(this.#state, this.#shelf.load());
    } catch (error) {
      this.#shelf.close();
      const reason = error instanceof Error ? error.message : String(error);
      throw new ShelfUnusable(`The AMQP broker cannot read ${options.path}, which is damaged: ${reason}.`, {
        cause: error,
      });
    }
    // Behind what has arrived: a process that was held up for a while must not take its clients for silent.
    this.#ticker = setInterval(() => setImmediate(() => this.#step({ kind: 'tick' })), limits.tickMs);
  }

  take(socket: Socket): void {
    const connection = this.#nextConnection++;
    this.#sockets.set(connection, socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => this.#serve(connection, bytes));
    socket.on('end', () => socket.end());
    socket.once('close', () => {
      this.#sockets.delete(connection);
      this.#step({ kind: 'gone', connection });
    });
    this.#step({ kind: 'opened', connection, address: socket.remoteAddress ?? 'unknown' });
  }

  /** A fault of ours ends the connection that it was met on, and no other. */
  #serve(connection: number, bytes: Uint8Array): void {
    try {
      this.#step({ kind: 'bytes', connection, bytes });
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#options.log.error({ reason }, 'The AMQP broker has a fault.');
      this.#step({ kind: 'fault', connection, code: 541, reason: 'the broker has a fault' });
    }
  }

  #nowMs(): number {
    // The wall clock at the start, and from there on one that does not jump.
    return Math.floor(this.#startMs + performance.now());
  }

  #step(input: Input): void {
    if (this.#isClosed) return;
    this.#perform(step(this.#state, input, this.#nowMs()));
    const { journal, isAwaited } = this.#state;
    if (journal.length === 0 || this.#retry !== undefined) return;
    if (isAwaited || journal.length >= limits.unawaitedEntrances)
      this.#commit ??= setImmediate(() => this.#commitAll());
    else this.#later ??= setTimeout(() => this.#commitAll(), limits.unawaitedMs);
  }

  #perform(effects: readonly Effect[]): void {
    const written = new Map<number, Uint8Array[]>();
    for (const effect of effects) {
      if (effect.kind === 'write') {
        const pieces = written.get(effect.connection);
        if (pieces === undefined) written.set(effect.connection, [effect.bytes]);
        else pieces.push(effect.bytes);
      } else if (effect.kind !== 'end') this.#act(effect);
    }
    for (const [connection, pieces] of written) {
      const bytes = Buffer.concat(pieces);
      this.#sockets.get(connection)?.write(bytes, () => {
        this.#step({ kind: 'flushed', connection, bytes: bytes.length });
      });
    }
    for (const effect of effects) if (effect.kind === 'end') this.#end(effect.connection, effect.isSevered);
  }

  #act(effect: Exclude<Effect, { kind: 'write' | 'end' }>): void {
    switch (effect.kind) {
      case 'authenticate':
        void this.#authenticate(effect.connection, effect.username, effect.password);
        break;
      case 'pause':
        this.#sockets.get(effect.connection)?.pause();
        break;
      case 'resume':
        this.#sockets.get(effect.connection)?.resume();
        break;
      case 'warn':
        this.#warn(effect.who, effect.reason, effect.message);
        break;
    }
  }

  async #authenticate(connection: number, username: string, password: string): Promise<void> {
    const isAdmitted = await this.#options.authenticate(username, password).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.log.error({ reason }, 'An AMQP sign-in could not be judged.');
      return false;
    });
    this.#step({ kind: 'signed-in', connection, isAdmitted });
  }

  #end(connection: number, isSevered: boolean): void {
    const socket = this.#sockets.get(connection);
    if (socket === undefined) return;
    if (isSevered) {
      socket.destroy();
      return;
    }
    socket.end();
    socket.resume();
    // Whoever does not take the last words does not keep the socket either.
    setTimeout(() => socket.destroy(), limits.closeMs).unref();
  }

  /** One transaction for all that came up since the last one; the confirms of all of it follow. */
  #commitAll(): void {
    clearImmediate(this.#commit);
    clearTimeout(this.#later);
    clearTimeout(this.#retry);
    this.#commit = undefined;
    this.#later = undefined;
    this.#retry = undefined;
    const { entrances, entered } = takeJournal(this.#state);
    this.#open = this.#open.length === 0 ? [...entrances] : [...this.#open, ...entrances];
    try {
      this.#shelf.commit(this.#open);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (this.#isFailureDue('commit', this.#nowMs()))
        this.#options.log.error({ reason }, 'The AMQP broker cannot write to its file; publishers wait.');
      if (this.#isClosed) return;
      this.#retry = setTimeout(() => this.#commitAll(), limits.commitRetryMs);
      this.#step({ kind: 'commit-failed' });
      return;
    }
    this.#open = [];
    this.#step({ kind: 'committed', entered });
  }

  dismiss(username: string): void {
    for (const { id, user } of [...this.#state.connections.values()]) {
      if (user !== username) continue;
      this.#step({ kind: 'fault', connection: id, code: 320, reason: 'the rights of this user have ended' });
    }
  }

  /** Tells every client that the broker ends, and waits until they have gone, for a moment. */
  async sayGoodbye(): Promise<void> {
    this.#commitAll();
    const left = [...this.#sockets].map(
      ([connection, socket]) =>
        new Promise<void>((resolve) => {
          socket.once('close', () => resolve());
          this.#step({ kind: 'fault', connection, code: 320, reason: 'the broker is going down' });
        }),
    );
    await Promise.race([
      Promise.all(left),
      new Promise((resolve) => setTimeout(resolve, limits.closeMs).unref()),
    ]);
  }

  close(): void {
    clearInterval(this.#ticker);
    clearTimeout(this.#retry);
    clearTimeout(this.#later);
    clearImmediate(this.#commit);
    for (const socket of this.#sockets.values()) socket.destroy();
    if (!this.#isClosed) this.#commitAll();
    this.#isClosed = true;
    this.#shelf.close();
  }
}
