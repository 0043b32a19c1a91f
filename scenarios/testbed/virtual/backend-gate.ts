import type { ServiceWorld } from '../../../backend/service.ts';
import { interceptedStore } from '../../../backend/store/intercepted-store.ts';
import { type Store, StoreFailed } from '../../../backend/store/port/store.ts';
import type { WakeUp, WakeUpListener } from '../../../backend/store/port/wake-ups.ts';
import { type AmqpPublisher, AmqpRefused } from '../../../world/amqp/amqp-publisher.ts';
import { type MqttClient, MqttRefused } from '../../../world/mqtt/mqtt-client.ts';
import type { Time } from '../../../world/time/time.ts';
import type { BackendPeer } from '../common/service-runner.ts';

/**
 * Stands between one backend and everything that reaches it: its ports, and requests. While it is paused nothing reaches
 * it: as of a process that the system has stopped (SIGSTOP), or that a virtual machine has frozen. What came meanwhile
 * reaches it afterwards, in order, and it does not know that time has passed. It can also be cut off from single peers.
 */
export class BackendGate {
  #isPaused = false;
  #waiting: (() => void)[] = [];
  readonly #cutOff = new Map<BackendPeer, number>();
  readonly #listeners = new Set<WakeUpListener>();
  /** Ends the connections to a peer. */
  readonly #drops = new Map<BackendPeer, Set<() => void>>();

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const happen of waiting) this.pass(happen);
  }

  /** `happen` reaches the backend now, or once it is no longer paused. */
  pass(happen: () => void): void {
    if (this.#isPaused) this.#waiting.push(happen);
    else happen();
  }

  /** The same outcome, when it reaches the backend. */
  through<T>(outcome: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      outcome.then(
        (value) => this.pass(() => resolve(value)),
        (error: unknown) => this.pass(() => reject(error)),
      );
    });
  }

  /** Until the returned function is called it reaches that peer no more; connections break. */
  cutOff(peer: BackendPeer): () => void {
    this.#cutOff.set(peer, (this.#cutOff.get(peer) ?? 0) + 1);
    for (const drop of [...(this.#drops.get(peer) ?? [])]) drop();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#cutOff.set(peer, (this.#cutOff.get(peer) ?? 1) - 1);
      if (peer === 'store' && !this.#isCutOff(peer)) this.#tell({ kind: 'anything' });
    };
  }

  #isCutOff(peer: BackendPeer): boolean {
    return (this.#cutOff.get(peer) ?? 0) > 0;
  }

  /** Calls `drop` when it is cut off from that peer, until the returned function is called. */
  #onCutOff(peer: BackendPeer, drop: () => void): () => void {
    const drops = this.#drops.get(peer) ?? new Set();
    this.#drops.set(peer, drops);
    drops.add(drop);
    return () => {
      drops.delete(drop);
    };
  }

  wrapWorld(world: ServiceWorld): ServiceWorld {
    const { time, mqtt, amqp, http } = world;
    return {
      ...world,
      time: this.#time(time),
      mqtt: this.#mqtt(mqtt),
      amqp: amqp === undefined ? undefined : this.#amqp(amqp),
      http: { call: (request) => this.through(http.call(request)) },
    };
  }

  wrapStore(store: Store): Store {
    const intercepted = interceptedStore(store, (carryOut) =>
      this.#isCutOff('store')
        ? Promise.reject(new StoreFailed('The backend was cut off from its store.'))
        : this.through(carryOut()),
    );
    return {
      ...intercepted,
      // Over a connection of its own: what is told while that is cut off is lost, and who connects again knows that.
      listen: (listener) => {
        this.#listeners.add(listener);
        const end = intercepted.listen((wakeUp) => {
          if (!this.#isCutOff('store')) this.pass(() => listener(wakeUp));
        });
        return () => {
          this.#listeners.delete(listener);
          end();
        };
      },
    };
  }

  #tell(wakeUp: WakeUp): void {
    for (const listener of this.#listeners)
      this.pass(() => {
        if (this.#listeners.has(listener)) listener(wakeUp);
      });
  }

  #time(time: Time): Time {
    return {
      nowMs: () => time.nowMs(),
      alarm: (dueMs, wake) => {
        let isCancelled = false;
        const cancel = time.alarm(dueMs, () =>
          this.pass(() => {
            if (!isCancelled) wake();
          }),
        );
        return () => {
          isCancelled = true;
          cancel();
        };
      },
    };
  }

  #mqtt(mqtt: MqttClient): MqttClient {
    return {
      open: async (options, events) => {
        if (this.#isCutOff('mqtt')) throw new MqttRefused('the broker cannot be reached');
        let forget = (): void => undefined;
        const session = await this.through(
          mqtt.open(options, {
            message: (topic, payload, retained, acknowledge) =>
              this.pass(() => events.message(topic, payload, retained, acknowledge)),
            closed: (reason) => {
              forget();
              this.pass(() => events.closed(reason));
            },
          }),
        );
        forget = this.#onCutOff('mqtt', () => session.drop());
        return {
          present: session.present,
          publish: (message) => this.through(session.publish(message)),
          subscribe: (filter) => this.through(session.subscribe(filter)),
          end: () => this.through(session.end()),
          drop: () => session.drop(),
        };
      },
    };
  }

  #amqp(amqp: AmqpPublisher): AmqpPublisher {
    return {
      open: async (options, events) => {
        if (this.#isCutOff('amqp')) throw new AmqpRefused('the broker cannot be reached');
        let forget = (): void => undefined;
        const session = await this.through(
          amqp.open(options, {
            closed: (reason) => {
              forget();
              this.pass(() => events.closed(reason));
            },
            blocked: (isBlocked) => this.pass(() => events.blocked(isBlocked)),
          }),
        );
        forget = this.#onCutOff('amqp', () => void session.close().catch(() => undefined));
        return {
          declareExchange: (name, type) => this.through(session.declareExchange(name, type)),
          declareQueue: (name, options) => this.through(session.declareQueue(name, options)),
          hasQueue: (name) => this.through(session.hasQueue(name)),
          bind: (queue, exchange, key) => this.through(session.bind(queue, exchange, key)),
          unbind: (queue, exchange, key) => this.through(session.unbind(queue, exchange, key)),
          deleteQueue: (name) => this.through(session.deleteQueue(name)),
          publish: (message) => this.through(session.publish(message)),
          close: () => this.through(session.close()),
        };
      },
    };
  }
}
