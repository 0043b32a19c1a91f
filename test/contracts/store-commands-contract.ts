import { beforeEach, describe, expect, test } from 'vitest';
import {
  BOX_ID,
  ingestBatch,
  newVehicle,
  OTHER_BOX_ID,
  openCommand,
  REPLY_KEY,
  START_MS,
  type TestStore,
} from '../support/store/store-rows.ts';

/** The behaviour of a store for commands and outgoing messages. */
export function commandsContract(stage: TestStore): void {
  describe('commands', () => {
    beforeEach(async () => {
      await stage.store.vehicles.save(newVehicle());
    });

    test('one command of a vehicle is open at a time', async () => {
      expect(await stage.store.commands.open(openCommand('R1'))).toBe('opened');
      expect(await stage.store.commands.open(openCommand('R2'))).toBe('conflict');
      expect(await stage.store.commands.find('R2')).toBeUndefined();
      expect(await stage.store.commands.open(openCommand('R3', { vehicleId: 'VEH02' }))).toBe('opened');
    });

    test('an open command of a vehicle is reported until its expiry or its end', async () => {
      const { commands } = stage.store;
      expect(await commands.isOpen('VEH01', START_MS)).toBe(false);
      await commands.open(openCommand('R1'));
      expect(await commands.isOpen('VEH01', START_MS + 19_999)).toBe(true);
      expect(await commands.isOpen('VEH01', START_MS + 20_000)).toBe(false);
      expect(await commands.isOpen('VEH02', START_MS)).toBe(false);
      await commands.withdraw('R1', START_MS + 5);
      expect(await commands.isOpen('VEH01', START_MS + 6)).toBe(false);
    });

    test('a command past its expiry becomes unknown when the next one is opened', async () => {
      await stage.store.commands.open(openCommand('R1'));
      expect(await stage.store.commands.open(openCommand('R2', { openedMs: START_MS + 19_999 }))).toBe(
        'conflict',
      );
      expect(await stage.store.commands.open(openCommand('R3', { openedMs: START_MS + 20_000 }))).toBe(
        'opened',
      );
      expect(await stage.store.commands.find('R1')).toMatchObject({
        outcome: 'unknown',
        settledMs: START_MS + 20_000,
      });
    });

    test.each([
      ['giveUp', 'unknown'],
      ['withdraw', 'withdrawn'],
    ] as const)(
      '%s leaves it %s and the vehicle free; a later reply still replaces it',
      async (how, outcome) => {
        await stage.store.commands.open(openCommand('R1'));
        await stage.store.commands[how]('R1', START_MS + 5);
        expect(await stage.store.commands.find('R1')).toMatchObject({ outcome, settledMs: START_MS + 5 });
        expect(await stage.store.commands.open(openCommand('R2'))).toBe('opened');
        const reply = { kind: 'reply', requestId: 'R1', outcome: 'failed', error: 'motor' } as const;
        const result = await stage.store.ingest.commit(
          ingestBatch({ replies: [{ reply, boxId: BOX_ID, key: REPLY_KEY, atMs: START_MS + 9 }] }),
        );
        expect(result.settled).toEqual(['R1']);
        expect(await stage.store.commands.find('R1')).toMatchObject({
          outcome: 'failed',
          error: 'motor',
          settledMs: START_MS + 9,
        });
      },
    );

    test('a reply settles its command once, with status and state, and only from its own box', async () => {
      await stage.store.commands.open(openCommand('R1'));
      const state = { central_lock: { timestampMs: START_MS, value: 'UNLOCKED' } };
      const reply = { kind: 'reply', requestId: 'R1', outcome: 'done', error: '' } as const;
      const foreign = await stage.store.ingest.commit(
        ingestBatch({ replies: [{ reply, boxId: OTHER_BOX_ID, key: REPLY_KEY, atMs: START_MS }] }),
      );
      expect(foreign.settled).toEqual([]);
      const first = await stage.store.ingest.commit(
        ingestBatch({ replies: [{ reply, boxId: BOX_ID, key: REPLY_KEY, atMs: START_MS + 1, state }] }),
      );
      expect(first.settled).toEqual(['R1']);
      const again = await stage.store.ingest.commit(
        ingestBatch({
          replies: [
            { reply: { ...reply, outcome: 'failed' }, boxId: BOX_ID, key: REPLY_KEY, atMs: START_MS + 2 },
          ],
        }),
      );
      expect(again.settled).toEqual([]);
      await stage.store.commands.giveUp('R1', START_MS + 3);
      expect(await stage.store.commands.find('R1')).toEqual({
        ...openCommand('R1'),
        outcome: 'done',
        error: '',
        settledMs: START_MS + 1,
        status: undefined,
        state,
      });
    });

    test('the commands of requests are loaded for ingest; unknown requests are missing', async () => {
      await stage.store.commands.open(openCommand('R1'));
      const loaded = await stage.store.ingest.loadCommands(['R1', 'R9']);
      expect([...loaded.entries()]).toEqual([['R1', openCommand('R1')]]);
    });
  });
}
