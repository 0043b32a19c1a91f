import { traceLimits } from '../limits.ts';
import type { RowOf, TraceRow } from './rows.ts';

/** A time span, in milliseconds since 1970. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A time in which one vehicle had no connection: without coverage, or cut off for a moment. */
export interface ConnectionGap extends TimeSpan {
  readonly vehicle: number;
  readonly word: 'coverage' | 'cut';
}

/**
 * A time in which a part was down: `exchange down`, `broker restart`, `backend crash`, with the settings of
 * its fault.
 */
export interface PartOutage extends TimeSpan {
  readonly name: string;
  readonly detail: string;
}

interface OpenGap {
  fromMs: number;
  count: number;
}

/** Faults that are copied unchanged. */
const PARTS: ReadonlySet<string> = new Set([
  'exchange down',
  'exchange nack',
  'exchange blocked',
  'broker restart',
  'backend restart',
]);

/** Faults whose effect other rows give more exactly. */
const TOLD_BY_OTHER_ROWS: ReadonlySet<string> = new Set(['backend crash', 'weather cut']);

/** Collects the connectivity from the rows of a trace, in their order. */
export class Connectivity {
  readonly gaps: ConnectionGap[] = [];
  readonly outages: PartOutage[] = [];
  readonly vehicles: RowOf<'vehicle'>[] = [];
  /** The vehicles that drove off. */
  readonly droveOff = new Set<number>();
  /** Faults and acts that are not copied into a scenario, by name, with their number. */
  readonly otherFaults = new Map<string, number>();
  readonly acts = new Map<string, number>();
  calls = 0;
  readonly #coverage = new Map<number, OpenGap>();
  readonly #parts = new Map<string, OpenGap & { readonly detail: string }>();
  readonly #states = new Map<number, RowOf<'connectivity'>['state']>();
  readonly #lost = new Map<number, { readonly fromMs: number; backMs: number }>();
  #serviceDownMs: number | undefined;
  #brokerRestartMs = Number.NEGATIVE_INFINITY;
  #isRestarting = false;

  take(row: TraceRow): void {
    switch (row.kind) {
      case 'vehicle':
        this.vehicles.push(row);
        break;
      case 'act':
        if (row.name !== 'drive') count(this.acts, row.name);
        else if (row.refusal === undefined) this.droveOff.add(row.vehicle);
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

  /** Lasting faults end with the run. */
  end(atMs: number): void {
    for (const vehicle of this.#coverage.keys()) this.#covered(vehicle, atMs);
    for (const [vehicle, { fromMs }] of this.#lost) this.#note(vehicle, fromMs, atMs);
    for (const [name, { fromMs, detail }] of this.#parts)
      this.outages.push({ name, detail, fromMs, toMs: atMs });
    if (this.#serviceDownMs !== undefined) this.#served(this.#serviceDownMs, atMs);
  }

  /** Whether every box was in a session when the trace ended. */
  get areAllReady(): boolean {
    return this.vehicles.every(({ vehicle, box_id: boxId }) => {
      return boxId !== undefined && this.#states.get(vehicle) === 'ready';
    });
  }

  get isFull(): boolean {
    return this.gaps.length + this.outages.length > traceLimits.spans;
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
      if (phase !== 'ends' && !TOLD_BY_OTHER_ROWS.has(name)) count(this.otherFaults, name);
      return;
    }
    if (name.startsWith('broker')) this.#brokerRestartMs = atMs;
    if (name === 'backend restart') this.#isRestarting = true;
    const open = this.#parts.get(name);
    if (phase === 'happens') this.outages.push({ name, detail, fromMs: atMs, toMs: atMs });
    else if (phase === 'begins' && open === undefined)
      this.#parts.set(name, { fromMs: atMs, count: 1, detail });
    else if (open !== undefined) {
      open.count += phase === 'begins' ? 1 : -1;
      if (open.count > 0) return;
      this.#parts.delete(name);
      this.outages.push({ name, detail: open.detail, fromMs: open.fromMs, toMs: atMs });
    }
  }

  /** Coverage under several faults returns when the last of them ends. */
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
    this.gaps.push({ vehicle, word: 'coverage', fromMs: open.fromMs, toMs: atMs });
  }

  #service({ state, at_ms: atMs }: RowOf<'service'>): void {
    if (this.#isRestarting) {
      // The restart covers going down and coming up again.
      if (state === 'up') this.#isRestarting = false;
    } else if (state === 'down') this.#serviceDownMs ??= atMs;
    else if (this.#serviceDownMs !== undefined) {
      this.#served(this.#serviceDownMs, atMs);
      this.#serviceDownMs = undefined;
    }
  }

  #served(fromMs: number, toMs: number): void {
    // A crash without a duration would last to the end.
    this.outages.push({ name: 'backend crash', detail: '{}', fromMs, toMs: Math.max(toMs, fromMs + 1) });
  }

  /** A box that is off or asleep has not lost its connection. */
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
      atMs - this.#brokerRestartMs <= traceLimits.explainedMs
    );
  }

  #note(vehicle: number, fromMs: number, toMs: number): void {
    this.gaps.push({ vehicle, word: toMs - fromMs <= traceLimits.cutMs ? 'cut' : 'coverage', fromMs, toMs });
  }
}

function count(of: Map<string, number>, name: string): void {
  of.set(name, (of.get(name) ?? 0) + 1);
}
