import { topics } from '../protocol/topics.ts';
import type { Publication, Session } from '../world/link.ts';
import type { BoxPlan, SimulatorWorld } from './fleet.ts';
import { limits } from './limits.ts';

/** What a line tells its box. Nothing is told after `closed`, nor once the box itself has ended the line. */
export interface LineEvents {
  opened(line: Line): void;
  subscribed(line: Line): void;
  acknowledged(line: Line, token: number): void;
  /** `done` lets the next message come. */
  received(line: Line, bytes: Uint8Array, done: () => void): void;
  closed(line: Line, reason: string): void;
}

/** One connection of one box, from the attempt to its end. */
export class Line {
  readonly #world: Pick<SimulatorWorld, 'link' | 'trace'>;
  readonly #events: LineEvents;
  readonly #who: string;
  readonly #downTopic: string;
  #session: Session | undefined;
  #isOver = false;

  constructor(
    plan: BoxPlan,
    world: Pick<SimulatorWorld, 'link' | 'trace'>,
    will: Publication,
    events: LineEvents,
  ) {
    this.#world = world;
    this.#events = events;
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
    if (this.#session === undefined || this.#isOver) return;
    this.#note('frame-up', publication.payload);
    this.#session.publish(publication).then(
      () => {
        if (!this.#isOver) this.#events.acknowledged(this, token);
      },
      // Whoever waits for it learns of the end of the connection.
      () => undefined,
    );
  }

  subscribe(filter: string): void {
    if (this.#session === undefined || this.#isOver) return;
    this.#session.subscribe(filter).then(
      () => {
        if (!this.#isOver) this.#events.subscribed(this);
      },
      (error: unknown) => {
        // Without commands a connection is of no use.
        if (this.#isOver) return;
        this.#session?.drop();
        this.#close(String(error));
      },
    );
  }

  /** Ends it for the box, which has decided so: with a goodbye, or as a modem that is switched off. */
  end(how: 'goodbye' | 'drop'): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (how === 'drop') this.#session?.drop();
    else this.#session?.end().catch(() => undefined);
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
    this.#events.opened(this);
  }

  #take(topic: string, payload: Uint8Array, retained: boolean, acknowledge: () => void): void {
    // A command is never retained: one that is, is none.
    if (this.#isOver || retained || topic !== this.#downTopic) {
      acknowledge();
      return;
    }
    this.#note('frame-down', payload);
    this.#events.received(this, payload, acknowledge);
  }

  #close(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.closed(this, reason);
  }

  #note(what: string, bytes: Uint8Array): void {
    this.#world.trace.note({ who: this.#who, what, bytes });
  }
}
