import type { ServiceWorld } from '../../../backend/service.ts';
import { interceptedStore } from '../../../backend/store/intercepted-store.ts';
import { type Store, StoreFailed } from '../../../backend/store/port/store.ts';
import type { WakeUp, WakeUpListener } from '../../../backend/store/port/wake-ups.ts';
import { type AmqpMessage, type AmqpPublisher, AmqpRefused } from '../../../world/amqp/amqp-publisher.ts';
import { type MqttClient, MqttRefused } from '../../../world/mqtt/mqtt-client.ts';
import type { Time } from '../../../world/time/time.ts';
import type { Counting } from '../common/faults/active-fault.ts';
import type { BackendPeer, WakeUpFault } from '../common/service-runner.ts';

/**
 * The gate between one backend and everything that reaches it: its ports, and requests. While it is paused nothing
 * reaches it, like a process that the system has stopped (SIGSTOP), or that a virtual machine has frozen. Pending
 * input reaches it afterwards, in order, and it does not know that time has passed. It can also be cut off from
 * single peers, and wake-ups may come late or be lost: that outlasts a crash.
 */
export class BackendGate {
  #isPaused = false;
  #waiting: (() => void)[] = [];
  #keptCount = 0;
  /** How often it could not reach a peer. */
  readonly #missedPeers = new Map<BackendPeer, number>();
  readonly #cutOff = new Map<BackendPeer, number>();
  readonly #wakeUpFaults = new Set<{ readonly fault: WakeUpFault; effects: number }>();
  readonly #listeners = new Set<WakeUpListener>();
  /** Ends the connections to a peer. */
  readonly #drops = new Map<BackendPeer, Set<() => void>>();

  /** Another instance of the backend runs from now on: what was under way to the former one is dropped. */
  renew(): void {
    this.#isPaused = false;
    this.#waiting = [];
    this.#listeners.clear();
    this.#drops.clear();
  }

  /** How much was withheld from it so far while it was paused. */
  get keptCount(): number {
    return this.#keptCount;
  }

  /** The instance has ended, and its connections with it. */
  ended(): void {
    this.#drops.clear();
  }

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
    if (!this.#isPaused) {
      happen();
      return;
    }
    this.#keptCount += 1;
    this.#waiting.push(happen);
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

  /**
   * Until it is removed the backend does not reach that peer; connections break. It counts connections that broke,
   * and failed attempts.
   */
  cutOff(peer: BackendPeer): Counting {
    const missedBefore = this.#missed(peer);
    this.#cutOff.set(peer, (this.#cutOff.get(peer) ?? 0) + 1);
    for (const drop of [...(this.#drops.get(peer) ?? [])]) {
      this.#miss(peer);
      drop();
    }
    let atEnd: number | undefined;
    const count = (): number => atEnd ?? this.#missed(peer) - missedBefore;
    const remove = (): void => {
      if (atEnd !== undefined) return;
      atEnd = count();
      this.#cutOff.set(peer, (this.#cutOff.get(peer) ?? 1) - 1);
      if (peer !== 'store' || this.#isCutOff(peer)) return;
      for (const listener of this.#listeners) this.#tell(listener, { kind: 'anything' });
    };
    return { count, remove };
  }

  #missed(peer: BackendPeer): number {
    return this.#missedPeers.get(peer) ?? 0;
  }

  #miss(peer: BackendPeer): void {
    this.#missedPeers.set(peer, this.#missed(peer) + 1);
  }

  /** Whether an attempt now does not reach the peer. */
  #misses(peer: BackendPeer): boolean {
    if (!this.#isCutOff(peer)) return false;
    this.#miss(peer);
    return true;
  }

  #isCutOff(peer: BackendPeer): boolean {
    return (this.#cutOff.get(peer) ?? 0) > 0;
  }

  /** Wake-ups are lost or late until this is removed, which counts them. */
  hinderWakeUps(fault: WakeUpFault): Counting {
    const one = { fault, effects: 0 };
    this.#wakeUpFaults.add(one);
    return { count: () => one.effects, remove: () => void this.#wakeUpFaults.delete(one) };
  }

  /** The delay of a wake-up that is sent now; undefined: it is lost. */
  #wakeUpDelayMs(): number | undefined {
    let delayMs: number | undefined = 0;
    for (const one of this.#wakeUpFaults) {
      one.effects += 1;
      if (one.fault.fate === 'lost') delayMs = undefined;
      else if (delayMs !== undefined) delayMs = Math.max(delayMs, one.fault.byMs);
    }
    return delayMs;
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

  /** `published` is called for each message that the backend hands to the exchange, at that moment. */
  wrapWorld(world: ServiceWorld, published: (message: AmqpMessage) => void = () => undefined): ServiceWorld {
    const { time, steadyTime, mqtt, amqp, http } = world;
    return {
      ...world,
      time: this.#time(time),
      steadyTime: this.#time(steadyTime),
      mqtt: this.#mqtt(mqtt),
      amqp: amqp === undefined ? undefined : this.#amqp(amqp, published),
      http: { call: (request) => this.through(http.call(request)) },
    };
  }

  /** `time` is that of the instance. */
  wrapStore(store: Store, time: Time): Store {
    const intercepted = interceptedStore(store, (carryOut) =>
      this.#misses('store')
        ? Promise.reject(new StoreFailed('The backend was cut off from its store.'))
        : this.through(carryOut()),
    );
    return {
      ...intercepted,
      // They have a connection of their own: those sent while it is cut off are lost, and a client that reconnects
      // knows that.
      listen: (listener) => {
        this.#listeners.add(listener);
        const end = intercepted.listen((wakeUp) => {
          if (this.#misses('store')) return;
          const delayMs = this.#wakeUpDelayMs();
          if (delayMs === 0) this.#tell(listener, wakeUp);
          else if (delayMs !== undefined)
            time.alarm(time.nowMs() + delayMs, () => this.#tell(listener, wakeUp));
        });
        return () => {
          this.#listeners.delete(listener);
          end();
        };
      },
    };
  }

  #tell(listener: WakeUpListener, wakeUp: WakeUp): void {
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
        if (this.#misses('mqtt')) throw new MqttRefused('the broker cannot be reached');
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
        // A connection that is opening at the cut-off is cut off, too.
        if (this.#misses('mqtt')) {
          session.drop();
          throw new MqttRefused('the broker cannot be reached');
        }
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

  #amqp(amqp: AmqpPublisher, published: (message: AmqpMessage) => void): AmqpPublisher {
    return {
      open: async (options, events) => {
        if (this.#misses('amqp')) throw new AmqpRefused('the broker cannot be reached');
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
        const close = () => void session.close().catch(() => undefined);
        if (this.#misses('amqp')) {
          close();
          throw new AmqpRefused('the broker cannot be reached');
        }
        forget = this.#onCutOff('amqp', close);
        return {
          declareExchange: (name, type) => this.through(session.declareExchange(name, type)),
          declareQueue: (name, options) => this.through(session.declareQueue(name, options)),
          hasQueue: (name) => this.through(session.hasQueue(name)),
          bind: (queue, exchange, key) => this.through(session.bind(queue, exchange, key)),
          unbind: (queue, exchange, key) => this.through(session.unbind(queue, exchange, key)),
          deleteQueue: (name) => this.through(session.deleteQueue(name)),
          publish: (message) => {
            published(message);
            return this.through(session.publish(message));
          },
          close: () => this.through(session.close()),
        };
      },
    };
  }
}
