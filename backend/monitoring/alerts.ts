import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { operatorLimits } from '../base/limits.ts';

/** The posted JSON. */
export type Alert = Readonly<Record<'flow_id' | 'method' | 'path' | 'problem' | 'time', string>>;

export interface AlertSender {
  /** Returns at once. */
  send(alert: Alert): void;
  stop(): void;
}

/**
 * Posts alerts one after the other, each once. An address that fails or is slow does not affect requests: alerts beyond
 * the queue are counted as dropped, and failures are logged periodically.
 */
export function makeAlertSender(parts: {
  readonly world: Pick<World, 'time' | 'http' | 'log'>;
  readonly counters: Counters;
  readonly url: string;
}): AlertSender {
  const { world, counters, url } = parts;
  const waiting: Alert[] = [];
  let isSending = false;
  let isStopped = false;
  let complainedMs = Number.NEGATIVE_INFINITY;

  async function sendAll(): Promise<void> {
    isSending = true;
    for (let alert = waiting.shift(); alert !== undefined; alert = waiting.shift()) {
      try {
        await post(alert);
        counters.add('alerts.sent');
      } catch (error) {
        counters.add('alerts.failed');
        complain(error);
      }
    }
    isSending = false;
  }

  async function post(alert: Alert): Promise<void> {
    const { status } = await world.http.call({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(alert),
      timeoutMs: operatorLimits.alertTimeoutMs,
      maxBodyBytes: operatorLimits.alertAnswerBytes,
    });
    if (status < 200 || status > 299) throw new Error(`The alert address answered with ${status}.`);
  }

  function complain(error: unknown): void {
    const nowMs = world.time.nowMs();
    if (isStopped || nowMs < complainedMs + operatorLimits.complaintEveryMs) return;
    complainedMs = nowMs;
    world.log.warn({ error: String(error) }, 'an alert could not be delivered; it is only in the log');
  }

  return {
    send(alert) {
      if (isStopped) return;
      if (waiting.length >= operatorLimits.waitingAlerts) {
        counters.add('alerts.dropped');
        return;
      }
      waiting.push(alert);
      if (!isSending) void sendAll();
    },
    stop() {
      isStopped = true;
      waiting.length = 0;
    },
  };
}
