import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import { backoffMs } from '../retry.ts';
import type { DueVehicle, ThirdPartyStore } from '../store/port/third-party-store.ts';
import { within } from '../within.ts';
import type { MakerClient, MakerReply } from './client.ts';
import { makerLimits } from './limits.ts';
import type { ReceiveReport } from './maker-reports.ts';

export interface PollerParts {
  readonly world: Pick<World, 'time' | 'random' | 'log'>;
  readonly store: Pick<ThirdPartyStore, 'claim' | 'postpone' | 'nextDue'>;
  readonly clients: ReadonlyMap<string, MakerClient>;
  readonly receiveReport: ReceiveReport;
  readonly counters: Counters;
}

export interface Poller {
  /** Starts no more polls; resolves when those under way are finished, or after a while. */
  stop(): Promise<void>;
  sever(): void;
}

/**
 * Polls the makers for their vehicles' states, each vehicle at its due time. Due times are in the store, and
 * a claim leases them, so that several backends share the work. A maker that asks for fewer calls is not
 * called for that time.
 */
export function startPoller(parts: PollerParts): Poller {
  const { world, store, clients, counters } = parts;
  const { time } = world;
  const chance = world.random.stream('third-party/poller');
  const quietUntilMs = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  let isStopped = false;
  let isLooking = false;
  let cancelAlarm = time.alarm(time.nowMs(), () => void look());

  /** Makers that may be called now. */
  const open = (): string[] => {
    const nowMs = time.nowMs();
    return [...clients.keys()].filter((name) => (quietUntilMs.get(name) ?? 0) <= nowMs);
  };

  async function look(): Promise<void> {
    if (isStopped || isLooking) return;
    isLooking = true;
    let wakeMs = time.nowMs() + makerLimits.lookMs;
    try {
      const nowMs = time.nowMs();
      const limit = makerLimits.pollsInFlight - underWay.size;
      const makers = open();
      const claimed =
        limit <= 0 || makers.length === 0
          ? []
          : await store.claim({ makers, nowMs, leasedUntilMs: nowMs + makerLimits.leaseMs, limit });
      for (const due of claimed) begin(due);
      const nextMs = makers.length === 0 ? undefined : await store.nextDue(makers);
      // With all slots taken, due vehicles wait for one of them.
      if (nextMs !== undefined && underWay.size < makerLimits.pollsInFlight)
        wakeMs = Math.min(wakeMs, nextMs);
    } catch (error) {
      counters.add('third-party.store-failed');
      world.log.error({ error: String(error) }, 'the vehicles of makers could not be looked up');
    }
    isLooking = false;
    wakeAt(wakeMs);
  }

  function wakeAt(dueMs: number): void {
    if (isStopped) return;
    cancelAlarm();
    cancelAlarm = time.alarm(dueMs, () => void look());
  }

  function begin(due: DueVehicle): void {
    const work = poll(due)
      .catch((error: unknown) => {
        // Its lease expires by itself.
        counters.add('third-party.store-failed');
        world.log.error(
          { vehicleId: due.vehicleId, error: String(error) },
          'a state of a maker could not be stored',
        );
      })
      .then(() => {
        const wasFull = underWay.size >= makerLimits.pollsInFlight;
        underWay.delete(work);
        // Others may have waited for the slot.
        if (wasFull) wakeAt(time.nowMs());
      });
    underWay.add(work);
  }

  async function poll(due: DueVehicle): Promise<void> {
    const client = clients.get(due.maker);
    if (client === undefined) return;
    counters.add('third-party.polls');
    const reply = await client.ask(due.makerVehicleId, makerLimits.pollTimeoutMs);
    const { delayMs, failures } = await judge(due, client, reply);
    await store.postpone(due.vehicleId, time.nowMs() + delayMs, failures);
  }

  /** When to poll again, and the number of failures in a row. */
  async function judge(
    due: DueVehicle,
    client: MakerClient,
    reply: MakerReply,
  ): Promise<{ readonly delayMs: number; readonly failures: number }> {
    if (reply.kind === 'report') {
      const outcome = await parts.receiveReport(client.maker.name, reply.report);
      return { delayMs: outcome === 'busy' ? makerLimits.busyMs : makerLimits.pollMs, failures: 0 };
    }
    counters.add(`third-party.polls-${reply.kind}`);
    const backoff = backoffMs(
      due.failures,
      makerLimits.firstBackoffMs,
      makerLimits.lastBackoffMs,
      chance.fraction(),
    );
    if (reply.kind === 'limited') {
      const delayMs = Math.max(reply.retryAfterMs ?? backoff, makerLimits.busyMs);
      quietUntilMs.set(due.maker, time.nowMs() + delayMs);
      return { delayMs, failures: due.failures };
    }
    if (due.failures === 0)
      world.log.warn(
        { vehicleId: due.vehicleId, maker: due.maker, reason: reply.detail },
        "a vehicle's maker gives no state; it is asked again, less and less often",
      );
    return { delayMs: backoff, failures: due.failures + 1 };
  }

  return {
    async stop() {
      isStopped = true;
      cancelAlarm();
      await within(time, limits.stopMs, Promise.all(underWay));
    },
    sever() {
      isStopped = true;
      cancelAlarm();
    },
  };
}
