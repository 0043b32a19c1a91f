import { encodeFrame } from '../../../protocol/codec/frame.ts';
import type { Message, RecordMessage } from '../../../protocol/message.ts';
import { LazyPage } from '../../../world/flash/flash.ts';
import { wireGeneration } from '../commands/command-support.ts';
import { lastEntry } from '../journal/entry-index.ts';
import { append, clearReceipted, type JournalChange } from '../journal/journal.ts';
import { forgetEntries } from '../journal/outbox.ts';
import { timeAnew, timedSince } from '../journal/receipt-timing.ts';
import { noteRestReading } from '../power/reading-at-rest.ts';
import { isWorthKeeping } from '../power/rtc.ts';
import type { FirmwareEffect } from './effect.ts';
import { clockKey, clockPage, countersKey, countersPage } from './pages.ts';
import type { BoxCounters, BoxState } from './state.ts';
import { boxTimeMs, type StepContext } from './step-context.ts';

/** The resulting state and effects of a step; the writes first. */
export function finishStep(context: StepContext): {
  readonly state: BoxState;
  readonly effects: readonly FirmwareEffect[];
} {
  if (context.writes.length > 0 && !context.wasOff) addHousekeepingWrites(context);
  const state = { facts: context.facts, flash: context.flash, ram: context.ram };
  if (context.writes.length === 0) return { state, effects: context.effects };
  return { state, effects: [{ kind: 'write', operations: context.writes }, ...context.effects] };
}

/** Pages that a write includes: outdated ones, and the next sequence if no record in flash implies it. */
function addHousekeepingWrites(context: StepContext): void {
  const { journal, writes } = clearReceipted(context.flash.journal);
  context.flash.journal = journal;
  context.writes.push(...writes);
  const { entryIndex, next } = journal;
  if (lastEntry(entryIndex)?.sequence !== next - 1 && context.flash.keptNext !== next)
    saveCounters(context, {});
}

/** The bytes of a frame of this box. */
export function encodedFrame(context: StepContext, message: Message, sequence = 0): Uint8Array {
  return encodeFrame({
    generation: wireGeneration(context),
    epoch: context.flash.journal.epoch,
    boot: context.flash.counters.boot,
    sequence,
    clockMs: boxTimeMs(context),
    message,
  });
}

/**
 * The bytes of a record. One that cannot be sent now may stay in the journal for weeks: it gets its own memory, since
 * frames share theirs (protocol/codec/writer.ts), and it would keep that of hundreds of other boxes.
 */
function encodedRecord(context: StepContext, message: Message, sequence: number): Uint8Array {
  const bytes = encodedFrame(context, message, sequence);
  return context.ram.session.phase === 'ready' ? bytes : bytes.slice();
}

/** Adds a record to the journal. Undefined: there was no room; only the count of such records has changed. */
export function appendRecord(context: StepContext, message: RecordMessage): number | undefined {
  const change = append(context.flash.journal, message, (number, what) =>
    encodedRecord(context, what, number),
  );
  if (change === undefined) {
    context.ram.counts = { ...context.ram.counts, refusedRecords: context.ram.counts.refusedRecords + 1 };
    return undefined;
  }
  applyJournalChange(context, change);
  if ('signals' in message && message.signals !== undefined) context.recordedSignals = message.signals;
  noteRestReading(context, message);
  return change.journal.next - 1;
}

/** Applies a changed journal: its writes, and the removals from the outbox. */
export function applyJournalChange(context: StepContext, change: JournalChange): void {
  context.flash.journal = change.journal;
  context.writes.push(...change.writes);
  if (change.removed.length === 0) return;
  context.ram.outbox = forgetEntries(context.ram.outbox, change.removed);
  // The timed record was removed for any reason: the next one is timed.
  if (timedSince(context.ram.timing, change.removed) !== undefined)
    context.ram.timing = timeAnew(context.ram.timing);
}

/** Changes counters, in flash as well. */
export function saveCounters(context: StepContext, changes: Partial<BoxCounters>): void {
  const counters = { ...context.flash.counters, ...changes };
  const { epoch, next } = context.flash.journal;
  context.flash.counters = counters;
  context.flash.keptNext = next;
  context.writes.push(new LazyPage(countersKey, () => countersPage(counters, epoch, next)));
}

/** Stores the knowledge about the clock, in flash if it differs enough. */
export function saveClock(context: StepContext): void {
  const clock = context.ram.clock;
  if (clock === undefined || !isWorthKeeping(context.flash.clock, clock)) return;
  context.flash.clock = clock;
  context.writes.push({ put: clockKey, bytes: clockPage(clock) });
}
