import { expect, test, vi } from 'vitest';
import type { FlashOperation } from '../../world/flash/flash.ts';
import { failuresOf, playScenario } from '../support/simulation/play-scenario.ts';

type JournalModule = typeof import('../../simulator/firmware/journal/journal.ts');

/** A fault for the checkers: no tombstone takes its neighbours along. */
const planted = vi.hoisted(() => ({ isFaulty: false }));

vi.mock('../../simulator/firmware/journal/journal.ts', async (importOriginal) => {
  const right = await importOriginal<JournalModule>();
  const { nextEntry, putEntry, takeEntries } = await import(
    '../../simulator/firmware/journal/entry-index.ts'
  );
  const { recordKey, recordPage } = await import('../../simulator/firmware/core/pages.ts');
  const append: JournalModule['append'] = (journal, message, encodeRecord) => {
    const { report, event, reply, tombstone } = journal.entryIndex.counts;
    const isFull = report + event + reply + Math.max(0, tombstone - 1_000) >= journal.capacity;
    if (!planted.isFaulty || !isFull) return right.append(journal, message, encodeRecord);
    const oldest =
      nextEntry(journal.entryIndex, 0, ['report']) ?? nextEntry(journal.entryIndex, 0, ['event', 'reply']);
    if (oldest === undefined) return undefined;
    const { sequence: lost, entryClass } = oldest;
    const counts = {
      reports: Number(entryClass === 'report'),
      events: Number(entryClass === 'event'),
      replies: Number(entryClass === 'reply'),
    };
    const said = { kind: 'tombstone', reason: 'overwritten', first: lost, last: lost, ...counts } as const;
    const sequence = journal.next;
    const { entryIndex } = takeEntries(journal.entryIndex, lost, lost);
    const bytes = encodeRecord(sequence, said);
    const entry = {
      sequence,
      entryClass: 'tombstone',
      bytes,
      tombstone: said,
      wasUnreadable: false,
    } as const;
    const shorter = { ...journal, next: sequence + 1, entryIndex: putEntry(entryIndex, entry) };
    const change = append(shorter, message, encodeRecord);
    const own: readonly FlashOperation[] = [
      { erase: recordKey(lost) },
      { put: recordKey(sequence), bytes: recordPage(entry) },
    ];
    return change && { ...change, writes: [...own, ...change.writes], removed: [oldest, ...change.removed] };
  };
  return { ...right, append };
});

const SILENCE = `
name: small-journal
about: A small journal through a long silence, with crashes between reports.
seed: 5
fleet:
  - { model: petrol-compact, driving: true, journal_records: 8 }
steps:
  - { at: 10s, call: { configure: { tracking: { time_interval_in_seconds: 5 } } } }
  - { at: 30s, weather: { coverage: none }, for: 3h }
  - { at: 90s, crash: { acceleration_in_mg: 6000, duration_ms: 60 }, repeat: { every: 30m, for: 170m } }
  - { at: 3h1m, within: 20m, expect: { journal: empty } }
always: all
`;

test('a journal whose tombstones crowd events out is found by its bound, by what it takes in no more, and by what is not told', async () => {
  expect(failuresOf(await playScenario(SILENCE))).toEqual([]);
  planted.isFaulty = true;
  const outcome = await playScenario(SILENCE);
  planted.isFaulty = false;
  const found = outcome.checkers.flatMap(({ findings }) => findings.map(({ text }) => text)).join('\n');
  expect(found).toMatch(/over its bound: journal of \S+: 1008, and the bound is 98/);
  expect(found).toContain('a record that found no room');
  expect(found).toContain('led to no event crash');
});
