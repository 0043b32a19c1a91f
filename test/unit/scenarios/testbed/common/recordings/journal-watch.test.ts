import { describe, expect, test } from 'vitest';
import type { RecordMessage } from '../../../../../../protocol/message.ts';
import { JournalWatch } from '../../../../../../scenarios/testbed/common/recordings/journal-watch.ts';
import type { BoxCounters } from '../../../../../../simulator/firmware/core/state.ts';
import { append } from '../../../../../../simulator/firmware/journal/journal.ts';
import { emptyJournal, type Journal } from '../../../../../../simulator/firmware/journal/journal-state.ts';

const REPORT: RecordMessage = { kind: 'report', cause: 'time', signals: {} };
const EVENT: RecordMessage = { kind: 'event', event: 'ignition-off', signals: {} };
/** One that the journal does not take in. */
const REFUSED: RecordMessage = { ...EVENT };
/** What it tells of a full journal that took all in. */
const FULL = { refused: 0, room: 3, held: 3 };

/** What the watch tells of each record that is put into a journal with room for three. */
function watched(messages: readonly RecordMessage[], boot = (_index: number) => 1, capacity = 3) {
  const watch = new JournalWatch(capacity);
  let journal: Journal = emptyJournal(7, 3);
  let refusedRecords = 0;
  const stepped = (boot: number) =>
    watch.stepped({
      flash: { journal, counters: { boot } as BoxCounters },
      ram: { counts: { refusedRecords } },
    });
  stepped(boot(0));
  return messages.map((message, index) => {
    const taken = message === REFUSED ? undefined : append(journal, message, () => new Uint8Array(1));
    if (taken === undefined) refusedRecords += 1;
    journal = taken?.journal ?? journal;
    return stepped(boot(index));
  });
}

describe('the watch of a journal', () => {
  test('tells nothing while there is room', () => {
    expect(watched([REPORT, EVENT, REPORT])).toEqual([undefined, undefined, undefined]);
  });

  test('tells which report was given up, and which is held', () => {
    expect(watched([REPORT, EVENT, REPORT, EVENT]).at(-1)).toEqual({
      ...FULL,
      reports: 1,
      others: 0,
      oldestReport: 1,
      oldestOther: 2,
      heldReport: 3,
      heldOther: 2,
    });
  });

  test('tells that an event was given up where no report was left', () => {
    expect(watched([EVENT, EVENT, EVENT, REPORT]).at(-1)).toEqual({
      ...FULL,
      reports: 0,
      others: 1,
      oldestReport: undefined,
      oldestOther: 1,
      heldReport: undefined,
      heldOther: 2,
    });
  });

  test('takes what a boot finds in flash for no news', () => {
    expect(watched([REPORT, EVENT, REPORT, EVENT], (index) => (index === 3 ? 2 : 1)).at(-1)).toBeUndefined();
  });

  test('tells that a record was given up before the journal had as many as it has room for', () => {
    expect(watched([REPORT, EVENT, REPORT, EVENT], () => 1, 8).at(-1)).toMatchObject({ room: 8, held: 3 });
  });

  test('tells that a record was not taken in', () => {
    expect(watched([REPORT, REFUSED]).at(-1)).toMatchObject({ refused: 1, reports: 0, others: 0 });
  });
});
