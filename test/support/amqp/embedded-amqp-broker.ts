import {
  type AmqpAddress,
  type AmqpBroker,
  type AmqpBrokerOptions,
  openAmqpBroker,
} from '../../../brokers/amqp/broker.ts';
import {
  NO_NAME,
  type PermissionPatterns,
  permitsByPatterns,
} from '../../../brokers/amqp/permission-patterns.ts';
import type { ListenerOptions } from '../../../brokers/mqtt/listener.ts';
import { realLog } from '../../../world/log/real-log.ts';

export interface EmbeddedAmqp extends AmqpBroker, AmqpAddress {
  /** What it logged, as JSON lines. */
  readonly lines: string[];
  /** Its address with a user and the user's password. */
  urlOf(user: string): string;
}

const ALL: PermissionPatterns = { configure: /.*/, write: /.*/, read: /.*/ };
/** `owner` may do everything; `reader` may read the queues of its own name and nothing else. */
const RIGHTS: Readonly<Record<string, PermissionPatterns>> = {
  owner: ALL,
  guest: ALL,
  reader: { configure: NO_NAME, write: NO_NAME, read: /-reader$/ },
};

/** The embedded AMQP broker on a free port; every user's password is the user's name. */
export async function startEmbeddedAmqp(
  more: Partial<AmqpBrokerOptions & ListenerOptions> = {},
): Promise<EmbeddedAmqp> {
  const lines: string[] = [];
  const broker = await openAmqpBroker({
    path: ':memory:',
    version: '1.2.3',
    authenticate: (user, password) => Promise.resolve(user in RIGHTS && user === password),
    comparesFast: () => true,
    permits: permitsByPatterns((user) => RIGHTS[user]),
    log: realLog('debug', { output: { write: (line: string) => lines.push(line) } }),
    ...more,
  });
  const address = await broker.listen({ host: '127.0.0.1', port: 0, ...more });
  return { ...broker, ...address, lines, urlOf: (user) => address.url.replace('://', `://${user}:${user}@`) };
}
