import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';

const OWNER_ALONE = 0o600;
/** What SQLite keeps beside a database; what it makes later has the permissions of the database (os_unix.c). */
const BESIDE = ['-wal', '-shm', '-journal'] as const;

/**
 * Makes the file of a SQLite database its owner's alone, whatever the directory lets others do; one that is not there is
 * made, empty. What cannot be opened, or is somebody else's, is left for SQLite to tell of.
 */
export function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'a', OWNER_ALONE));
    for (const one of [path, ...BESIDE.map((end) => `${path}${end}`)])
      if (existsSync(one)) chmodSync(one, OWNER_ALONE);
  } catch {
    return;
  }
}
