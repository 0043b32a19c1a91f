import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AmqpBroker, openAmqpBroker } from '../../../brokers/amqp/broker.ts';
import { openManagedAccounts } from '../../../brokers/amqp/management/managed-accounts.ts';
import { serveHttp } from '../../../deployment/http/http-server.ts';
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

/** Its password has the length of a generated one: it cannot be guessed, so guesses do not delay the administrator. */
export const ADMINISTRATOR = { username: 'admin', password: 'Pb3kq7Xn0wTzV5aMd8RyHc2L' };

/** Starts it on free ports. Without a folder it has one of its own, which goes with it. */
export async function startManagedAmqp(given?: string): Promise<ManagedAmqp> {
  const folder = given ?? mkdtempSync(join(tmpdir(), 'boxtwin-managed-'));
  const path = join(folder, 'amqp-users.jsonl');
  const lines: string[] = [];
  const log = realLog('debug', { output: { write: (line: string) => lines.push(line) } });
  let broker: AmqpBroker | undefined;
  const { authenticate, comparesFast, permits, app, close } = await openManagedAccounts({
    path,
    log,
    administrator: ADMINISTRATOR,
    crypto: { hashSecret, verifySecret },
    dismiss: (username) => broker?.disconnectUser(username),
  });
  const opened = await openAmqpBroker({
    path: join(folder, 'amqp.sqlite'),
    version: '1.2.3',
    authenticate,
    comparesFast,
    permits,
    log,
  });
  broker = opened;
  const { port } = await opened.listen({ host: '127.0.0.1', port: 0 });
  const management = await serveHttp({ port: 0 }, (request, peer) => app.fetch(request, peer));
  const account = `${ADMINISTRATOR.username}:${ADMINISTRATOR.password}`;
  return {
    path,
    lines,
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
