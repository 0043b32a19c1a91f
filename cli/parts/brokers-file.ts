import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What the other parts need of running brokers: addresses, with the accounts of the service. */
const brokers = z.looseObject({
  mqtt_url: z.string(),
  amqp_url: z.string(),
  amqp_admin_url: z.string(),
});

export type BrokersFile = z.infer<typeof brokers>;

export const BROKERS_FILE = 'brokers.json';

/** Keeps the addresses in the data directory for `fleet` and `backend`; it holds passwords, so it is its owner's alone. */
export function writeBrokersFile(folder: string, content: BrokersFile): void {
  const path = join(folder, BROKERS_FILE);
  // Written beside and renamed: whoever reads finds the whole of it or none.
  writeFileSync(`${path}.new`, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** They run no more. */
export function removeBrokersFile(folder: string): void {
  rmSync(join(folder, BROKERS_FILE), { force: true });
}

/** Undefined: no brokers run on that directory. After a kill -9 the file may still stand there. */
export function brokersOf(folder: string): BrokersFile | undefined {
  try {
    return brokers.parse(JSON.parse(readFileSync(join(folder, BROKERS_FILE), 'utf8')));
  } catch {
    return undefined;
  }
}
