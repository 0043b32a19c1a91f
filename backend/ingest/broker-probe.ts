import type { Time } from '../../world/time/time.ts';
import { limits } from '../base/limits.ts';

export interface BrokerProbeParts {
  readonly time: Time;
  /** Publishes a message without readers; resolves with the broker's acknowledgement. */
  publish(): Promise<void>;
  /** The broker has acknowledged nothing for too long. Called once; the probe is over then. */
  silent(): void;
}

/**
 * Detects a broker that keeps a connection but accepts no messages. A cluster node that has lost the others still
 * answers pings (MQTT 3.1.1, 3.12) and accepts no message: NATS without its majority does so. So a connection that was
 * idle for a while publishes a probe, and the broker counts as failed if it is not acknowledged in time.
 */
export interface BrokerProbe {
  /** The broker has sent something on this connection: an acknowledgement, or a message. */
  heard(): void;
  /** A message is held back here. Later ones are not read meanwhile, so silence proves nothing. */
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
    // The end of the connection has its own event.
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
