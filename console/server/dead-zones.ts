import { isInPlace } from '../../scenarios/language/steps/geo-place.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import type { FleetRow } from '../stream/fleet-changes.ts';
import { vehicleOf } from '../stream/fleet-changes.ts';
import type { DeadZone, ZoneShape } from '../stream/zones.ts';
import type { FleetWatch } from './fleet-watch.ts';

interface Zone {
  readonly id: string;
  readonly shape: ZoneShape;
  readonly sinceMs: number;
  readonly boxes: Set<string>;
}

/** A zone that was there for a while, for a scenario that lays it again. */
export interface LaidZone {
  readonly shape: ZoneShape;
  readonly fromMs: number;
  /** Undefined: it is there still. */
  readonly toMs: number | undefined;
}

/**
 * Takes the coverage of whoever is in one of the zones, and gives it back behind them: the weather in a place of the scenario
 * language, laid by hand. It looks where vehicles are only while there is a zone. A box whose coverage was taken by other
 * means is given it back, too, when it leaves a zone.
 */
export class DeadZones {
  readonly #time: Time;
  readonly #watch: FleetWatch;
  readonly #setCoverage: (boxId: string, available: boolean) => Promise<void>;
  readonly #zones = new Map<string, Zone>();
  readonly #places = new Map<string, { readonly latitude: number; readonly longitude: number }>();
  readonly #laid: LaidZone[] = [];
  #count = 0;
  #isWatching = false;

  constructor(
    time: Time,
    watch: FleetWatch,
    setCoverage: (boxId: string, available: boolean) => Promise<void>,
  ) {
    this.#time = time;
    this.#watch = watch;
    this.#setCoverage = setCoverage;
  }

  get zones(): readonly DeadZone[] {
    return [...this.#zones.values()].map(({ id, shape, boxes }) => ({ id, shape, boxes: [...boxes] }));
  }

  /** Those that are there, and those that were. */
  get laid(): readonly LaidZone[] {
    const there = [...this.#zones.values()].map(({ shape, sinceMs }) => ({
      ...{ shape, fromMs: sinceMs, toMs: undefined },
    }));
    return [...this.#laid, ...there];
  }

  /** Undefined: there are too many. */
  lay(shape: ZoneShape): DeadZone | undefined {
    if (this.#zones.size >= limits.zones) return undefined;
    this.#count += 1;
    const zone: Zone = { id: String(this.#count), shape, sinceMs: this.#time.nowMs(), boxes: new Set() };
    this.#zones.set(zone.id, zone);
    if (!this.#isWatching) void this.#look();
    return { id: zone.id, shape, boxes: [] };
  }

  /** False: there is none. */
  async lift(id: string): Promise<boolean> {
    const zone = this.#zones.get(id);
    if (zone === undefined) return false;
    this.#zones.delete(id);
    this.#laid.push({ shape: zone.shape, fromMs: zone.sinceMs, toMs: this.#time.nowMs() });
    if (this.#laid.length > limits.sessionActs) this.#laid.shift();
    for (const boxId of zone.boxes) await this.#changed(boxId);
    return true;
  }

  async #look(): Promise<void> {
    this.#isWatching = true;
    let look = 0;
    while (this.#zones.size > 0) {
      try {
        const news = await this.#watch.newsAfter(look);
        look = news.look;
        for (const row of news.changes.rows) this.#take(row);
        for (const boxId of this.#places.keys()) await this.#judge(boxId);
      } catch {
        // The simulator may be starting again.
        await sleep(this.#time, limits.fleetLookMs);
      }
    }
    this.#isWatching = false;
  }

  #take(row: FleetRow): void {
    const { boxId, latitude, longitude } = vehicleOf(row);
    this.#places.set(boxId, { latitude, longitude });
  }

  async #judge(boxId: string): Promise<void> {
    const place = this.#places.get(boxId);
    if (place === undefined) return;
    let isOther = false;
    for (const { shape, boxes } of this.#zones.values()) {
      const isIn = isInPlace(shape, place);
      if (isIn === boxes.has(boxId)) continue;
      isOther = true;
      if (isIn) boxes.add(boxId);
      else boxes.delete(boxId);
    }
    if (isOther) await this.#changed(boxId);
  }

  /** A box is in a zone, or in none any more. */
  #changed(boxId: string): Promise<void> {
    const isIn = [...this.#zones.values()].some(({ boxes }) => boxes.has(boxId));
    return this.#setCoverage(boxId, !isIn);
  }
}
