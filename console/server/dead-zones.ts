import { isInPlace } from '../../scenarios/language/steps/geo-place.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import type { FleetRow } from '../stream/fleet-changes.ts';
import { vehicleOf } from '../stream/fleet-changes.ts';
import type { DeadZone, ZonePoint, ZoneShape } from '../stream/map.ts';
import type { FleetWatch } from './fleet-watch.ts';

interface Zone {
  readonly id: string;
  readonly shape: ZoneShape;
  readonly sinceMs: number;
  readonly boxes: Set<string>;
}

/** A zone with its times, for a scenario that repeats it. */
export interface PastZone {
  readonly shape: ZoneShape;
  readonly fromMs: number;
  /** Undefined: it still exists. */
  readonly toMs: number | undefined;
}

/**
 * Takes the coverage of the vehicles in a zone and gives it back when they are in none: the weather in a place of the
 * scenario language, created by hand. It polls positions only while there is a zone. A box whose coverage was taken by
 * other means gets it back, too, when it leaves a zone.
 *
 * Zones decide only what coverage a box should have. One task per box makes the requests, one after the other, until
 * the box has it: two requests of one box never overtake each other, and a failed one is repeated.
 */
export class DeadZones {
  readonly #time: Time;
  readonly #watch: Pick<FleetWatch, 'newsAfter'>;
  readonly #setCoverage: (boxId: string, available: boolean) => Promise<void>;
  readonly #zones = new Map<string, Zone>();
  readonly #places = new Map<string, ZonePoint>();
  readonly #removed: PastZone[] = [];
  /** Boxes whose coverage was taken and not given back yet; `unsure`: no request has confirmed whether it was. */
  readonly #taken = new Map<string, 'taken' | 'unsure'>();
  /** For each box the task that brings its coverage to what it should be. */
  readonly #settling = new Map<string, Promise<void>>();
  /** Boxes whose last request has failed, until the next attempt: one alarm for all of them. */
  readonly #failed = new Set<string>();
  #count = 0;
  #isWatching = false;
  /** Aborted when the last zone is removed: nothing waits for changes of the fleet then. */
  #watching = new AbortController();

  /** `setCoverage` rejects where the request may not have been carried out: it is repeated. */
  constructor(
    time: Time,
    watch: Pick<FleetWatch, 'newsAfter'>,
    setCoverage: (boxId: string, available: boolean) => Promise<void>,
  ) {
    this.#time = time;
    this.#watch = watch;
    this.#setCoverage = setCoverage;
  }

  get zones(): readonly DeadZone[] {
    return [...this.#zones.values()].map(({ id, shape, boxes }) => ({ id, shape, boxes: [...boxes] }));
  }

  /** All zones since the start: those that were removed, and those that exist. */
  get history(): readonly PastZone[] {
    const present = [...this.#zones.values()].map(({ shape, sinceMs }) => ({
      shape,
      fromMs: sinceMs,
      toMs: undefined,
    }));
    return [...this.#removed, ...present];
  }

  /** Undefined: there are too many. */
  add(shape: ZoneShape): DeadZone | undefined {
    if (this.#zones.size >= limits.zones) return undefined;
    this.#count += 1;
    if (this.#zones.size === 0) this.#watching = new AbortController();
    const zone: Zone = { id: String(this.#count), shape, sinceMs: this.#time.nowMs(), boxes: new Set() };
    this.#zones.set(zone.id, zone);
    if (!this.#isWatching) void this.#look();
    // While a poll waits for changes, a parked fleet brings none: the known positions count immediately.
    else void this.#judgeAll([...this.#places.keys()]);
    return { id: zone.id, shape, boxes: [...zone.boxes] };
  }

  /**
   * False: there is no such zone. Resolves once each vehicle has its coverage back, or its first request has failed.
   */
  async remove(id: string): Promise<boolean> {
    const zone = this.#zones.get(id);
    if (zone === undefined) return false;
    this.#zones.delete(id);
    if (this.#zones.size === 0) this.#watching.abort();
    this.#removed.push({ shape: zone.shape, fromMs: zone.sinceMs, toMs: this.#time.nowMs() });
    if (this.#removed.length > limits.sessionActs) this.#removed.shift();
    await this.#settleAll(zone.boxes);
    return true;
  }

  async #look(): Promise<void> {
    this.#isWatching = true;
    this.#places.clear();
    let look = 0;
    while (this.#zones.size > 0) {
      try {
        const { look: latest, changes } = await this.#watch.newsAfter(look, this.#watching.signal);
        look = latest;
        for (const boxId of changes.gone) this.#forget(boxId);
        for (const row of changes.rows) this.#take(row);
        await this.#judgeAll(changes.rows.map(([boxId]) => boxId));
      } catch {
        // The simulator may be restarting.
        await sleep(this.#time, limits.fleetLookMs);
      }
    }
    this.#isWatching = false;
  }

  #take(row: FleetRow): void {
    const { boxId, latitude, longitude } = vehicleOf(row);
    this.#places.set(boxId, { latitude, longitude });
  }

  /** The fleet has no such box any more. */
  #forget(boxId: string): void {
    this.#places.delete(boxId);
    this.#taken.delete(boxId);
    for (const { boxes } of this.#zones.values()) boxes.delete(boxId);
  }

  async #judgeAll(boxIds: readonly string[]): Promise<void> {
    for (const boxId of boxIds) this.#judge(boxId);
    await this.#settleAll(boxIds.filter((boxId) => !this.#failed.has(boxId)));
  }

  #judge(boxId: string): void {
    const place = this.#places.get(boxId);
    if (place === undefined) return;
    for (const { shape, boxes } of this.#zones.values()) {
      if (isInPlace(shape, place)) boxes.add(boxId);
      else boxes.delete(boxId);
    }
  }

  /** Several boxes at a time: a zone may have the whole fleet in it. */
  async #settleAll(boxIds: Iterable<string>): Promise<void> {
    const waiting = [...boxIds].filter((boxId) => !this.#isSettled(boxId));
    const work = async (): Promise<void> => {
      for (let boxId = waiting.pop(); boxId !== undefined; boxId = waiting.pop()) await this.#settle(boxId);
    };
    await Promise.all(Array.from({ length: limits.zoneRequests }, work));
  }

  #isInZone(boxId: string): boolean {
    return [...this.#zones.values()].some(({ boxes }) => boxes.has(boxId));
  }

  #isSettled(boxId: string): boolean {
    return this.#taken.get(boxId) === (this.#isInZone(boxId) ? 'taken' : undefined);
  }

  #settle(boxId: string): Promise<void> {
    const running = this.#settling.get(boxId);
    if (running !== undefined) return running;
    if (this.#isSettled(boxId)) return Promise.resolve();
    const task = this.#requestUntilSettled(boxId);
    this.#settling.set(boxId, task);
    return task;
  }

  /**
   * What the box should have is decided again after each request, as zones may have changed meanwhile. The task ends in
   * the same turn in which it has found nothing left to do, so that no change falls in between.
   */
  async #requestUntilSettled(boxId: string): Promise<void> {
    while (!this.#isSettled(boxId)) {
      const isAvailable = !this.#isInZone(boxId);
      this.#taken.set(boxId, 'unsure');
      try {
        await this.#setCoverage(boxId, isAvailable);
        if (isAvailable) this.#taken.delete(boxId);
        else this.#taken.set(boxId, 'taken');
      } catch {
        this.#tryAgain(boxId);
        break;
      }
    }
    this.#settling.delete(boxId);
  }

  #tryAgain(boxId: string): void {
    this.#failed.add(boxId);
    if (this.#failed.size > 1) return;
    this.#time.alarm(this.#time.nowMs() + limits.fleetLookMs, () => {
      const failed = [...this.#failed];
      this.#failed.clear();
      void this.#settleAll(failed);
    });
  }
}
