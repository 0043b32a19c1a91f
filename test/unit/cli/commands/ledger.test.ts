import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockDatabase } from '../../../../backend/store/sqlite/open.ts';
import { openSqliteStore } from '../../../../backend/store/sqlite/store.ts';
import { ledgerOf } from '../../../../cli/commands/ledger.ts';
import { ledgerText } from '../../../../cli/commands/ledger-text.ts';
import { limits } from '../../../../cli/shared/limits.ts';
import { STORE_FILE } from '../../../../deployment/directory/data-directory.ts';

const data = mkdtempSync(join(tmpdir(), 'boxtwin-ledger-test-'));
beforeAll(async () => openSqliteStore(join(data, STORE_FILE)).close());
afterAll(() => rmSync(data, { recursive: true, force: true }));

const ledgerWith = (messages: Readable) => ledgerOf({ data, messages, sinceMs: 0, lateAfterMs: 60_000 });

test('of an installation that does not run the time of its last write is known, and of one that runs none', async () => {
  const lastWrite = new Date('2026-01-02T03:04:05.000Z');
  for (const name of readdirSync(data)) utimesSync(join(data, name), lastWrite, lastWrite);
  const stopped = await ledgerOf({ data, sinceMs: 0, lateAfterMs: 60_000 });
  expect(stopped.stoppedMs).toBe(lastWrite.getTime());
  const text = stripVTControlCharacters(ledgerText(stopped));
  expect(text).toContain('The installation does not run: ');
  expect(text).toContain('its last write, 2026-01-02T03:04:05.000Z.');
  const lock = lockDatabase(join(data, STORE_FILE));
  try {
    expect((await ledgerOf({ data, sinceMs: 0, lateAfterMs: 60_000 })).stoppedMs).toBeUndefined();
  } finally {
    lock.close();
  }
});

test('without messages nothing is claimed of what only they show', async () => {
  const text = stripVTControlCharacters(
    ledgerText(await ledgerOf({ data, sinceMs: 0, lateAfterMs: 60_000 })),
  );
  for (const fate of ['doubled', 'reordered', 'unknown', 'repeated'])
    expect(text).toMatch(new RegExp(`^ +- {2}${fate} +not looked at: give --messages$`, 'm'));
  const read = stripVTControlCharacters(ledgerText(await ledgerWith(Readable.from([]))));
  expect(read).toMatch(/^ +0 {2}doubled {5}one record/m);
});

test('lines of messages are read however their pieces are cut, and what is no message is counted', async () => {
  const bytes = Buffer.from('{"no":"message"}\r\n\nä{\n"last');
  const pieces = [...bytes].map((byte) => Buffer.from([byte]));
  for (const given of [[bytes], pieces])
    expect(await ledgerWith(Readable.from(given))).toMatchObject({ unreadableLines: 3 });
});

test('a line of messages without an end is refused before it fills the memory', async () => {
  let pieces = 0;
  const endless = Readable.from(
    (function* () {
      for (;;) {
        pieces += 1;
        yield Buffer.alloc(65_536, 'x');
      }
    })(),
  );
  await expect(ledgerWith(endless)).rejects.toThrow(/A line of the messages has more than \d+ characters/);
  expect(pieces).toBeLessThan(limits.messageLineCharacters / 65_536 + 50);
});
