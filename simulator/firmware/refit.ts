import type { Input } from './input.ts';
import { size } from './shelf.ts';
import type { BoxState } from './state.ts';

/**
 * The box after something happened to its hardware itself, which its firmware is not told of: the counter of its clock
 * jumps, or its flash has room for no further record (it keeps as many as it holds, one at least).
 */
export function refitted(state: BoxState, input: Input): BoxState {
  const { facts, flash } = state;
  if (input.kind === 'clock-jump') {
    return { ...state, facts: { ...facts, rtcOffsetMs: facts.rtcOffsetMs + Math.round(input.byMs) } };
  }
  if (input.kind !== 'room') return state;
  const { shelf } = flash.journal;
  const journalRecords = input.records ?? Math.max(1, size(shelf) - shelf.counts.tombstone);
  return {
    ...state,
    facts: { ...facts, journalRecords },
    flash: { ...flash, journal: { ...flash.journal, capacity: journalRecords } },
  };
}
