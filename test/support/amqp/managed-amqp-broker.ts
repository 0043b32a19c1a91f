import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AmqpBroker, openAmqpBroker } from '../../../brokers/amqp/broker.ts';
import { openManagedAccounts } from '../../../brokers/amqp/management/managed-accounts.ts';
import { serveHttp } from '../../../cli/server/http-server.ts';
import { hashSecret, verifySecret } from '../../../world/crypto/real-secret-hash.ts';
import { realLog } from '../../../world/log/real-log.ts';

/** The embedded AMQP broker with users of its own, and its management interface. */
export interface ManagedAmqp {
  /** Both with the administrator's account. */
  readonly url: string;
  readonly adminUrl: string;
  /** The file of users. */
  readonly path: string;
  /** What was logged, as JSON lines. */
  readonly lines: readonly string[];
  close(): Promise<void>;
}

export const ADMINISTRATOR = { username: 'admin', password: 'right' };

/** Starts it on free ports. Without a folder it has one of its own, which goes with it. */
export async function startManagedAmqp(given?: string): Promise<ManagedAmqp> {
  const folder = given ?? mkdtempSync(join(tmpdir(), 'boxtwin-managed-'));
  const path = join(folder, 'amqp-users.jsonl');
  const lines: string[] = [];
  const log = realLog('debug', { write: (line: string) => lines.push(line) });
  let broker: AmqpBroker | undefined;
  const { authenticate, permits, app, close } = await openManagedAccounts({
    ...{ path, log, administrator: ADMINISTRATOR, crypto: { hashSecret, verifySecret } },
    dismiss: (username) => broker?.disconnectUser(username),
  });
  const opened = await openAmqpBroker({ path: join(folder, 'amqp.sqlite'), authenticate, permits, log });
  broker = opened;
  const { port } = await opened.listen({ host: '127.0.0.1', port: 0 });
  const management = await serveHttp({ port: 0 }, (request) => app.fetch(request));
  const account = `${ADMINISTRATOR.username}:${ADMINISTRATOR.password}`;
  return {
    ...{ path, lines },
    url: `amqp://${account}@127.0.0.1:${port}`,
    adminUrl: `http://${account}@127.0.0.1:${management.port}`,
    async close() {
      await management.close();
      await close();
      await opened.close();
      if (given === undefined) rmSync(folder, { recursive: true });
    },
  };
}
