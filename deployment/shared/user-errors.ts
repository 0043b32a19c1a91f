import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText } from '../../world/error-text.ts';
import { CommandError } from './command-error.ts';

const FRESH_OR_MEND = 'Free space or repair the file, or start over with --fresh.';
const IN_USE = 'Is another "boxtwin up" running on it? Give another directory with --data.';
const NEWER = 'Use that version, or another directory with --data.';

/** The remedies for the errors of opening, by their names. */
const ADVICE: Readonly<Record<string, string>> = {
  StoreInUse: IN_USE,
  StoreTooNew: NEWER,
  StoreFailed: FRESH_OR_MEND,
  FlashInUse: IN_USE,
  FlashTooNew: NEWER,
  FlashBroken: 'Repair the file, or start over with --fresh.',
  MessageStoreUnusable: FRESH_OR_MEND,
  /** Its own message has the remedy. */
  UsersFileUnusable: '',
  AuthorityUnusable: 'Mend the files; or remove that folder, and give clients the new ca.pem.',
};

/** The same where the store is no file. Errors of PostgreSQL have their own remedy. */
const DATABASE_ADVICE: typeof ADVICE = { ...ADVICE, StoreFailed: '', StoreTooNew: '' };

/** Errors of opening, with a remedy for the user; all others are unchanged. `store`: as `--store` names it. */
export function asUserError(error: unknown, store?: string): unknown {
  if (!(error instanceof Error)) return error;
  const hint = (store === undefined ? ADVICE : DATABASE_ADVICE)[error.name];
  return hint === undefined ? error : new CommandError(`${error.message} ${hint}`.trimEnd());
}

const WRITE_REASONS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a directory, and a file is written',
  EEXIST: 'it is a file, not a directory',
  ENOTDIR: 'a part of its path is a file, not a directory',
  ENOENT: 'its folder does not exist',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** Why a file or a folder cannot be written; the system's own text where there are no better words. */
export function writeErrorText(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT' && isFolderThere(error)) return 'nothing can be made in that folder';
  return WRITE_REASONS[code] ?? errorText(error);
}

/** The folder of the path that the error names: some, such as /proc, take no files and answer that there is none. */
function isFolderThere(error: unknown): boolean {
  const path = error instanceof Error && 'path' in error ? error.path : undefined;
  return typeof path === 'string' && existsSync(dirname(path));
}

/** An address without its secrets; also several with commas between them. */
export function withoutPassword(address: string): string {
  return address.split(',').map(oneWithoutPassword).join(',');
}

function oneWithoutPassword(address: string): string {
  const url = new URL(address);
  url.password = '';
  return url.username === '' ? address : url.href;
}

/** An address with its account. */
export function withAccount(address: string, account: { username: string; password: string }): string {
  const url = new URL(address);
  url.username = encodeURIComponent(account.username);
  url.password = encodeURIComponent(account.password);
  return url.href;
}
