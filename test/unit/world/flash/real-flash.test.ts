import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Flash, FlashFull, type FlashOperation } from '../../../../world/flash/flash.ts';
import { openRealFlash } from '../../../../world/flash/real-flash.ts';
import { waitUntil } from '../../../support/run/external-services.ts';

let folder: string;
let path: string;
let open: Flash[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'boxtwin-flash-'));
  path = join(folder, 'deeper', 'flash.db');
  open = [];
});
afterEach(async () => {
  for (const flash of open) await flash.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(capacityBytes?: number): Promise<Flash> {
  const flash = await openRealFlash(path, capacityBytes === undefined ? {} : { capacityBytes });
  open.push(flash);
  return flash;
}

const put = (key: string, words: string): FlashOperation => ({
  put: key,
  bytes: new TextEncoder().encode(words),
});
const entries = async (flash: Flash, owner: string) =>
  [...(await flash.load(owner))].map(([key, bytes]) => [key, new TextDecoder().decode(bytes)]);

/** Damages stored bytes as an interrupted write would, without the program. */
function spoil(where: string): number {
  const db = new Database(path);
  const { changes } = db
    .prepare(`UPDATE page SET bytes = substr(bytes, 1, length(bytes) - 1) WHERE ${where}`)
    .run();
  db.close();
  return changes;
}

describe('real flash', () => {
  test('returns what was written, by owner, in the order of the first writes, also after a restart', async () => {
    const flash = await start();
    await flash.write('a', [put('z', '1'), put('y', '2')]);
    await flash.write('b', [put('z', 'other')]);
    await flash.write('a', [put('x', '3'), put('z', '4'), { erase: 'y' }]);
    await flash.write('a', [put('y', 'again')]);
    const expected = [
      ['z', '4'],
      ['x', '3'],
      ['y', 'again'],
    ];
    expect(await entries(flash, 'a')).toEqual(expected);
    await flash.close();
    const later = await start();
    expect(await entries(later, 'a')).toEqual(expected);
    await later.write('a', [put('w', '5')]);
    expect((await entries(later, 'a')).at(-1)).toEqual(['w', '5']);
    expect(await entries(later, 'b')).toEqual([['z', 'other']]);
    expect(await entries(later, 'nobody')).toEqual([]);
  });

  test('behaves like an ordered map, across restarts', async () => {
    const operations = fc.oneof(
      fc.record({ put: fc.constantFrom('a', 'b', 'c'), bytes: fc.uint8Array({ maxLength: 20 }) }),
      fc.record({ erase: fc.constantFrom('a', 'b', 'c') }),
    );
    const steps = fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.array(operations, { maxLength: 5 }) },
        { weight: 1, arbitrary: fc.constantFrom('wipe' as const, 'restart' as const) },
      ),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(fc.uuid(), steps, async (owner, plan) => {
        let flash = await start();
        const model = new Map<string, Uint8Array>();
        for (const step of plan) {
          if (step === 'restart') {
            await flash.close();
            flash = await start();
          } else if (step === 'wipe') {
            await flash.wipe(owner);
            model.clear();
          } else {
            await flash.write(owner, step);
            for (const operation of step) {
              if ('put' in operation) model.set(operation.put, operation.bytes);
              else model.delete(operation.erase);
            }
          }
        }
        const loaded = await flash.load(owner);
        await flash.close();
        expect([...loaded]).toEqual([...model]);
      }),
      { numRuns: 40 },
    );
  });

  test('a load in the same turn sees the writes before it', async () => {
    const flash = await start();
    const writing = [flash.write('a', [put('k', '1')]), flash.wipe('a'), flash.write('a', [put('l', '2')])];
    expect(await entries(flash, 'a')).toEqual([['l', '2']]);
    await Promise.all(writing);
  });

  test('keeps its own copy of the bytes', async () => {
    const flash = await start();
    const bytes = Uint8Array.of(1, 2, 3);
    const writing = flash.write('a', [{ put: 'k', bytes }]);
    bytes.fill(9);
    await writing;
    expect((await flash.load('a')).get('k')).toEqual(Uint8Array.of(1, 2, 3));
  });

  test('after an interrupted write the older content of a page is returned, repeatedly', async () => {
    for (const round of [1, 2, 3]) {
      const flash = await start();
      await flash.write('a', [put('k', `whole ${round}`)]);
      await flash.write('a', [put('k', `torn ${round}`)]);
      await flash.close();
      expect(spoil(`owner = 'a' AND revision = (SELECT max(revision) FROM page WHERE owner = 'a')`)).toBe(1);
      const later = await start();
      expect(await entries(later, 'a')).toEqual([['k', `whole ${round}`]]);
      await later.close();
    }
  });

  test('a damaged page without older content is missing, and the others are present', async () => {
    const flash = await start();
    await flash.write('a', [put('first', 'x'), put('torn', 'y'), put('last', 'z')]);
    await flash.close();
    expect(spoil(`key = 'torn'`)).toBe(1);
    const later = await start();
    expect(await entries(later, 'a')).toEqual([
      ['first', 'x'],
      ['last', 'z'],
    ]);
    await later.write('a', [put('torn', 'new')]);
    expect((await entries(later, 'a')).at(-1)).toEqual(['torn', 'new']);
  });

  test('a page of another owner or key is ignored', async () => {
    const flash = await start();
    await flash.write('a', [put('k', 'x')]);
    await flash.close();
    const db = new Database(path);
    db.exec(`UPDATE page SET owner = 'b'`);
    db.close();
    expect(await entries(await start(), 'b')).toEqual([]);
  });

  test('without space nothing of that write is kept, and other writes of the same turn succeed', async () => {
    const flash = await start(200_000);
    await flash.write('a', [put('k', 'before')]);
    const big: FlashOperation = { put: 'big', bytes: new Uint8Array(300_000) };
    const [full, small] = await Promise.allSettled([
      flash.write('a', [put('k', 'after'), big]),
      flash.write('b', [put('k', 'small')]),
    ]);
    expect(full.status === 'rejected' && full.reason).toBeInstanceOf(FlashFull);
    expect(small.status).toBe('fulfilled');
    expect(await entries(flash, 'a')).toEqual([['k', 'before']]);
    expect(await entries(flash, 'b')).toEqual([['k', 'small']]);
    await flash.write('a', [{ erase: 'k' }, put('l', 'room again')]);
    expect(await entries(flash, 'a')).toEqual([['l', 'room again']]);
  });

  test('a second process is told that the file is in use, and a newer file that it is newer', async () => {
    const flash = await start();
    await flash.write('a', [put('k', 'x')]);
    await expect(openRealFlash(path)).rejects.toThrow(/in use/);
    await flash.close();
    const db = new Database(path);
    db.pragma('user_version = 99');
    db.close();
    await expect(openRealFlash(path)).rejects.toThrow(/newer version/);
  });

  test('after close every call is refused, and closing again does nothing', async () => {
    const flash = await start();
    const writing = flash.write('a', [put('k', 'x')]);
    await flash.close();
    await writing;
    await flash.close();
    await expect(flash.write('a', [put('k', 'y')])).rejects.toThrow(/closed/);
    await expect(flash.load('a')).rejects.toThrow(/closed/);
    await expect(flash.wipe('a')).rejects.toThrow(/closed/);
    expect(await entries(await start(), 'a')).toEqual([['k', 'x']]);
  });

  test('resolved writes survive kill -9', async () => {
    const writer = fileURLToPath(new URL('../../../support/world/flash-writer-program.ts', import.meta.url));
    const child = spawn(process.execPath, [writer, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const confirmed = () => said.split('\n').slice(0, -1).map(Number);
    await waitUntil(() => confirmed().length >= 200);
    const exit = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exit;
    const kept = [...(await (await start()).load('a')).keys()].map(Number);
    expect(kept.length).toBeGreaterThanOrEqual(200);
    expect(kept).toEqual(kept.map((_, index) => index));
    expect(kept).toEqual(expect.arrayContaining(confirmed()));
  });
});
