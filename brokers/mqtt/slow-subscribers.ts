import type { Aedes } from 'aedes';
import { limits } from './limits.ts';

type Notify = (packet: object, done: () => void) => void;

/** What is used of aedes' emitter; aedes has the property, its types do not. */
interface Emitter {
  on(topic: string, notify: Notify, done?: () => void): unknown;
  removeListener(topic: string, notify: Notify, done?: () => void): unknown;
}

/**
 * A publication is handed to its subscribers, and its publisher waits for none of them: aedes would read on from a
 * connection only when the last subscriber has room for what came from it, so that one who reads nothing holds up
 * everybody whose publications it hears. What it does not take fills its own buffer, up to `overflowOf`.
 */
export function handOverWithoutWaiting(broker: Aedes): void {
  const emitter = emitterOf(broker);
  const on = emitter.on.bind(emitter);
  const removeListener = emitter.removeListener.bind(emitter);
  const handing = new WeakMap<Notify, Notify>();

  emitter.on = (topic, notify, done) => {
    // One for each subscriber, however many topics it is for: it is found by that when it leaves.
    const handOver: Notify =
      handing.get(notify) ??
      ((packet, handedOver) => {
        notify(packet, noop);
        // Not at once: many publications at once would fill the stack.
        setImmediate(handedOver);
      });
    handing.set(notify, handOver);
    return on(topic, handOver, done);
  };
  emitter.removeListener = (topic, notify, done) =>
    removeListener(topic, handing.get(notify) ?? notify, done);
}

/**
 * What becomes of a publication for a subscriber of whose connection so many bytes have not been taken. Beyond
 * `limits.untakenBytes` one of QoS 0 is dropped for it, which MQTT 3.1.1 section 4.3.1 allows; with any other its
 * connection ends: a persistent session keeps it (queue-bound.ts), and hands it over to the next connection.
 */
export function overflowOf(untakenBytes: number, qos: number): 'none' | 'drop' | 'end' {
  if (untakenBytes <= limits.untakenBytes) return 'none';
  return qos === 0 ? 'drop' : 'end';
}

function emitterOf(broker: Aedes): Emitter {
  const emitter: unknown = Reflect.get(broker, 'mq');
  if (!isEmitter(emitter)) throw new Error('This version of aedes hands publications over in another way.');
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
  // A subscriber that has taken it is nobody's concern.
}
