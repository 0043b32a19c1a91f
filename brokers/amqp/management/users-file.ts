import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { errorText } from '../../../world/error-text.ts';
import { limits } from '../../limits.ts';
import { compilePermissions } from './permissions.ts';
import { isUserName, NAME_RULE, UserTable } from './users.ts';

/** The file of users is invalid. The message says where, why and what to do. */
export class UsersFileUnusable extends Error {
  override readonly name = 'UsersFileUnusable';
}

const FORMAT = 'boxtwin AMQP users';
const VERSION = 1;
const REMEDY =
  'Repair it, restore a backup, or move it away: then clients have to subscribe again. Nothing was overwritten.';

const HEAD = z.strictObject({
  file: z.literal(FORMAT),
  version: z.number().int().min(1),
  users: z.number().int().min(0),
});
const PATTERN = z.string();
const ROW = z.strictObject({
  name: z.string().refine(isUserName, `must be ${NAME_RULE}`),
  secret_hash: z.string().min(1).max(limits.users.hashCharacters),
  permissions: z.strictObject({ configure: PATTERN, write: PATTERN, read: PATTERN }).nullable(),
});

/**
 * The users of the file at `path`; none if there is no file. Rejects with `UsersFileUnusable` if it cannot be read,
 * is damaged, incomplete, too large, or was written by a newer version.
 */
export async function readUsers(path: string): Promise<UserTable> {
  let bytes: Buffer;
  try {
    const { size } = await stat(path);
    if (size > limits.users.fileBytes) throw new Error(`it has more than ${limits.users.fileBytes} bytes`);
    bytes = await readFile(path);
  } catch (error) {
    if (isError(error, 'ENOENT')) return new UserTable();
    throw unusable(path, errorText(error));
  }
  const text = decoded(bytes);
  const table = text === undefined ? 'it is not UTF-8' : parseUsers(text);
  if (typeof table === 'string') throw unusable(path, table);
  return table;
}

function unusable(path: string, reason: string): UsersFileUnusable {
  return new UsersFileUnusable(`The AMQP broker's users in ${path} cannot be used: ${reason}. ${REMEDY}`);
}

/** Undefined if it is not UTF-8. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The table of a file's text, or the line and the reason why it is invalid. Total. */
export function parseUsers(text: string): UserTable | string {
  const [first = '', ...rows] = text.split('\n');
  const head = parsed(HEAD, first);
  if (typeof head === 'string') return `line 1 is no head of this file: ${head}`;
  if (head.version > VERSION) return `line 1: version ${head.version} is of a newer boxtwin`;
  if (rows.pop() !== '') return `line ${rows.length + 2} has no end, so that something is missing`;
  if (rows.length !== head.users) return `line 1 says ${head.users} users, and ${rows.length} follow`;
  const table = new UserTable();
  for (const [index, line] of rows.entries()) {
    const reason = addRow(table, line);
    if (reason !== undefined) return `line ${index + 2}: ${reason}`;
  }
  return table;
}

/** Why the line is invalid; undefined: its user is in the table. */
function addRow(table: UserTable, line: string): string | undefined {
  const row = parsed(ROW, line);
  if (typeof row === 'string') return row;
  const { name, secret_hash: secretHash, permissions } = row;
  const isFirst = table.get(name) === undefined;
  if (!isFirst) return `${name} appears twice`;
  if (table.apply({ kind: 'put-user', name, secretHash }) === 'full')
    return `there are more than ${limits.users.users} users`;
  if (permissions === null) return undefined;
  const compiled = compilePermissions(permissions);
  if (!compiled.ok) return `permissions.${compiled.operation} ${compiled.reason}`;
  return table.apply({ kind: 'put-permissions', name, permissions }) === 'full'
    ? 'the permissions are too long'
    : undefined;
}

/** Without values: they hold hashes. */
function parsed<Shape>(shape: z.ZodType<Shape>, line: string): Shape | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'it is not JSON';
  }
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return [...(issue?.path ?? []), issue?.message ?? 'is invalid'].join(' ');
}

/**
 * Writes all users into another file and renames that, so that the file is always complete. Only its owner may read it.
 * Resolves once it would survive a power cut; rejects with the system's error.
 */
export async function writeUsers(path: string, table: UserTable): Promise<void> {
  const folder = dirname(path);
  const beside = `${path}.new`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // A crash may have left one, with any mode.
  await rm(beside, { force: true });
  const file = await open(beside, 'wx', 0o600);
  try {
    const head = JSON.stringify({ file: FORMAT, version: VERSION, users: table.size });
    await file.writeFile(`${[head, ...table.lines()].join('\n')}\n`, 'utf8');
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, path);
  await syncEntries(folder);
}

/** Makes the names in a folder survive a power cut. Windows opens no folders, and keeps their names without that. */
async function syncEntries(folder: string): Promise<void> {
  const entries = await open(folder, 'r').catch((error: unknown) => {
    if (isError(error, 'EPERM') || isError(error, 'EISDIR')) return undefined;
    throw error;
  });
  if (entries === undefined) return;
  try {
    await entries.sync();
  } finally {
    await entries.close();
  }
}

function isError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
