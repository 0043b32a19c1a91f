import type { Connectivity } from '../../stream/fleet-changes.ts';
import { type Entry, entryOf } from './entry-of.ts';
import { Series } from './series.ts';
import type { TraceRow } from './trace-row.ts';

type TimedRow = Exclude<TraceRow, { readonly kind: 'header' }>;

/** The number of lines of the log that are kept; frames are omitted first. */
const MOST_ENTRIES = 400_000;

export interface RunVehicle {
  readonly number: number;
  readonly group: string;
  readonly model: string;
  readonly boxId: string | undefined;
  readonly connectivity: Series<Connectivity>;
  readonly held: Series<number>;
  readonly places: Series<Place>;
  /** How many of its messages had arrived at queues by then. */
  readonly messages: Series<number>;
}

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
  readonly heading: number;
  readonly speedKph: number;
}

/** A fault from its beginning to its end. */
export interface FaultSpan {
  readonly name: string;
  readonly detail: string;
  /** Empty: it affected the service or a broker. */
  readonly vehicles: readonly number[];
  readonly fromMs: number;
  toMs: number | undefined;
}

/** A run, indexed by time: the state at a moment is found by a binary search. */
export class RunIndex {
  readonly vehicles = new Map<number, RunVehicle>();
  readonly entries: Entry[] = [];
  readonly entryTimes: number[] = [];
  readonly faults: FaultSpan[] = [];
  readonly failures: Entry[] = [];
  readonly service = new Series<'up' | 'down'>();
  scenario = '';
  seed = 0;
  document: Readonly<Record<string, unknown>> | undefined;
  beginMs: number | undefined;
  endMs = 0;
  verdict: string | undefined;
  leftOut = 0;
  readonly #byBox = new Map<string, number>();

  /** Adds the next row. Rows are in the order of their times. */
  add(row: TraceRow): void {
    if (row.kind === 'header') {
      this.scenario = row.scenario;
      this.seed = row.seed;
      this.document = row.document;
      return;
    }
    this.endMs = Math.max(this.endMs, row.at_ms);
    this.#take(row);
  }

  vehicle(number: number): RunVehicle {
    const known = this.vehicles.get(number);
    if (known !== undefined) return known;
    const made: RunVehicle = {
      number,
      group: '',
      model: '',
      boxId: undefined,
      connectivity: new Series(),
      held: new Series(),
      places: new Series(),
      messages: new Series(),
    };
    this.vehicles.set(number, made);
    return made;
  }

  #take(row: TimedRow): void {
    const { at_ms: atMs } = row;
    switch (row.kind) {
      case 'begin':
        this.beginMs = atMs;
        break;
      case 'vehicle':
        this.#begin(row);
        break;
      case 'connectivity':
        this.vehicle(row.vehicle).connectivity.add(atMs, row.state);
        break;
      case 'journal':
        this.vehicle(row.vehicle).held.add(atMs, row.held);
        break;
      case 'place':
        this.vehicle(row.vehicle).places.add(atMs, { ...row, speedKph: row.speed_kph });
        break;
      case 'fault':
        this.#fault(row);
        break;
      case 'message': {
        const messages = row.vehicle === undefined ? undefined : this.vehicle(row.vehicle).messages;
        messages?.add(atMs, (messages.values.at(-1) ?? 0) + 1);
        break;
      }
      case 'service':
        this.service.add(atMs, row.state);
        break;
      case 'end':
        this.verdict = row.verdict;
        break;
      default:
        break;
    }
    this.#note(row);
  }

  #begin(row: Extract<TimedRow, { readonly kind: 'vehicle' }>): void {
    const { vehicle: number, group, model, box_id: boxId } = row;
    const { connectivity, held, places, messages } = this.vehicle(number);
    this.vehicles.set(number, { number, group, model, boxId, connectivity, held, places, messages });
    if (boxId !== undefined) this.#byBox.set(`box/${boxId}`, number);
    if (connectivity.times.length === 0) connectivity.add(row.at_ms, row.session ? 'ready' : 'offline');
  }

  #fault({
    at_ms: atMs,
    name,
    detail,
    vehicles,
    phase,
  }: Extract<TimedRow, { readonly kind: 'fault' }>): void {
    if (phase === 'ends') {
      const open = this.faults.findLast(
        (one) => one.name === name && one.toMs === undefined && sameOf(one, vehicles),
      );
      if (open !== undefined) open.toMs = atMs;
      return;
    }
    this.faults.push({ name, detail, vehicles, fromMs: atMs, toMs: phase === 'happens' ? atMs : undefined });
  }

  #note(row: TimedRow): void {
    const entry = entryOf(row, this.#byBox);
    if (entry === undefined) return;
    if (entry.kind === 'frame' && this.entries.length >= MOST_ENTRIES) {
      this.leftOut += 1;
      return;
    }
    this.entries.push(entry);
    this.entryTimes.push(entry.atMs);
    if (entry.kind === 'failure') this.failures.push(entry);
  }
}

function sameOf({ vehicles }: FaultSpan, others: readonly number[]): boolean {
  return vehicles.length === others.length && vehicles.every((one, index) => one === others[index]);
}
