import { z } from 'zod';
import { propertiesOfSignals, signalsOf } from '../../judge/rules/twin/record-properties.ts';
import { decodePayload } from '../../protocol/codec/frame.ts';
import { MODEL_TABLES } from '../../scenarios/testbed/common/evidence.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';

const range = z.tuple([z.number(), z.number()]).readonly();
const journalPage = z.object({
  epoch: z.number(),
  held: z.array(range),
  inFlight: z.array(range),
  records: z.array(z.object({ sequence: z.number(), hex: z.string() })),
  next: z.number().optional(),
});
type Ranges = z.output<typeof journalPage>['held'];

/** The newest value of a property among the records that a box holds. */
export interface StoredValue {
  /** In the form of the API; null: the record says that there is none any more. */
  readonly value: unknown;
  /** The record was sent, and its receipt has not come. */
  readonly isInFlight: boolean;
}

/**
 * The records of one journal that were read. The newest record of a property is enough: once the service has it, older
 * ones are irrelevant.
 */
interface Reading {
  /** It determines the meaning of the signals. */
  readonly model: string;
  epoch: number;
  last: number;
  readonly newest: Map<string, { readonly sequence: number; readonly value: unknown }>;
}

/**
 * Reads which properties are in the records of boxes. Each record is read once: a call requests from the simulator only
 * those since the call before.
 */
export class StoredValues {
  readonly #time: Time;
  readonly #ask: (path: string) => Promise<unknown>;
  readonly #readings = new Map<string, Reading>();

  /** `ask` resolves with the JSON of the control API at this path. */
  constructor(time: Time, ask: (path: string) => Promise<unknown>) {
    this.#time = time;
    this.#ask = ask;
  }

  /**
   * By the name of the property, including the maintenance set: the service knows whether it is booked. Rejects where
   * the simulator does not answer.
   */
  async of(boxId: string, model: string): Promise<ReadonlyMap<string, StoredValue>> {
    let reading = this.#readings.get(boxId);
    let page: z.output<typeof journalPage>;
    for (;;) {
      const after = reading?.last ?? 0;
      page = journalPage.parse(
        await this.#ask(
          `/boxes/${encodeURIComponent(boxId)}/journal?limit=${limits.journalPage}&after=${after}`,
        ),
      );
      if (reading?.epoch !== page.epoch || reading.model !== model) {
        const isWhole = after === 0;
        reading = { model, epoch: page.epoch, last: 0, newest: new Map() };
        this.#keep(boxId, reading);
        // The requested records are the rest of another journal.
        if (!isWhole) continue;
      }
      this.#take(reading, page.records);
      if (page.next === undefined) break;
      // Yields the event loop between two pages.
      await sleep(this.#time, 1);
    }
    return new Map(
      [...reading.newest]
        .filter(([, { sequence }]) => includes(page.held, sequence))
        .map(([name, { sequence, value }]) => [
          name,
          { value, isInFlight: includes(page.inFlight, sequence) },
        ]),
    );
  }

  #keep(boxId: string, reading: Reading): void {
    this.#readings.delete(boxId);
    this.#readings.set(boxId, reading);
    const [oldest] = this.#readings.keys();
    if (this.#readings.size > limits.journalReadings && oldest !== undefined) this.#readings.delete(oldest);
  }

  #take(reading: Reading, records: z.output<typeof journalPage>['records']): void {
    const { model } = reading;
    for (const { sequence, hex } of records) {
      if (sequence <= reading.last) continue;
      reading.last = sequence;
      const [decoded] = decodePayload(Uint8Array.from(Buffer.from(hex, 'hex'))).frames;
      const signals = decoded === undefined ? undefined : signalsOf(decoded.frame.message);
      if (decoded === undefined || signals === undefined) continue;
      const timestampMs = decoded.frame.clockMs === 0 ? this.#time.nowMs() : decoded.frame.clockMs;
      for (const [name, value] of propertiesOfSignals(MODEL_TABLES, model, signals, {
        timestampMs,
        maintenance: true,
      }))
        reading.newest.set(name, { sequence, value });
    }
  }
}

function includes(ranges: Ranges, sequence: number): boolean {
  return ranges.some(([first, last]) => first <= sequence && sequence <= last);
}
