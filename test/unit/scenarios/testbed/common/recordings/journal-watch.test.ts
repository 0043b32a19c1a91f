import { describe, expect, test } from 'vitest';
import type { RecordMessage } from '../../../../../../protocol/message.ts';
import { JournalWatch } from '../../../../../../scenarios/testbed/common/recordings/journal-watch.ts';
import { append } from '../../../../../../simulator/firmware/journal/journal.ts';
import { emptyJournal, type Journal } from '../../../../../../simulator/firmware/journal/journal-state.ts';

const REPORT: RecordMessage = { kind: 'report', cause: 'time', signals: {} };
const EVENT: RecordMessage = { kind: 'event', event: 'ignition-off', signals: {} };

/** What the watch tells of each record that is put into a journal with room for three. */
function watched(messages: readonly RecordMessage[], boot = (_index: number) => 1) {
  const watch = new JournalWatch();
  let journal: Journal = emptyJournal(7, 3);
  const stepped = (bootCount: number) =>
    watch.stepped({ flash: { journal, counters: { boot: bootCount } } } as never);
  stepped(boot(0));
  return messages.map((message, index) => {
    journal = append(journal, message, () => new Uint8Array(1))?.journal ?? journal;
    return stepped(boot(index));
  });
}

describe('the watch of a journal', () => {
  test('tells nothing while there is room', () => {
    expect(watched([REPORT, EVENT, REPORT])).toEqual([undefined, undefined, undefined]);
  });

  test('tells which report was given up, and which is held', () => {
    expect(watched([REPORT, EVENT, REPORT, EVENT]).at(-1)).toEqual({
      ...{ reports: 1, others: 0, oldestReport: 1, oldestOther: 2, heldReport: 3, heldOther: 2 },
    });
  });

  test('tells that an event was given up where no report was left', () => {
    expect(watched([EVENT, EVENT, EVENT, REPORT]).at(-1)).toEqual({
      ...{ reports: 0, others: 1, oldestReport: undefined, oldestOther: 1 },
      ...{ heldReport: undefined, heldOther: 2 },
    });
  });

  test('takes what a boot finds in flash for no news', () => {
    expect(watched([REPORT, EVENT, REPORT, EVENT], (index) => (index === 3 ? 2 : 1)).at(-1)).toBeUndefined();
  });
});
