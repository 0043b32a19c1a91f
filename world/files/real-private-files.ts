import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';

const OWNER_ALONE = 0o600;
/**
 * Files that SQLite keeps next to a database. Those that it creates later get the permissions of the database
 * (os_unix.c).
 */
const SIDE_FILE_SUFFIXES = ['-wal', '-shm', '-journal'] as const;

/**
 * Restricts the file of a SQLite database to its owner, whatever the directory allows others; creates an
 * empty file if there is none. A file that cannot be opened, or belongs to another user, is left alone:
 * SQLite then reports the error.
 */
export function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'a', OWNER_ALONE));
    for (const one of [path, ...SIDE_FILE_SUFFIXES.map((end) => `${path}${end}`)])
      if (existsSync(one)) chmodSync(one, OWNER_ALONE);
  } catch {
    return;
  }
}
