import { encodeFrame } from '../../protocol/frame.ts';
import type { Message, RecordMessage } from '../../protocol/message.ts';
import { type FlashOperation, LatePage } from '../../world/flash.ts';
import type { Effect } from './effect.ts';
import { append, type Change, cleared } from './journal.ts';
import { forget } from './outbox.ts';
import { clockKey, clockPage, countersKey, countersPage } from './pages.ts';
import { restRecorded } from './rest.ts';
import { clockMs, counterMs, isWorthKeeping } from './rtc.ts';
import { last } from './shelf.ts';
import type { BoxFacts, BoxState, Counters, FlashPart, RamPart } from './state.ts';
import { wire } from './version.ts';

type Open<T> = { -readonly [K in keyof T]: T[K] };

/**
 * One step while it is being worked out. Its two parts are copies of the state's, one level deep: the parts of the
 * firmware put new values into their fields, and never change a value in place.
 */
export interface Turn {
  readonly at: number;
  readonly facts: BoxFacts;
  /** It began without power: what `flash` says is not what lies there, which only a boot reads. */
  readonly wasOff: boolean;
  readonly counterMs: number;
  readonly flash: Open<FlashPart>;
  readonly ram: Open<RamPart>;
  readonly writes: FlashOperation[];
  readonly effects: Effect[];
}

export function begin(state: BoxState, at: number): Turn {
  return {
    at,
    facts: state.facts,
    wasOff: state.ram.power === 'off',
    counterMs: counterMs(state.facts, at),
    flash: { ...state.flash },
    ram: { ...state.ram },
    writes: [],
    effects: [],
  };
}

/** The state and the effects that a turn has come to; the writes first. */
export function finish(turn: Turn): { readonly state: BoxState; readonly effects: readonly Effect[] } {
  if (turn.writes.length > 0 && !turn.wasOff) settle(turn);
  const state = { facts: turn.facts, flash: turn.flash, ram: turn.ram };
  if (turn.writes.length === 0) return { state, effects: turn.effects };
  return { state, effects: [{ kind: 'write', operations: turn.writes }, ...turn.effects] };
}

/** What a write takes along: pages that are out of date, and the next sequence where no record in flash says it. */
function settle(turn: Turn): void {
  const { journal, writes } = cleared(turn.flash.journal);
  turn.flash.journal = journal;
  turn.writes.push(...writes);
  const { shelf, next } = journal;
  if (last(shelf)?.sequence !== next - 1 && turn.flash.keptNext !== next) keepCounters(turn, {});
}

/** The time as the box believes it, epoch milliseconds; 0: not known. */
export function now(turn: Turn): number {
  return clockMs(turn.ram.clock, turn.counterMs);
}

/** When something was that happened `at`, as the box believes it now; 0 where it does not know. */
export function timeOf(turn: Turn, at: number | undefined): number {
  const clock = now(turn);
  return clock === 0 || at === undefined ? 0 : Math.max(1, clock - Math.round(turn.at - at));
}

/** The bytes of a frame of this box. */
export function frameOf(turn: Turn, message: Message, sequence = 0): Uint8Array {
  return encodeFrame({
    generation: wire(turn),
    epoch: turn.flash.journal.epoch,
    boot: turn.flash.counters.boot,
    sequence,
    clockMs: now(turn),
    message,
  });
}

/**
 * The bytes of a record. One that nobody takes now may lie in the journal for weeks: it gets memory of its own, since
 * frames share theirs (protocol/writer.ts), and it would keep that of hundreds of other boxes.
 */
function recordOf(turn: Turn, message: Message, sequence: number): Uint8Array {
  const bytes = frameOf(turn, message, sequence);
  return turn.ram.session.phase === 'ready' ? bytes : bytes.slice();
}

/** Puts a record into the journal. Undefined: it found no room; nothing has changed but the count of such records. */
export function record(turn: Turn, message: RecordMessage): number | undefined {
  const change = append(turn.flash.journal, message, (number, what) => recordOf(turn, what, number));
  if (change === undefined) {
    turn.ram.counts = { ...turn.ram.counts, refusedRecords: turn.ram.counts.refusedRecords + 1 };
    return undefined;
  }
  adopt(turn, change);
  restRecorded(turn, message);
  return change.journal.next - 1;
}

/** Takes over a changed journal: its writes, and what the outbox must forget. */
export function adopt(turn: Turn, change: Change): void {
  turn.flash.journal = change.journal;
  turn.writes.push(...change.writes);
  if (change.gone.length > 0) turn.ram.outbox = forget(turn.ram.outbox, change.gone);
}

/** Changes counters, in flash as well. */
export function keepCounters(turn: Turn, changes: Partial<Counters>): void {
  const counters = { ...turn.flash.counters, ...changes };
  const { epoch, next } = turn.flash.journal;
  turn.flash.counters = counters;
  turn.flash.keptNext = next;
  turn.writes.push(new LatePage(countersKey, () => countersPage(counters, epoch, next)));
}

/** Keeps what was learnt about the clock, in flash where it differs enough. */
export function keepClock(turn: Turn): void {
  const clock = turn.ram.clock;
  if (clock === undefined || !isWorthKeeping(turn.flash.clock, clock)) return;
  turn.flash.clock = clock;
  turn.writes.push({ put: clockKey, bytes: clockPage(clock) });
}
