import { topics } from '../../protocol/topics.ts';
import type { MqttMessage, MqttSession, MqttSessionEvents } from '../../world/mqtt/mqtt-client.ts';
import type { BoxPlan } from '../box-plan.ts';
import { limits } from '../limits.ts';
import type { SimulatorWorld } from '../simulator-world.ts';
import { DelayQueue } from './delay-queue.ts';

/** The callbacks of a connection. None is called after `closed`, nor after the box itself has ended the connection. */
export interface BrokerConnectionEvents {
  /** `isResumed`: the broker had kept the session, and the messages that it holds for the box may come at any time. */
  opened(connection: BrokerConnection, isResumed: boolean): void;
  subscribed(connection: BrokerConnection): void;
  acknowledged(connection: BrokerConnection, token: number): void;
  /** `done` requests the next message. */
  received(connection: BrokerConnection, bytes: Uint8Array, done: () => void): void;
  closed(connection: BrokerConnection, reason: string): void;
}

/** How long frames of one box are under way, each asked for as it is sent. Milliseconds. */
export interface FrameDelays {
  /** Of the frame that the box sends now. */
  uplinkDelayMs(): number;
  /** Of the frame that is on its way to the box now. */
  downlinkDelayMs(): number;
}

/** MQTT 3.1.1 section 3.1.2.10: a server waits one and a half times as long. */
const KEEP_ALIVE_GRACE = 1.5;

/** One connection of one box, from the attempt to its end. */
export class BrokerConnection implements MqttSessionEvents {
  readonly #world: Pick<SimulatorWorld, 'mqtt' | 'trace' | 'time'>;
  readonly #events: BrokerConnectionEvents;
  /** Undefined: everything passes immediately. */
  readonly #timing: FrameDelays | undefined;
  readonly #up: DelayQueue | undefined;
  readonly #down: DelayQueue | undefined;
  readonly #who: string;
  readonly #downTopic: string;
  #session: MqttSession | undefined;
  #isOver = false;
  #isSilent = false;
  /** When the broker last received a packet other than a ping. */
  #heardMs = 0;
  #cancelKeepAlive: (() => void) | undefined;

  constructor(
    plan: BoxPlan,
    world: Pick<SimulatorWorld, 'mqtt' | 'trace' | 'time'>,
    will: MqttMessage,
    events: BrokerConnectionEvents,
    timing?: FrameDelays,
  ) {
    this.#world = world;
    this.#events = events;
    this.#timing = timing;
    if (timing !== undefined) {
      this.#up = new DelayQueue(world.time);
      this.#down = new DelayQueue(world.time);
    }
    this.#who = `box/${plan.boxId}`;
    this.#downTopic = topics.down(plan.boxId);
    world.mqtt
      .open(
        {
          clientId: plan.boxId,
          username: plan.boxId,
          password: plan.secret,
          clean: plan.mqttSession !== 'persistent',
          keepAliveS: limits.keepAliveS,
          connectTimeoutMs: limits.connectTimeoutMs,
          will,
        },
        this,
      )
      .then(
        (session) => this.#open(session),
        (error: unknown) => this.closed(String(error)),
      );
  }

  publish(token: number, publication: MqttMessage): void {
    this.#send((session) => {
      this.#note('frame-up', publication.payload);
      session.publish(publication).then(
        () => {
          if (!this.#isOver) this.#events.acknowledged(this, token);
        },
        // A waiting caller is notified that the connection has ended.
        () => undefined,
      );
    });
  }

  subscribe(filter: string): void {
    this.#send((session) => {
      session.subscribe(filter).then(
        () => {
          if (!this.#isOver) this.#events.subscribed(this);
        },
        (error: unknown) => {
          // Without commands a connection is of no use.
          if (this.#isOver) return;
          session.drop();
          this.closed(String(error));
        },
      );
    });
  }

  /**
   * Ends it for the box, which has decided so: with a disconnect, as a modem that is switched off, or without one: no
   * site reaches the box, so that the broker considers it connected until it misses the keep-alive.
   */
  end(how: 'goodbye' | 'drop' | 'silence'): void {
    if (this.#isOver) return;
    const session = this.#session;
    // Queued packets are still sent before the disconnect.
    if (how === 'goodbye') this.#send((open) => open.end().catch(() => undefined));
    else this.#up?.clear();
    this.#down?.clear();
    this.#isOver = true;
    if (how === 'drop') session?.drop();
    else if (how === 'silence' && session !== undefined) this.#fallSilent(session);
  }

  /** Ends the rest of a connection that stopped without a disconnect. */
  dropSilent(): void {
    this.#cancelKeepAlive?.();
    this.#session?.drop();
  }

  #fallSilent(session: MqttSession): void {
    const { time } = this.#world;
    this.#isSilent = true;
    const keepAliveMs = limits.keepAliveS * 1_000;
    const pings = Math.floor((time.nowMs() - this.#heardMs) / keepAliveMs);
    const missedMs = this.#heardMs + (pings + KEEP_ALIVE_GRACE) * keepAliveMs;
    this.#cancelKeepAlive = time.alarm(missedMs, () => session.drop());
  }

  /** Sends something, on a road a little later and in its order. */
  #send(what: (session: MqttSession) => void): void {
    const session = this.#session;
    if (session === undefined || this.#isOver) return;
    const send = (): void => {
      this.#heardMs = this.#world.time.nowMs();
      what(session);
    };
    if (this.#timing === undefined) send();
    else this.#up?.push(this.#timing.uplinkDelayMs(), send);
  }

  /** Severs it as the network would: the box is notified. */
  cut(): void {
    this.#session?.drop();
  }

  #open(session: MqttSession): void {
    if (this.#isOver) {
      session.drop();
      return;
    }
    this.#session = session;
    this.#heardMs = this.#world.time.nowMs();
    this.#events.opened(this, session.present);
  }

  /** From its session. */
  message(topic: string, payload: Uint8Array, retained: boolean, acknowledge: () => void): void {
    // A command is never retained: one that is, is none.
    // It does not arrive, and neither end is notified.
    if (this.#isSilent) return;
    if (this.#isOver || retained || topic !== this.#downTopic) {
      acknowledge();
      return;
    }
    const receive = (): void => {
      this.#note('frame-down', payload);
      this.#events.received(this, payload, acknowledge);
    };
    if (this.#timing === undefined) receive();
    else this.#down?.push(this.#timing.downlinkDelayMs(), receive);
  }

  /** From its session: it has ended. */
  closed(reason: string): void {
    this.#cancelKeepAlive?.();
    this.#up?.clear();
    this.#down?.clear();
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.closed(this, reason);
  }

  #note(what: string, bytes: Uint8Array): void {
    this.#world.trace.note({ who: this.#who, what, bytes });
  }
}
