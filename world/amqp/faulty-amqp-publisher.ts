import { sleep, type Time } from '../time/time.ts';
import {
  AmqpConnectionLost,
  type AmqpMessage,
  type AmqpPublisher,
  type AmqpPublisherEvents,
  type AmqpPublisherSession,
} from './amqp-publisher.ts';
import { PublisherFaults } from './publisher-faults.ts';

type PublishOutcome = 'confirmed' | 'unroutable' | 'refused';
/** The faults of the connection to the broker. */
export interface AmqpConnectionFaults {
  readonly isDown: boolean;
  setDown(isDown: boolean): void;
  /** Severs all connections. */
  cut(): void;
}

/** A session that is open, with what its faults need. */
interface OpenSession {
  readonly events: AmqpPublisherEvents;
  /** Settled once the connection has ended. */
  readonly gone: Promise<void>;
}

/**
 * An AMQP publisher with simulated faults of the broker: refused, delayed and missing confirms, and blocked
 * connections. It has the same methods as the virtual broker. An accepted message is really published.
 */
export class FaultyAmqpPublisher extends PublisherFaults {
  readonly #time: Time;
  readonly #connectionFaults: AmqpConnectionFaults;
  readonly #sessions = new Set<OpenSession>();
  #unblocked: PromiseWithResolvers<void> | undefined;

  constructor(time: Time, connectionFaults: AmqpConnectionFaults) {
    super();
    this.#time = time;
    this.#connectionFaults = connectionFaults;
  }

  get isDown(): boolean {
    return this.#connectionFaults.isDown;
  }

  setDown(isDown: boolean): void {
    if (isDown) this.counts.away += this.#sessions.size;
    this.#connectionFaults.setDown(isDown);
  }

  cut(): void {
    this.#connectionFaults.cut();
  }

  protected override blockedChanged(isBlocked: boolean): void {
    this.#unblocked?.resolve();
    this.#unblocked = isBlocked ? Promise.withResolvers() : undefined;
    for (const { events } of this.#sessions) events.blocked(isBlocked);
  }

  /** A publisher that publishes through `publisher`, with these faults. */
  wrap(publisher: AmqpPublisher): AmqpPublisher {
    return {
      open: async (options, events) => {
        if (this.isDown) this.counts.away += 1;
        const { promise: gone, resolve } = Promise.withResolvers<void>();
        const open: OpenSession = { events, gone };
        const session = await publisher.open(options, {
          closed: (reason) => {
            this.#sessions.delete(open);
            resolve();
            events.closed(reason);
          },
          blocked: (isBlocked) => events.blocked(isBlocked),
        });
        this.#sessions.add(open);
        if (this.#unblocked !== undefined) events.blocked(true);
        return withPublish(session, (message) => this.#publish(session, open, message));
      },
    };
  }

  async #publish(
    session: AmqpPublisherSession,
    { gone }: OpenSession,
    message: AmqpMessage,
  ): Promise<PublishOutcome> {
    const lost = gone.then((): never => {
      throw new AmqpConnectionLost('The AMQP connection is gone.');
    });
    // The promise may have no other handler.
    lost.catch(() => undefined);
    if (this.#unblocked !== undefined) {
      this.counts.held += 1;
      await Promise.race([this.#unblocked.promise, lost]);
    }
    if (this.isRefused()) return 'refused';
    const onTheWay = this.nextPublicationFault();
    if (onTheWay === 'lose' || onTheWay === 'lose-and-cut') {
      if (onTheWay === 'lose-and-cut') this.#connectionFaults.cut();
      return lost;
    }
    const fault = this.nextFault();
    if (onTheWay === 'double') await session.publish(message);
    const outcome = await session.publish(message);
    if (outcome !== 'refused') this.taken();
    if (fault?.kind === 'delay') await Promise.race([sleep(this.#time, fault.byMs), lost]);
    else if (fault !== undefined) {
      if (fault.kind === 'swallow-and-cut') this.#connectionFaults.cut();
      await lost;
    }
    return outcome;
  }
}

/** Every member is listed, since the methods of a class instance are not copied by a spread. */
function withPublish(
  session: AmqpPublisherSession,
  publish: AmqpPublisherSession['publish'],
): AmqpPublisherSession {
  return {
    declareExchange: (name, type) => session.declareExchange(name, type),
    declareQueue: (name, options) => session.declareQueue(name, options),
    hasQueue: (name) => session.hasQueue(name),
    bind: (queue, exchange, key) => session.bind(queue, exchange, key),
    unbind: (queue, exchange, key) => session.unbind(queue, exchange, key),
    deleteQueue: (name) => session.deleteQueue(name),
    publish,
    close: () => session.close(),
  };
}
