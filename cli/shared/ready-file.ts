import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What other commands need of a running `up`: the ready line, in its data directory. */
const ready = z.looseObject({
  base_url: z.string(),
  simulator_url: z.string().nullish(),
  client_id: z.string(),
  client_secret: z.string(),
  amqp_url: z.string().nullish(),
});

export type ReadyFile = z.infer<typeof ready>;

export const READY_FILE = 'ready.json';

/** Keeps the ready line for other commands; it holds a secret, so it is its owner's alone. */
export function writeReadyFile(folder: string, line: string): void {
  const path = join(folder, READY_FILE);
  // Written beside and renamed: whoever reads finds the whole of it or none.
  writeFileSync(`${path}.new`, `${line}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** What wrote this line runs no more. The line of another backend, which was started later on the same directory, stays. */
export function removeReadyFile(folder: string, line: string): void {
  const path = join(folder, READY_FILE);
  try {
    if (readFileSync(path, 'utf8') !== `${line}\n`) return;
  } catch {
    // There is none, or nobody may read it: then it is no use to others either.
  }
  rmSync(path, { force: true });
}

/** Undefined: nothing runs there, or something that writes no such file. After a kill -9 it may still stand there. */
export function readReadyFile(folder: string): ReadyFile | undefined {
  try {
    return ready.parse(JSON.parse(readFileSync(join(folder, READY_FILE), 'utf8')));
  } catch {
    return undefined;
  }
}
