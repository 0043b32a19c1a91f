import { limits } from './limits.ts';
import type { RowOf, TraceRow } from './rows.ts';

/** From when to when, in milliseconds since 1970. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** One vehicle without a connection: without coverage, or cut off for a moment. */
export interface Dark extends Span {
  readonly vehicle: number;
  readonly word: 'coverage' | 'cut';
}

/** A part that was down: `exchange down`, `broker restart`, `backend crash`, with the settings of its fault. */
export interface Down extends Span {
  readonly name: string;
  readonly detail: string;
}

interface Open {
  fromMs: number;
  count: number;
}

/** Parts whose faults are taken over as they are. */
const PARTS: ReadonlySet<string> = new Set([
  'exchange down',
  'exchange nack',
  'exchange blocked',
  'broker restart',
  'backend restart',
]);

/** Faults of which other rows tell more exactly what came of them. */
const TOLD_OTHERWISE: ReadonlySet<string> = new Set(['backend crash', 'weather cut']);

/** The connectivity in the rows of a trace, handed over in their order. */
export class Connectivity {
  readonly dark: Dark[] = [];
  readonly down: Down[] = [];
  readonly vehicles: RowOf<'vehicle'>[] = [];
  /** Who was seen to drive off. */
  readonly drove = new Set<number>();
  /** Faults that are in no scenario made of this, acts too, by their names, and how often. */
  readonly others = new Map<string, number>();
  readonly acts = new Map<string, number>();
  calls = 0;
  readonly #coverage = new Map<number, Open>();
  readonly #parts = new Map<string, Open & { readonly detail: string }>();
  readonly #states = new Map<number, RowOf<'connectivity'>['state']>();
  readonly #lost = new Map<number, { readonly fromMs: number; backMs: number }>();
  #serviceDownMs: number | undefined;
  #brokerMs = Number.NEGATIVE_INFINITY;
  #isRestarting = false;

  take(row: TraceRow): void {
    switch (row.kind) {
      case 'vehicle':
        this.vehicles.push(row);
        break;
      case 'act':
        if (row.name !== 'drive') count(this.acts, row.name);
        else if (row.refusal === undefined) this.drove.add(row.vehicle);
        break;
      case 'call':
        this.calls += 1;
        break;
      case 'fault':
        this.#fault(row);
        break;
      case 'service':
        this.#service(row);
        break;
      case 'connectivity':
        this.#session(row);
        break;
      default:
        break;
    }
  }

  /** What still goes on ends with the run. */
  end(atMs: number): void {
    for (const vehicle of this.#coverage.keys()) this.#covered(vehicle, atMs);
    for (const [vehicle, { fromMs }] of this.#lost) this.#note(vehicle, fromMs, atMs);
    for (const [name, { fromMs, detail }] of this.#parts)
      this.down.push({ name, detail, fromMs, toMs: atMs });
    if (this.#serviceDownMs !== undefined) this.#served(this.#serviceDownMs, atMs);
  }

  /** Whether every box was in a session when the trace ended. */
  get areAllReady(): boolean {
    return this.vehicles.every(({ vehicle, box_id: boxId }) => {
      return boxId !== undefined && this.#states.get(vehicle) === 'ready';
    });
  }

  get isFull(): boolean {
    return this.dark.length + this.down.length > limits.spans;
  }

  #fault({ name, detail, phase, vehicles, at_ms: atMs }: RowOf<'fault'>): void {
    if (name === 'weather coverage' && detail === 'none') {
      for (const vehicle of vehicles) {
        if (phase === 'ends') this.#covered(vehicle, atMs);
        else if (phase === 'begins') this.#uncovered(vehicle, atMs);
      }
      return;
    }
    if (!PARTS.has(name)) {
      if (phase !== 'ends' && !TOLD_OTHERWISE.has(name)) count(this.others, name);
      return;
    }
    if (name.startsWith('broker')) this.#brokerMs = atMs;
    if (name === 'backend restart') this.#isRestarting = true;
    const open = this.#parts.get(name);
    if (phase === 'happens') this.down.push({ name, detail, fromMs: atMs, toMs: atMs });
    else if (phase === 'begins' && open === undefined)
      this.#parts.set(name, { fromMs: atMs, count: 1, detail });
    else if (open !== undefined) {
      open.count += phase === 'begins' ? 1 : -1;
      if (open.count > 0) return;
      this.#parts.delete(name);
      this.down.push({ name, detail: open.detail, fromMs: open.fromMs, toMs: atMs });
    }
  }

  /** Coverage that is taken by several faults is back when the last one ends. */
  #uncovered(vehicle: number, atMs: number): void {
    const open = this.#coverage.get(vehicle);
    if (open === undefined) this.#coverage.set(vehicle, { fromMs: atMs, count: 1 });
    else open.count += 1;
  }

  #covered(vehicle: number, atMs: number): void {
    const open = this.#coverage.get(vehicle);
    if (open === undefined) return;
    open.count -= 1;
    if (open.count > 0) return;
    this.#coverage.delete(vehicle);
    this.dark.push({ vehicle, word: 'coverage', fromMs: open.fromMs, toMs: atMs });
  }

  #service({ state, at_ms: atMs }: RowOf<'service'>): void {
    if (this.#isRestarting) {
      // It goes down and comes up again by itself.
      if (state === 'up') this.#isRestarting = false;
    } else if (state === 'down') this.#serviceDownMs ??= atMs;
    else if (this.#serviceDownMs !== undefined) {
      this.#served(this.#serviceDownMs, atMs);
      this.#serviceDownMs = undefined;
    }
  }

  #served(fromMs: number, toMs: number): void {
    // A crash without any length would last to the end.
    this.down.push({ name: 'backend crash', detail: '{}', fromMs, toMs: Math.max(toMs, fromMs + 1) });
  }

  /** A box that is switched off, or asleep, has lost nothing. */
  #session({ vehicle, state, at_ms: atMs }: RowOf<'connectivity'>): void {
    const before = this.#states.get(vehicle);
    this.#states.set(vehicle, state);
    const lost = this.#lost.get(vehicle);
    if (state === 'off') this.#lost.delete(vehicle);
    else if (state === 'connecting' && lost !== undefined) lost.backMs = atMs;
    else if (state === 'ready' && lost !== undefined) {
      this.#lost.delete(vehicle);
      this.#note(vehicle, lost.fromMs, lost.backMs);
    } else if (before === 'ready' && state === 'offline' && !this.#isExplained(vehicle, atMs)) {
      this.#lost.set(vehicle, { fromMs: atMs, backMs: atMs });
    }
  }

  #isExplained(vehicle: number, atMs: number): boolean {
    return (
      this.#coverage.has(vehicle) ||
      this.#parts.has('broker restart') ||
      atMs - this.#brokerMs <= limits.explainedMs
    );
  }

  #note(vehicle: number, fromMs: number, toMs: number): void {
    this.dark.push({ vehicle, word: toMs - fromMs <= limits.cutMs ? 'cut' : 'coverage', fromMs, toMs });
  }
}

function count(of: Map<string, number>, name: string): void {
  of.set(name, (of.get(name) ?? 0) + 1);
}
