import { entryCount } from '../journal/entry-index.ts';
import type { FirmwareInput } from './input.ts';
import type { BoxState } from './state.ts';

/**
 * The box after a change of its hardware at `at` that its firmware does not notice: the counter of its clock jumps or
 * runs at another rate from what it shows, or its flash is limited to fewer records (at least one, and no fewer than it holds).
 */
export function withHardwareChange(state: BoxState, input: FirmwareInput, at: number): BoxState {
  const { facts, flash } = state;
  if (input.kind === 'clock-jump') {
    return { ...state, facts: { ...facts, rtcOffsetMs: facts.rtcOffsetMs + Math.round(input.byMs) } };
  }
  if (input.kind === 'clock-drift') {
    const sinceMs = at * ((facts.rtcDriftPpm - input.ppm) / 1_000_000);
    return {
      ...state,
      facts: { ...facts, rtcDriftPpm: input.ppm, rtcOffsetMs: facts.rtcOffsetMs + Math.round(sinceMs) },
    };
  }
  if (input.kind !== 'room') return state;
  const { entryIndex } = flash.journal;
  const journalRecords = input.records ?? Math.max(1, entryCount(entryIndex) - entryIndex.counts.tombstone);
  return {
    ...state,
    facts: { ...facts, journalRecords },
    flash: { ...flash, journal: { ...flash.journal, capacity: journalRecords } },
  };
}
