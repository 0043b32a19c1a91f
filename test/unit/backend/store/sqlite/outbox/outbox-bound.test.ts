import type { OutboxBounds } from '../../../../../../backend/store/port/outbox-limits.ts';
import type { OutboxStore, OutgoingMessage } from '../../../../../../backend/store/port/outbox-store.ts';
import { openDatabase } from '../../../../../../backend/store/sqlite/open.ts';
import { messageWriter, sqliteOutbox } from '../../../../../../backend/store/sqlite/outbox/outbox.ts';
import { type OutboxKit, outboxBoundContract } from '../../../../../contracts/outbox-bound-contract.ts';

/** One database serves all runs: making one takes longer than a run. */
const EMPTY = `DELETE FROM outbox; DELETE FROM outbox_dropped; DELETE FROM outbox_drops;
  UPDATE outbox_size SET messages = 0, bytes = 0`;

function openKit(bounds: OutboxBounds): Promise<OutboxKit> {
  const database = openDatabase(':memory:');
  const writer = messageWriter(database, bounds);
  const write = database.transaction((messages: readonly OutgoingMessage[]) => writer(messages));
  const writeInVain = database.transaction((messages: readonly OutgoingMessage[]) => {
    writer(messages);
    throw new Error('in vain');
  });
  const outbox = sqliteOutbox(database);
  const calls = Object.entries(outbox).map(([name, call]) => [
    name,
    async (...parameters: readonly unknown[]) => Reflect.apply(call, outbox, parameters) as unknown,
  ]);
  return Promise.resolve({
    outbox: Object.fromEntries(calls) as OutboxStore,
    write: async (messages) => write.immediate(messages),
    writeInVain: async (messages) => writeInVain.immediate(messages),
    empty: async () => void database.exec(EMPTY),
    close: async () => void database.close(),
  });
}

outboxBoundContract('SQLite', openKit, 100);
