import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { lookIntoStore, type StoreLook } from '../../backend/store/sqlite/look-into.ts';
import { errorText } from '../../world/error-text.ts';
import { findIdentity, STORE_FILE } from '../directory/data-directory.ts';
import type { DirectoryFacts } from './directory-judge.ts';

/** The folder at that path, or its nearest existing parent. */
export function nearestFolder(path: string): string {
  const whole = resolve(path);
  const isFolder = statSync(whole, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder || dirname(whole) === whole ? whole : nearestFolder(dirname(whole));
}

/** What exists, and what has to be created. Writes nothing. */
export function directoryFacts(data: string): DirectoryFacts {
  const path = resolve(data);
  const nearest = nearestFolder(path);
  const storePath = join(path, STORE_FILE);
  return {
    path,
    isThere: nearest === path,
    isFile: existsSync(path) && nearest !== path,
    writable: isWritable(nearest) ? 'yes' : nearest,
    identity: faultOf(() => findIdentity(path)),
    store: existsSync(storePath) ? lookOf(storePath) : undefined,
  };
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function lookOf(path: string): StoreLook | string {
  try {
    return lookIntoStore(path);
  } catch (error) {
    return errorText(error);
  }
}

function faultOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}
