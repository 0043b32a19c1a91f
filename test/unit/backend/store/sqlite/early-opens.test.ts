import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Store, StoreFailed } from '../../../../../backend/store/port/store.ts';
import { EarlyOpens } from '../../../../../backend/store/sqlite/early-opens.ts';
import { openThreadedStore } from '../../../../../backend/store/sqlite/threaded-store.ts';
import { commandsContract } from '../../../../contracts/store-commands-contract.ts';
import {
  BOX_ID,
  ingestBatch,
  newVehicle,
  openCommand,
  REPLY_KEY,
  START_MS,
  TestStore,
} from '../../../../support/store/store-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'boxtwin-early-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = (): string => join(folder, `${files++}.sqlite`);

/** What a crash leaves: the file and its log, while the store goes on. */
function copyOf(from: string): string {
  const to = newPath();
  for (const end of ['', '-wal']) if (existsSync(from + end)) copyFileSync(from + end, to + end);
  return to;
}

describe('a store that opens commands early', () => {
  const stage = new TestStore({
    open: () => openThreadedStore(newPath(), { opensEarly: true }),
    reopen: () => Promise.reject(new Error('not needed here')),
    beside: (store) => Promise.resolve({ ...store, close: () => Promise.resolve() }),
  });
  beforeEach(() => stage.open());
  afterEach(() => stage.close());
  commandsContract(stage);
});

test('while the medium fails no command is opened early: its caller gets the failure, and nothing is sent', async () => {
  const early = new EarlyOpens({ isOpen: () => false });
  let isFull = true;
  const write = async () => {
    if (isFull) throw new StoreFailed('full');
    return 'opened';
  };
  const open = (requestId: string) =>
    early.write({ part: 'commands', name: 'open', parameters: [openCommand(requestId)] }, false, write);
  expect(await open('R1')).toBe('opened');
  await new Promise((resolve) => setImmediate(resolve));
  await expect(open('R2')).rejects.toThrow(StoreFailed);
  isFull = false;
  expect(await open('R3')).toBe('opened');
  isFull = true;
  expect(await open('R4')).toBe('opened');
});

describe('a command that is opened early', () => {
  let path: string;
  let store: Store;
  const inFile = async (requestId: string) => {
    const copy = await openThreadedStore(copyOf(path));
    try {
      return await copy.commands.find(requestId);
    } finally {
      await copy.close();
    }
  };
  const reply = (requestId: string) => ({
    reply: { kind: 'reply', requestId, outcome: 'done', error: '' } as const,
    boxId: BOX_ID,
    key: REPLY_KEY,
    atMs: START_MS + 5,
  });

  beforeEach(async () => {
    path = newPath();
    store = await openThreadedStore(path, { opensEarly: true });
    await store.vehicles.save(newVehicle());
  });
  afterEach(() => store.close());

  test('is lost with the process until something else is committed, and then is not', async () => {
    expect(await store.commands.open(openCommand('R1'))).toBe('opened');
    expect(await inFile('R1')).toBeUndefined();
    await store.access.saveFleet({ id: 'FLEET2', name: 'Two' });
    expect(await inFile('R1')).toMatchObject({ outcome: 'open' });
  });

  test('is what every read says, before it is in the file', async () => {
    await store.commands.open(openCommand('R1'));
    expect(await store.commands.find('R1')).toMatchObject({ requestId: 'R1', outcome: 'open' });
    expect(await store.commands.isOpen('VEH01', START_MS)).toBe(true);
    expect(await store.commands.isOpen('VEH02', START_MS)).toBe(false);
    const loaded = await store.ingest.loadCommands(['R1', 'R2']);
    expect([...loaded]).toEqual([['R1', openCommand('R1')]]);
    expect(await inFile('R1')).toBeUndefined();
  });

  test('is settled by its reply in the same commit', async () => {
    await store.commands.open(openCommand('R1'));
    const { settled } = await store.ingest.commit(ingestBatch({ replies: [reply('R1')] }));
    expect(settled).toEqual(['R1']);
    expect(await inFile('R1')).toMatchObject({ outcome: 'done' });
  });

  test('refuses the next one of its vehicle, whichever of both is committed when', async () => {
    const answers = await Promise.all(
      ['R1', 'R2', 'R3'].map((requestId) => store.commands.open(openCommand(requestId))),
    );
    expect(answers).toEqual(['opened', 'conflict', 'conflict']);
    await store.commands.withdraw('R1', START_MS + 1);
    expect(await store.commands.open(openCommand('R4'))).toBe('opened');
  });

  test('is committed before it is answered if it configures or sets up, or goes to a maker', async () => {
    await store.commands.open(openCommand('R1', { command: 'begin-setup' }));
    await store.commands.open(openCommand('R2', { vehicleId: 'VEH02', boxId: undefined }));
    expect(await inFile('R1')).toMatchObject({ outcome: 'open' });
    expect(await inFile('R2')).toMatchObject({ outcome: 'open' });
  });

  test('is committed after a while by itself, and by a close', async () => {
    await store.commands.open(openCommand('R1'));
    await expect.poll(() => inFile('R1'), { timeout: 10_000 }).toMatchObject({ outcome: 'open' });
    await store.commands.open(openCommand('R2', { vehicleId: 'VEH02' }));
    await store.close();
    expect(await inFile('R2')).toMatchObject({ outcome: 'open' });
  });
});
