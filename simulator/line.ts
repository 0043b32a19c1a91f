import { topics } from '../protocol/topics.ts';
import type { Publication, Session } from '../world/link.ts';
import type { BoxPlan, SimulatorWorld } from './fleet.ts';
import { limits } from './limits.ts';
import { Delayed } from './radio/delayed.ts';
import type { Road } from './road.ts';

/** What a line tells its box. Nothing is told after `closed`, nor once the box itself has ended the line. */
export interface LineEvents {
  opened(line: Line): void;
  subscribed(line: Line): void;
  acknowledged(line: Line, token: number): void;
  /** `done` lets the next message come. */
  received(line: Line, bytes: Uint8Array, done: () => void): void;
  closed(line: Line, reason: string): void;
}

/** MQTT 3.1.1 section 3.1.2.10: a server waits one and a half times as long. */
const KEEP_ALIVE_GRACE = 1.5;

/** One connection of one box, from the attempt to its end. */
export class Line {
  readonly #world: Pick<SimulatorWorld, 'link' | 'trace' | 'time'>;
  readonly #events: LineEvents;
  /** Undefined: whatever passes, passes at once. */
  readonly #road: Pick<Road, 'upMs' | 'downMs'> | undefined;
  readonly #up: Delayed;
  readonly #down: Delayed;
  readonly #who: string;
  readonly #downTopic: string;
  #session: Session | undefined;
  #isOver = false;
  #isSilent = false;
  /** When the broker last heard of it, but for pings. */
  #heardMs = 0;
  #cancelKeepAlive: () => void = () => undefined;

  constructor(
    plan: BoxPlan,
    world: Pick<SimulatorWorld, 'link' | 'trace' | 'time'>,
    will: Publication,
    events: LineEvents,
    road?: Pick<Road, 'upMs' | 'downMs'>,
  ) {
    this.#world = world;
    this.#events = events;
    this.#road = road;
    this.#up = new Delayed(world.time);
    this.#down = new Delayed(world.time);
    this.#who = `box/${plan.boxId}`;
    this.#downTopic = topics.down(plan.boxId);
    world.link
      .open(
        {
          clientId: plan.boxId,
          username: plan.boxId,
          password: plan.secret,
          clean: true,
          keepAliveS: limits.keepAliveS,
          connectTimeoutMs: limits.connectTimeoutMs,
          will,
        },
        {
          message: (topic, payload, retained, acknowledge) =>
            this.#take(topic, payload, retained, acknowledge),
          closed: (reason) => this.#close(reason),
        },
      )
      .then(
        (session) => this.#open(session),
        (error: unknown) => this.#close(String(error)),
      );
  }

  publish(token: number, publication: Publication): void {
    this.#send((session) => {
      this.#note('frame-up', publication.payload);
      session.publish(publication).then(
        () => {
          if (!this.#isOver) this.#events.acknowledged(this, token);
        },
        // Whoever waits for it learns of the end of the connection.
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
          this.#close(String(error));
        },
      );
    });
  }

  /**
   * Ends it for the box, which has decided so: with a goodbye, as a modem that is switched off, or in silence: no site
   * reaches the box, so that the broker takes it for connected until it misses the keep-alive.
   */
  end(how: 'goodbye' | 'drop' | 'silence'): void {
    if (this.#isOver) return;
    const session = this.#session;
    // What is under way still goes before a goodbye.
    if (how === 'goodbye') this.#send((open) => open.end().catch(() => undefined));
    else this.#up.clear();
    this.#down.clear();
    this.#isOver = true;
    if (how === 'drop') session?.drop();
    else if (how === 'silence' && session !== undefined) this.#fallSilent(session);
  }

  /** Ends what is left of one that has fallen silent. */
  forget(): void {
    this.#cancelKeepAlive();
    this.#session?.drop();
  }

  #fallSilent(session: Session): void {
    const { time } = this.#world;
    this.#isSilent = true;
    const keepAliveMs = limits.keepAliveS * 1_000;
    const pings = Math.floor((time.nowMs() - this.#heardMs) / keepAliveMs);
    const missedMs = this.#heardMs + (pings + KEEP_ALIVE_GRACE) * keepAliveMs;
    this.#cancelKeepAlive = time.alarm(missedMs, () => session.drop());
  }

  /** Sends something, on a road a little later and in its order. */
  #send(what: (session: Session) => void): void {
    const session = this.#session;
    if (session === undefined || this.#isOver) return;
    const send = (): void => {
      this.#heardMs = this.#world.time.nowMs();
      what(session);
    };
    if (this.#road === undefined) send();
    else this.#up.push(this.#road.upMs(), send);
  }

  /** Severs it as the network would: the box learns of it. */
  cut(): void {
    this.#session?.drop();
  }

  #open(session: Session): void {
    if (this.#isOver) {
      session.drop();
      return;
    }
    this.#session = session;
    this.#heardMs = this.#world.time.nowMs();
    this.#events.opened(this);
  }

  #take(topic: string, payload: Uint8Array, retained: boolean, acknowledge: () => void): void {
    // A command is never retained: one that is, is none.
    // It does not arrive, and nobody says so.
    if (this.#isSilent) return;
    if (this.#isOver || retained || topic !== this.#downTopic) {
      acknowledge();
      return;
    }
    const receive = (): void => {
      this.#note('frame-down', payload);
      this.#events.received(this, payload, acknowledge);
    };
    if (this.#road === undefined) receive();
    else this.#down.push(this.#road.downMs(), receive);
  }

  #close(reason: string): void {
    this.#cancelKeepAlive();
    this.#up.clear();
    this.#down.clear();
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.closed(this, reason);
  }

  #note(what: string, bytes: Uint8Array): void {
    this.#world.trace.note({ who: this.#who, what, bytes });
  }
}
