import { z } from 'zod';
import { sleep, type Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import { CONNECTIVITIES, type FleetChanges, type FleetRow, rowOf } from '../stream/fleet-changes.ts';

const page = z.looseObject({
  boxes: z.int(),
  next: z.string().optional(),
  items: z.array(
    z
      .looseObject({
        boxId: z.string(),
        vehicleId: z.string().nullable(),
        model: z.string(),
        licensePlate: z.string(),
        firmware: z.string(),
        latitude: z.number(),
        longitude: z.number(),
        headingDegrees: z.number(),
        speedKph: z.number(),
        ignitionOn: z.boolean(),
        hasCoverage: z.boolean(),
        session: z.enum(CONNECTIVITIES),
        heldRecords: z.int(),
      })
      .transform(({ session, ...row }) => rowOf({ ...row, connectivity: session })),
  ),
});

/** A row with the poll in which it last changed. */
interface Seen {
  readonly row: FleetRow;
  readonly text: string;
  changedAt: number;
  seenAt: number;
}

/** The result for a watcher, and the number with which it asks for the next one. */
export interface FleetNews {
  readonly look: number;
  readonly changes: FleetChanges;
}

/**
 * Polls the fleet through the control API while a watcher waits for news: a page that does not read its stream does not
 * wait, and costs nothing. Polls are half a second apart, and further if a poll takes long.
 */
export class FleetWatch {
  readonly #time: Time;
  readonly #ask: (path: string) => Promise<unknown>;
  readonly #seen = new Map<string, Seen>();
  readonly #gone = new Map<string, number>();
  #look = 0;
  #boxes = 0;
  #notBeforeMs = 0;
  #next: Promise<void> | undefined;

  /** `ask` resolves with the JSON of the control API at this path. */
  constructor(time: Time, ask: (path: string) => Promise<unknown>) {
    this.#time = time;
    this.#ask = ask;
  }

  /**
   * Resolves at the next poll that changes something after `look`; with 0 immediately with all that is known, if
   * anything is. Once `left` is aborted, it resolves after the present poll, with or without changes.
   */
  async newsAfter(look: number, left?: AbortSignal): Promise<FleetNews> {
    if (look === 0 && this.#look > 0) return this.#newsAfter(0);
    for (;;) {
      this.#next ??= this.#lookAgain().finally(() => {
        this.#next = undefined;
      });
      await this.#next;
      const news = this.#newsAfter(look);
      const { rows, gone } = news.changes;
      if (look === 0 || rows.length > 0 || gone.length > 0 || left?.aborted === true) return news;
    }
  }

  #newsAfter(look: number): FleetNews {
    const rows: FleetRow[] = [];
    for (const { row, changedAt } of this.#seen.values()) if (changedAt > look) rows.push(row);
    const gone = [...this.#gone].flatMap(([id, goneAt]) => (goneAt > look ? [id] : []));
    return { look: this.#look, changes: { boxes: this.#boxes, rows, gone } };
  }

  async #lookAgain(): Promise<void> {
    const waitMs = this.#notBeforeMs - this.#time.nowMs();
    if (waitMs > 0) await sleep(this.#time, waitMs);
    const look = this.#look + 1;
    const beganMs = this.#time.nowMs();
    let workedMs = 0;
    let path: string | undefined = `/fleet?limit=${limits.fleetPage}`;
    while (path !== undefined) {
      const askedMs = this.#time.nowMs();
      const { boxes, items, next } = page.parse(await this.#ask(path));
      this.#boxes = boxes;
      for (const row of items) this.#take(row, look);
      workedMs += this.#time.nowMs() - askedMs;
      path = next;
      // Yields the event loop between two pages.
      if (path !== undefined) await sleep(this.#time, 1);
    }
    for (const [id, { seenAt }] of this.#seen) {
      if (seenAt === look) continue;
      this.#seen.delete(id);
      this.#gone.set(id, look);
    }
    this.#look = look;
    this.#notBeforeMs = beganMs + Math.max(limits.fleetLookMs, workedMs * limits.fleetShare);
  }

  #take(row: FleetRow, look: number): void {
    const [id] = row;
    const text = JSON.stringify(row);
    const seen = this.#seen.get(id);
    this.#gone.delete(id);
    if (seen?.text === text) seen.seenAt = look;
    else this.#seen.set(id, { row, text, changedAt: look, seenAt: look });
  }
}
