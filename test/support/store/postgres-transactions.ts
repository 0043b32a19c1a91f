import type { OutboxBounds } from '../../../backend/store/port/outbox-limits.ts';
import { readAddress } from '../../../backend/store/postgres/address.ts';
import { connectionConfig, openConnections } from '../../../backend/store/postgres/connections.ts';
import { executor } from '../../../backend/store/postgres/executor.ts';
import { messageWriter } from '../../../backend/store/postgres/outbox/outbox-messages.ts';
import type { Transaction } from '../../../backend/store/statements/transaction.ts';
import { seededRandom } from '../../../world/random/seeded-random.ts';
import { realTime } from '../../../world/time/real-time.ts';
import { patientLimits } from './postgres-databases.ts';

/** A database whose transactions are a test's own. */
export interface Transactions {
  /** Carries out a transaction in the isolation of the commit of ingest. */
  run<Result>(make: () => Transaction<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** `url`: of a database that has the schema. */
export function openTransactions(url: string, bounds?: OutboxBounds): Transactions {
  const read = readAddress(url, { hasAuthority: false });
  if ('refusal' in read) throw new Error(read.refusal);
  const connections = openConnections(
    connectionConfig(read.address, undefined, patientLimits),
    patientLimits,
  );
  const carryOut = executor({
    connections,
    begin: ({ parameters: [make] }) => (make as () => Transaction<unknown>)(),
    outboxMessages: messageWriter(bounds).write,
    time: realTime(),
    chance: seededRandom(1).stream('retries'),
    limits: patientLimits,
    shown: read.address.shown,
  });
  return {
    // The executor hands back what the transaction returns.
    run: <Result>(make: () => Transaction<Result>) =>
      carryOut({ part: 'ingest', name: 'commit', parameters: [make] }) as Promise<Result>,
    close: () => connections.close(),
  };
}
