import type { Stream } from '../../world/random/random.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { limits, makerLimits } from '../base/limits.ts';
import { backoffMs } from '../base/retry.ts';
import { within } from '../base/within.ts';
import { makeWorkLoop, type WorkLoop } from '../base/work-loop.ts';
import type { DueVehicle, ThirdPartyStore } from '../store/port/third-party-store.ts';
import type { MakerClient, MakerReply } from './client.ts';
import type { ReceiveReport } from './maker-reports.ts';

export interface PollerParts {
  readonly world: Pick<World, 'time' | 'random' | 'log'>;
  readonly store: Pick<ThirdPartyStore, 'claim' | 'postpone' | 'nextDue'>;
  readonly clients: ReadonlyMap<string, MakerClient>;
  readonly receiveReport: ReceiveReport;
  readonly counters: Counters;
}

export interface Poller {
  /** Starts no more polls; resolves when those in progress are finished, or after a while. */
  stop(): Promise<void>;
  sever(): void;
}

/**
 * Polls the makers for their vehicles' states, each vehicle at its due time. Due times are in the store, and
 * a claim leases them, so that several backends share the work. A maker that asks for fewer calls is not
 * called for that time.
 */
export function startPoller(parts: PollerParts): Poller {
  return new MakerPoller(parts);
}

class MakerPoller implements Poller {
  readonly #parts: PollerParts;
  readonly #world: PollerParts['world'];
  readonly #store: PollerParts['store'];
  readonly #clients: PollerParts['clients'];
  readonly #counters: PollerParts['counters'];
  readonly #time: PollerParts['world']['time'];
  readonly #chance: Stream;
  readonly #quietUntilMs = new Map<string, number>();
  readonly #underWay = new Set<Promise<void>>();
  #isStopped = false;
  readonly #loop: WorkLoop;
  #cancelAlarm;

  constructor(parts: PollerParts) {
    this.#parts = parts;
    this.#world = parts.world;
    this.#store = parts.store;
    this.#clients = parts.clients;
    this.#counters = parts.counters;
    this.#time = this.#world.time;
    this.#chance = this.#world.random.stream('third-party/poller');
    this.#loop = makeWorkLoop({
      time: this.#time,
      round: () => this.#look(),
      failed: (error) => {
        this.#counters.add('third-party.store-failed');
        this.#world.log.error({ error: String(error) }, 'the vehicles of makers could not be looked up');
        return makerLimits.lookMs;
      },
    });
    this.#cancelAlarm = this.#time.alarm(this.#time.nowMs(), this.#loop.wake);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#loop.stop();
    this.#cancelAlarm();
    await within(this.#time, limits.stopMs, Promise.all(this.#underWay));
  }

  sever(): void {
    this.#isStopped = true;
    this.#loop.stop();
    this.#cancelAlarm();
  }

  /** Makers that may be called now. */
  #open(): string[] {
    const nowMs = this.#time.nowMs();
    return [...this.#clients.keys()].filter((name) => (this.#quietUntilMs.get(name) ?? 0) <= nowMs);
  }

  async #look(): Promise<void> {
    const nowMs = this.#time.nowMs();
    const limit = makerLimits.pollsInFlight - this.#underWay.size;
    const makers = this.#open();
    const claimed =
      limit <= 0 || makers.length === 0
        ? []
        : await this.#store.claim({ makers, nowMs, leasedUntilMs: nowMs + makerLimits.leaseMs, limit });
    for (const due of claimed) this.#begin(due);
    const nextMs = makers.length === 0 ? undefined : await this.#store.nextDue(makers);
    const lookMs = nowMs + makerLimits.lookMs;
    // With all slots taken, due vehicles wait for one of them, which wakes the loop when it is free.
    const isFull = this.#underWay.size >= makerLimits.pollsInFlight;
    this.#wakeAt(isFull ? lookMs : Math.min(lookMs, nextMs ?? lookMs));
  }

  #wakeAt(dueMs: number): void {
    if (this.#isStopped) return;
    this.#cancelAlarm();
    this.#cancelAlarm = this.#time.alarm(dueMs, this.#loop.wake);
  }

  #begin(due: DueVehicle): void {
    const work = this.#poll(due)
      .catch((error: unknown) => {
        // Its lease expires.
        this.#counters.add('third-party.store-failed');
        this.#world.log.error(
          { vehicleId: due.vehicleId, error: String(error) },
          'a state of a maker could not be stored',
        );
      })
      .then(() => {
        const wasFull = this.#underWay.size >= makerLimits.pollsInFlight;
        this.#underWay.delete(work);
        // Others may wait for the slot.
        if (wasFull) this.#loop.wake();
      });
    this.#underWay.add(work);
  }

  async #poll(due: DueVehicle): Promise<void> {
    const client = this.#clients.get(due.maker);
    if (client === undefined) return;
    this.#counters.add('third-party.polls');
    const reply = await client.ask(due.makerVehicleId, makerLimits.pollTimeoutMs);
    const { delayMs, failures } = await this.#judge(due, client, reply);
    await this.#store.postpone(due.vehicleId, this.#time.nowMs() + delayMs, failures);
  }

  /** When to poll again, and the number of failures in a row. */
  async #judge(
    due: DueVehicle,
    client: MakerClient,
    reply: MakerReply,
  ): Promise<{ readonly delayMs: number; readonly failures: number }> {
    if (reply.kind === 'report') {
      const outcome = await this.#parts.receiveReport(client.maker.name, reply.report);
      return { delayMs: outcome === 'busy' ? makerLimits.busyMs : makerLimits.pollMs, failures: 0 };
    }
    this.#counters.add(`third-party.polls-${reply.kind}`);
    const backoff = backoffMs(
      due.failures,
      makerLimits.firstBackoffMs,
      makerLimits.lastBackoffMs,
      this.#chance.fraction(),
    );
    if (reply.kind === 'limited') {
      const delayMs = Math.max(reply.retryAfterMs ?? backoff, makerLimits.busyMs);
      this.#quietUntilMs.set(due.maker, this.#time.nowMs() + delayMs);
      return { delayMs, failures: due.failures };
    }
    if (due.failures === 0)
      this.#world.log.warn(
        { vehicleId: due.vehicleId, maker: due.maker, reason: reply.detail },
        "a vehicle's maker gives no state; it is asked again, less and less often",
      );
    return { delayMs: backoff, failures: due.failures + 1 };
  }
}
