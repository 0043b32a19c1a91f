import { runThread } from '../../../world/threads/thread-program.ts';
import { MessageStore, type MessageStoreRow } from './message-store.ts';

/** The thread that writes the file of the AMQP broker: each request is one commit. */
runThread<{ readonly path: string }, readonly MessageStoreRow[], undefined>(({ path }) => {
  const store = new MessageStore(path);
  return {
    answer: (rows) => {
      store.write(rows);
      return undefined;
    },
    close: () => store.close(),
  };
});
