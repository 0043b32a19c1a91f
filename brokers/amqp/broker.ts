import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import { errorText } from '../../world/error-text.ts';
import { makePasswordCheck, type PasswordCheck } from '../../world/guessing/password-check.ts';
import type { Log } from '../../world/log/log.ts';
import { limits } from '../limits.ts';
import { type Listener, type ListenerOptions, listen } from '../mqtt/listener.ts';
import { rateLimitByKey, refusalLog, type WarnRefusal } from '../refusal-log.ts';
import { type BrokerInput, newBroker, stepBroker, takeJournal } from './core.ts';
import type { BrokerEffect, BrokerServices, BrokerState, JournalRecord } from './state.ts';
import { type MessageLog, openMessageLog } from './store/message-log.ts';
import { restore } from './store/restore.ts';
import type { AmqpTap } from './tap.ts';

export interface AmqpBrokerOptions {
  /** The SQLite file of durable queues and persistent messages, or `:memory:`, which stores nothing. */
  readonly path: string;
  /** Whether a user may sign in. A rejection of the promise counts as false. */
  authenticate(username: string, password: string): Promise<boolean>;
  /**
   * Whether `authenticate` compares the password of this user fast, not with a slow hash. Wrong passwords of others at
   * the same address do not keep such a user out (`makePasswordCheck`).
   */
  comparesFast(username: string): boolean;
  /** As returned by `permitsByPatterns`. The default exchange is `amq.default`. */
  readonly permits: BrokerServices['permits'];
  readonly log: Log;
  /** Of this program, for the server properties. */
  readonly version: string;
  /** Absent: nothing is watched. */
  readonly tap?: AmqpTap | undefined;
}

/** Where a broker listens. */
export interface AmqpAddress {
  readonly port: number;
  /** `amqp://127.0.0.1:5672`, or `amqps://...` with TLS; without user and password. */
  readonly url: string;
}

export interface AmqpBroker {
  /** Listens at one more address. Rejects with `PortTaken` if the port is in use. */
  listen(address: ListenerOptions): Promise<AmqpAddress>;
  /** Ends the connections of a user with 320, as when the user is removed or loses rights. */
  disconnectUser(username: string): void;
  /** Ends all connections with 320, commits pending records and frees ports and file. */
  close(): Promise<void>;
}

/**
 * Opens the embedded AMQP 0-9-1 broker, with the virtual host `/`. It does not listen yet. Rejects with
 * `MessageStoreUnusable` if the file belongs to another program, is damaged, or was written by a newer
 * version.
 */
export async function openAmqpBroker(options: AmqpBrokerOptions): Promise<AmqpBroker> {
  const clock = steadyClock();
  const services = {
    permits: options.permits,
    makeName: () => randomBytes(16).toString('base64url'),
    version: options.version,
    platform: `Node.js ${process.version}`,
  };
  const state = newBroker(services, clock());
  const log = await openMessageLog(options.path, (store) => restore(state, store.load()));
  const server = new AmqpServer(options, state, log, clock);
  const listeners: Listener[] = [];
  return {
    async listen(address) {
      const { host: at, port, tls } = address;
      const context = tls === undefined ? undefined : createSecureContext(tls);
      const listener = await listen({ host: at, port }, (socket) => server.take(withTls(socket, context)));
      listeners.push(listener);
      const scheme = address.tls === undefined ? 'amqp' : 'amqps';
      const host = hostInUrl(address.host);
      return { port: listener.port, url: `${scheme}://${host}:${listener.port}` };
    },
    disconnectUser: (username) => server.disconnectUser(username),
    async close() {
      await server.closeConnections();
      await Promise.all(listeners.map((listener) => listener.close()));
      await server.close();
    },
  };
}

/** The wildcard address cannot be connected to. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** TLS from the first byte on, so that a connection counts, and its timeout runs, before the handshake too. */
function withTls(socket: Socket, secureContext: SecureContext | undefined): Socket {
  if (secureContext === undefined) return socket;
  // An error of the socket also ends the TLS socket on top of it.
  socket.on('error', () => undefined);
  return new TLSSocket(socket, { isServer: true, secureContext });
}

/** Carries out the effects of the core: sockets, the file, the clock. */
class AmqpServer {
  readonly #options: AmqpBrokerOptions;
  readonly #messageLog: MessageLog;
  readonly #state: BrokerState;
  readonly #sockets = new Map<number, Socket>();
  readonly #warn: WarnRefusal;
  readonly #isFailureDue = rateLimitByKey(limits.log.logEveryMs, 1);
  readonly #nowMs: () => number;
  readonly #checkPassword: PasswordCheck;
  readonly #ticker: NodeJS.Timeout;
  /** Not on disk yet, because a commit failed. */
  #uncommitted: JournalRecord[] = [];
  #commit: NodeJS.Immediate | undefined;
  /** The commit in progress. */
  #underWay: Promise<void> | undefined;
  /** The timer for records that no answer waits for. */
  #delayedCommit: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #nextConnection = 1;
  #isClosed = false;

  constructor(options: AmqpBrokerOptions, state: BrokerState, messageLog: MessageLog, nowMs: () => number) {
    this.#options = options;
    this.#state = state;
    this.#messageLog = messageLog;
    this.#nowMs = nowMs;
    this.#checkPassword = makePasswordCheck(
      { nowMs },
      { comparesFast: (username) => options.comparesFast(username) },
    );
    this.#warn = refusalLog(options.log, nowMs);
    // After pending input: after a pause of the process, clients must not be considered silent.
    this.#ticker = setInterval(() => setImmediate(() => this.#step({ kind: 'tick' })), limits.amqp.tickMs);
  }

  take(socket: Socket): void {
    const connection = this.#nextConnection++;
    this.#sockets.set(connection, socket);
    socket.on('error', () => undefined);
    const { tap } = this.#options;
    tap?.opened(connection, () => socket.destroy());
    socket.on('data', (bytes: Buffer) => {
      tap?.received(connection, bytes);
      if (!socket.destroyed) this.#serve(connection, bytes);
    });
    socket.on('end', () => socket.end());
    socket.once('close', () => {
      this.#sockets.delete(connection);
      tap?.closed(connection);
      this.#step({ kind: 'gone', connection });
    });
    this.#step({ kind: 'opened', connection, address: socket.remoteAddress ?? 'unknown' });
  }

  /** An internal error ends the connection where it occurred, and no other. */
  #serve(connection: number, bytes: Uint8Array): void {
    try {
      this.#step({ kind: 'bytes', connection, bytes });
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#options.log.error({ reason }, 'The AMQP broker has a fault.');
      this.#step({ kind: 'fault', connection, code: 541, reason: 'the broker has a fault' });
    }
  }

  #step(input: BrokerInput): void {
    if (this.#isClosed) return;
    this.#perform(stepBroker(this.#state, input, this.#nowMs()));
    this.#scheduleCommit();
  }

  /** Records that arrive during a commit share the next one. */
  #scheduleCommit(): void {
    const { journal, isAwaited } = this.#state;
    if (journal.length === 0 || this.#retry !== undefined || this.#underWay !== undefined) return;
    if (isAwaited || journal.length >= limits.amqp.unawaitedRecords)
      this.#commit ??= setImmediate(() => this.#commitAll());
    else this.#delayedCommit ??= setTimeout(() => this.#commitAll(), limits.amqp.unawaitedMs);
  }

  #perform(effects: readonly BrokerEffect[]): void {
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
      this.#options.tap?.sent(connection, bytes);
      this.#sockets.get(connection)?.write(bytes, () => {
        this.#step({ kind: 'flushed', connection, bytes: bytes.length });
      });
    }
    for (const effect of effects) if (effect.kind === 'end') this.#end(effect.connection, effect.isSevered);
  }

  #act(effect: Exclude<BrokerEffect, { kind: 'write' | 'end' }>): void {
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
    this.#step({
      kind: 'signed-in',
      connection,
      isAdmitted: await this.#isAdmitted(connection, username, password),
    });
  }

  async #isAdmitted(connection: number, name: string, password: string): Promise<boolean> {
    const address = this.#state.connections.get(connection)?.address ?? '';
    try {
      const verdict = await this.#checkPassword({ name, password, address }, () =>
        this.#options.authenticate(name, password),
      );
      // The client gets the same answer as for a wrong password: AMQP has no other one here.
      if (verdict.kind === 'later')
        this.#warn(
          name,
          'too many wrong passwords for this name came from its address',
          'An AMQP sign-in has to wait.',
        );
      return verdict.kind === 'right';
    } catch (error) {
      const reason = errorText(error);
      this.#options.log.error({ reason }, 'An AMQP sign-in could not be checked.');
      return false;
    }
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
    // A client that does not read the last bytes must not keep the socket.
    setTimeout(() => socket.destroy(), limits.amqp.closeMs).unref();
  }

  /** Begins one transaction for all records since the last one, unless one is in progress. */
  #commitAll(): void {
    clearImmediate(this.#commit);
    clearTimeout(this.#delayedCommit);
    clearTimeout(this.#retry);
    this.#commit = undefined;
    this.#delayedCommit = undefined;
    this.#retry = undefined;
    this.#underWay ??= this.#commitJournal();
  }

  /** Their confirms are sent once the records are durable. If that fails, it is tried again later. */
  async #commitJournal(): Promise<void> {
    const { records, journalCount } = takeJournal(this.#state);
    this.#uncommitted = this.#uncommitted.length === 0 ? [...records] : [...this.#uncommitted, ...records];
    try {
      await this.#messageLog.commit(this.#uncommitted);
    } catch (error) {
      this.#underWay = undefined;
      const reason = errorText(error);
      if (this.#isFailureDue('commit', this.#nowMs()))
        this.#options.log.error({ reason }, 'The AMQP broker cannot write to its file; publishers wait.');
      if (this.#isClosed) return;
      this.#retry = setTimeout(() => this.#commitAll(), limits.amqp.commitRetryMs);
      this.#step({ kind: 'commit-failed' });
      return;
    }
    this.#underWay = undefined;
    this.#uncommitted = [];
    this.#step({ kind: 'committed', journalCount });
  }

  disconnectUser(username: string): void {
    for (const { id, user } of [...this.#state.connections.values()]) {
      if (user !== username) continue;
      this.#step({ kind: 'fault', connection: id, code: 320, reason: 'the rights of this user have ended' });
    }
  }

  /** Tells every client that the broker stops, and waits a short time until the connections have closed. */
  async closeConnections(): Promise<void> {
    await this.#commitEverything();
    const left = [...this.#sockets].map(
      ([connection, socket]) =>
        new Promise<void>((resolve) => {
          socket.once('close', () => resolve());
          this.#step({ kind: 'fault', connection, code: 320, reason: 'the broker is going down' });
        }),
    );
    await Promise.race([
      Promise.all(left),
      new Promise((resolve) => setTimeout(resolve, limits.amqp.closeMs).unref()),
    ]);
  }

  async close(): Promise<void> {
    clearInterval(this.#ticker);
    for (const socket of this.#sockets.values()) socket.destroy();
    this.#isClosed = true;
    await this.#commitEverything();
    clearTimeout(this.#retry);
    await this.#messageLog.close();
  }

  /** Records that arrived during a commit are in the second one. */
  async #commitEverything(): Promise<void> {
    await this.#underWay;
    this.#commitAll();
    await this.#underWay;
  }
}

/** The wall clock at the start, continued by a clock that does not jump. */
function steadyClock(): () => number {
  const startMs = Date.now() - performance.now();
  return () => Math.floor(startMs + performance.now());
}
