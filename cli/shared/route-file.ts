import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { limits } from '../../simulator/routes/limits.ts';
import type { Route } from '../../simulator/routes/route.ts';
import { CommandError } from './command-error.ts';

/**
 * The route in a GPX or GeoJSON file, called as the file is. Rejects with a `CommandError` that names the file, the
 * place in it and the reason where it cannot be driven along.
 */
export async function readRouteFile(path: string): Promise<Route> {
  const bytes = await bytesOfFile(path, 'The route');
  // With the reader of XML, which no other start needs.
  const { routeInFile } = await import('../../simulator/routes/file.ts');
  const read = routeInFile(basename(path), bytes);
  if (read.fault === undefined) return read.route;
  const { place, reason } = read.fault;
  throw new CommandError(`The route ${path}${place === '' ? '' : `, ${place},`} ${reason}`);
}

/**
 * What is in a file of a user, which `what` names in errors: `The route`. Rejects with a `CommandError` where it cannot
 * be read, or is larger than a file of a way is.
 */
export async function bytesOfFile(path: string, what: string): Promise<Uint8Array> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new CommandError(`${what} ${path} is not a file.`);
    if (found.size > limits.fileBytes)
      throw new CommandError(
        `${what} ${path} has ${found.size} bytes; at most ${limits.fileBytes} are read.`,
      );
    return await readFile(path);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason =
      REASONS[code] ?? `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    throw new CommandError(`${what} ${path} ${reason}.`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'may not be read by you',
  EISDIR: 'is no file',
};
