import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSqliteStore } from '../../../../backend/store/sqlite/store.ts';
import { ledgerOf } from '../../../../cli/commands/ledger.ts';
import { limits } from '../../../../cli/shared/limits.ts';
import { STORE_FILE } from '../../../../deployment/directory/data-directory.ts';

const data = mkdtempSync(join(tmpdir(), 'boxtwin-ledger-test-'));
beforeAll(async () => openSqliteStore(join(data, STORE_FILE)).close());
afterAll(() => rmSync(data, { recursive: true, force: true }));

const ledgerWith = (messages: Readable) => ledgerOf({ data, messages, sinceMs: 0, lateAfterMs: 60_000 });

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
