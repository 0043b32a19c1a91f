import { errorText } from '../../../world/error-text.ts';
import { startThread, type Thread, ThreadRefused } from '../../../world/threads/real-thread.ts';
import type { JournalRecord } from '../state.ts';
import { MessageStore, type MessageStoreRow, MessageStoreUnusable, rowsOf } from './message-store.ts';

/** Makes the records of the broker durable, off its event loop. */
export class MessageLog {
  /** Undefined: nothing is stored. */
  readonly #thread: Thread<readonly MessageStoreRow[], undefined> | undefined;

  constructor(thread: Thread<readonly MessageStoreRow[], undefined> | undefined) {
    this.#thread = thread;
  }

  /**
   * Resolves once all records are durable: they survive a crash of process and machine. Rejects if the medium
   * fails; then nothing of them is written.
   */
  async commit(records: readonly JournalRecord[]): Promise<void> {
    if (records.length > 0) await this.#thread?.ask(rowsOf(records));
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }
}

/**
 * Opens or creates the file at `path`, lets `restore` read its contents, and starts the thread that writes it.
 * `:memory:` stores nothing and has no thread. Rejects with `MessageStoreUnusable`, also where `restore` throws.
 */
export async function openMessageLog(
  path: string,
  restore: (store: MessageStore) => void,
): Promise<MessageLog> {
  if (path === ':memory:') return new MessageLog(undefined);
  const store = new MessageStore(path);
  try {
    restore(store);
  } catch (error) {
    const reason = errorText(error);
    throw new MessageStoreUnusable(`The AMQP broker cannot read ${path}, which is damaged: ${reason}.`, {
      cause: error,
    });
  } finally {
    store.close();
  }
  try {
    return new MessageLog(await startThread('./message-thread', import.meta.url, { path }));
  } catch (error) {
    throw error instanceof ThreadRefused ? new MessageStoreUnusable(error.message, { cause: error }) : error;
  }
}
