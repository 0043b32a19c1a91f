import type { Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';

export interface BrokerProbeParts {
  readonly time: Time;
  /** Publishes something that nobody reads; resolves with the broker's acknowledgement. */
  publish(): Promise<void>;
  /** The broker has taken nothing for too long. Called once; the probe is over then. */
  silent(): void;
}

/**
 * Finds out whether a broker that keeps a connection still does its work. One node of a cluster that has lost the others
 * answers pings (MQTT 3.1.1, 3.12) and takes no message any more: NATS without its majority does so. So a connection over
 * which nothing has come for a while publishes something, and what is not acknowledged in time tells.
 */
export interface BrokerProbe {
  /** The broker has sent something on this connection: an acknowledgement, or a message. */
  heard(): void;
  /** A message is held back here. What the broker sends behind it is not read meanwhile, so its silence says nothing. */
  held(): void;
  /** It is acknowledged. */
  released(): void;
  stop(): void;
}

export function makeBrokerProbe({ time, publish, silent }: BrokerProbeParts): BrokerProbe {
  let heardMs = time.nowMs();
  let heldMessages = 0;
  let isOver = false;
  let cancelAlarm = wait(limits.brokerQuietMs, look);

  function wait(delayMs: number, then: () => void): () => void {
    return time.alarm(time.nowMs() + delayMs, then);
  }

  function look(): void {
    const quietMs = heldMessages > 0 ? 0 : time.nowMs() - heardMs;
    if (quietMs < limits.brokerQuietMs) cancelAlarm = wait(limits.brokerQuietMs - quietMs, look);
    else ask();
  }

  function ask(): void {
    // That the connection has ended is told by its own event.
    publish().then(heard, () => undefined);
    const askedMs = time.nowMs();
    cancelAlarm = wait(limits.brokerAnswerMs, () => judge(askedMs));
  }

  function judge(askedMs: number): void {
    if (heardMs >= askedMs || heldMessages > 0) {
      look();
      return;
    }
    isOver = true;
    silent();
  }

  function heard(): void {
    heardMs = time.nowMs();
  }

  return {
    heard,
    held() {
      heldMessages += 1;
      heard();
    },
    released() {
      heldMessages -= 1;
      heard();
    },
    stop() {
      if (isOver) return;
      isOver = true;
      cancelAlarm();
    },
  };
}
