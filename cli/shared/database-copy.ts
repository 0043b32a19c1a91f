import { closeSync, constants, copyFileSync, existsSync, openSync, readSync, rmSync } from 'node:fs';

/**
 * Of a write-ahead log: magic, version, page size, checkpoint count, two salts, two checksums (SQLite file format
 * 4.1).
 */
const WAL_HEADER_BYTES = 32;
const ATTEMPTS = 20;

/**
 * Copies an SQLite database as one commit left it, while another process writes to it, without affecting it: the file
 * is open to a single process (exclusive locking), and a reader's lock would not be granted.
 *
 * The log is only appended to, until it was copied back whole and restarts under other salts. So the database is copied
 * first and the log after it: as long as the log is the same one at the end, it holds every page that was copied back
 * meanwhile, torn or whole, and opening the copy replays them up to the last whole commit.
 *
 * False: in all attempts the log restarted. Throws the system's error where a file cannot be read or written.
 */
export function copyDatabase(from: string, to: string): boolean {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    rmSync(`${to}-wal`, { force: true });
    const before = headerOf(`${from}-wal`);
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
    if (before !== '') copyIfThere(`${from}-wal`, `${to}-wal`);
    if (headerOf(`${from}-wal`) === before) return true;
  }
  return false;
}

/** Empty where there is no log, or the log is empty. */
function headerOf(path: string): string {
  if (!existsSync(path)) return '';
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(WAL_HEADER_BYTES);
    const bytes = readSync(file, header, 0, WAL_HEADER_BYTES, 0);
    return header.toString('hex', 0, bytes);
  } finally {
    closeSync(file);
  }
}

function copyIfThere(from: string, to: string): void {
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    // It was deleted in between, and the check afterwards finds that.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
