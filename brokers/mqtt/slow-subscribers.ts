import type { Aedes } from 'aedes';
import { limits } from '../limits.ts';

type NotifySubscriber = (packet: object, done: () => void) => void;

/** The part of aedes' emitter that is used here; aedes has the property, its types do not. */
interface Emitter {
  on(topic: string, notify: NotifySubscriber, done?: () => void): unknown;
  removeListener(topic: string, notify: NotifySubscriber, done?: () => void): unknown;
}

/**
 * Makes a publisher independent of its subscribers. By default aedes continues to read from a connection only when the
 * last subscriber has room for its publications, so that one subscriber that reads nothing blocks all publishers of its
 * topics. Here unread data fills the subscriber's own buffer, up to `overflowOf`.
 */
export function deliverWithoutWaiting(broker: Aedes): void {
  const emitter = emitterOf(broker);
  const on = emitter.on.bind(emitter);
  const removeListener = emitter.removeListener.bind(emitter);
  const wrappers = new WeakMap<NotifySubscriber, NotifySubscriber>();

  emitter.on = (topic, notify, done) => {
    // One wrapper for each subscriber, for all its topics: it is needed again to remove the listener.
    const wrapper: NotifySubscriber =
      wrappers.get(notify) ??
      ((packet, done) => {
        notify(packet, noop);
        // Not synchronously: many publications at once would overflow the stack.
        setImmediate(done);
      });
    wrappers.set(notify, wrapper);
    return on(topic, wrapper, done);
  };
  emitter.removeListener = (topic, notify, done) =>
    removeListener(topic, wrappers.get(notify) ?? notify, done);
}

/**
 * What happens to a publication for a subscriber with this many unread bytes. Beyond `limits.mqtt.untakenBytes`, a
 * publication with QoS 0 is dropped, which MQTT 3.1.1 section 4.3.1 allows; with any other QoS the connection
 * ends: a persistent session keeps the message (session-queue.ts) for the next connection.
 */
export function overflowOf(untakenBytes: number, qos: number): 'none' | 'drop' | 'end' {
  if (untakenBytes <= limits.mqtt.untakenBytes) return 'none';
  return qos === 0 ? 'drop' : 'end';
}

function emitterOf(broker: Aedes): Emitter {
  const emitter: unknown = Reflect.get(broker, 'mq');
  if (!isEmitter(emitter)) throw new Error('Unsupported version of aedes: emitter.');
  return emitter;
}

function isEmitter(value: unknown): value is Emitter {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'on') === 'function' &&
    typeof Reflect.get(value, 'removeListener') === 'function'
  );
}

function noop(): void {
  // The publisher does not wait for the subscriber.
}
