import type { AuthenticateError, Client } from 'aedes';
import {
  type MqttClient,
  type MqttConnectOptions,
  MqttRefused,
  type MqttSession,
  type MqttSessionEvents,
} from '../../world/mqtt/mqtt-client.ts';
import { type InProcessBroker, InProcessSession } from './in-process-session.ts';
import type { MqttSignIn } from './sign-in.ts';

/**
 * The MQTT port on the embedded broker in the same process, without a socket: nothing is encoded. Accounts, topic
 * rules, wills, and one connection for each client id, with a socket or without, are as over a socket. There is no
 * keep-alive: nothing between the two can fail.
 */
export class InProcessMqttClient implements MqttClient {
  readonly #broker: InProcessBroker;
  readonly #signIn: MqttSignIn;
  readonly #sessions = new Map<string, InProcessSession>();
  /** The clients with a socket. */
  readonly #sockets = new Map<string, Client>();
  #isClosed = false;

  constructor(broker: InProcessBroker, signIn: MqttSignIn) {
    this.#broker = broker;
    this.#signIn = signIn;
    broker.aedes.on('client', (client) => {
      this.#sockets.set(client.id, client);
      this.#sessions.get(client.id)?.leave(TAKEN_OVER);
    });
    broker.aedes.on('clientDisconnect', (client) => {
      if (this.#sockets.get(client.id) === client) this.#sockets.delete(client.id);
    });
  }

  async open(options: MqttConnectOptions, events: MqttSessionEvents): Promise<MqttSession> {
    const session: InProcessSession = new InProcessSession(this.#broker, options, events, () => {
      if (this.#sessions.get(options.clientId) === session) this.#sessions.delete(options.clientId);
    });
    const refusal = await this.#admit(session, options);
    if (refusal !== undefined) throw new MqttRefused(`No MQTT session: ${refusal}.`);
    await this.#takeOver(session);
    const filters = await this.#filtersOf(session, options.clean);
    // Another connection, or the end of the broker, may have arrived meanwhile.
    if (session.isClosed) throw new MqttRefused(`No MQTT session: ${session.endReason}.`);
    session.resume(filters);
    session.opened();
    return session;
  }

  /** Ends all sessions; `open` is refused from now on. */
  close(): void {
    this.#isClosed = true;
    for (const session of [...this.#sessions.values()]) session.leave(BROKER_CLOSED);
  }

  /** Undefined, or why it is refused. */
  async #admit(session: InProcessSession, options: MqttConnectOptions): Promise<string | undefined> {
    const { clientId, username, password, keepAliveS, will, connectTimeoutMs } = options;
    if (this.#isClosed) return BROKER_CLOSED;
    this.#signIn.noteConnect(session, {
      clientId,
      keepAliveS,
      will: will === undefined ? undefined : { topic: will.topic, retain: will.retain },
    });
    const timeout = Promise.withResolvers<AuthenticateError | Error>();
    const timer = setTimeout(
      () => timeout.resolve(new Error('there was no answer in time')),
      connectTimeoutMs,
    );
    const answer = this.#signIn.admit(session, username, Buffer.from(password));
    const error = await Promise.race([answer, timeout.promise]);
    clearTimeout(timer);
    return this.#isClosed ? BROKER_CLOSED : error?.message;
  }

  /** One connection for each client id: the older one ends (MQTT-3.1.4-2). */
  async #takeOver(session: InProcessSession): Promise<void> {
    const { id } = session;
    const socket = this.#sockets.get(id);
    if (socket !== undefined) await new Promise<void>((resolve) => socket.close(() => resolve()));
    this.#sessions.get(id)?.leave(TAKEN_OVER);
    if (this.#isClosed) session.leave(BROKER_CLOSED);
    else if (!session.isClosed) this.#sessions.set(id, session);
  }

  /** The filters of the resumed session; none, and no session, with `isClean`. */
  async #filtersOf(session: InProcessSession, isClean: boolean): Promise<readonly string[]> {
    const { persistence } = this.#broker;
    if (!isClean) return (await persistence.subscriptionsByClient(session)).map(({ topic }) => topic);
    await persistence.cleanSubscriptions(session);
    return [];
  }
}

const TAKEN_OVER = 'another connection has the same client id';
const BROKER_CLOSED = 'the broker is closed';
