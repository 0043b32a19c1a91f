import type { StoreLook } from '../../backend/store/sqlite/look-into.ts';
import { failed, type Judgement, ok, warning } from './check.ts';

export interface DirectoryFacts {
  readonly path: string;
  readonly isThere: boolean;
  /** A file, or something else that is not a folder, is at the path. */
  readonly isFile: boolean;
  /** `yes`; or the folder in which this user cannot create files. */
  readonly writable: string;
  /** What is wrong with its identity file, and the remedy; undefined: nothing, or there is none. */
  readonly identity: string | undefined;
  /** Undefined: there is none yet. A text: why it cannot be read. */
  readonly store: StoreLook | string | undefined;
}

const OTHER = 'Give another directory with --data.';

/** Whether `up` can use or create the data directory. */
export function judgeDirectory(facts: DirectoryFacts): Judgement {
  const { path, isThere, isFile, writable, identity, store } = facts;
  if (isFile) return failed(`${path} is no directory.`, OTHER);
  if (writable !== 'yes')
    return failed(`This user may not write into ${writable}.`, `Permit it (chmod u+rwx), or: ${OTHER}`);
  if (identity !== undefined) return failed(`${path} cannot be used.`, identity);
  if (!isThere) return ok(`${path} will be made.`);
  if (store === undefined) return ok(`${path} is there, without a fleet.`);
  if (typeof store === 'string')
    return failed(store, 'Repair the file or restore a copy, or start over with --fresh.');
  const { version, knownVersion, isInUse } = store;
  if (version > knownVersion) {
    return failed(
      `The store in ${path} has schema version ${version}; this boxtwin supports versions up to ${knownVersion}.`,
      `Use the version that wrote it. ${OTHER}`,
    );
  }
  if (isInUse)
    return warning(
      `${path} is in use by another process.`,
      `Before you start another "boxtwin up" on it, end that one. ${OTHER}`,
    );
  const raised = version < knownVersion ? `, which the next start raises to ${knownVersion}` : '';
  return ok(`${path} is there; its store has schema version ${version}${raised}.`);
}
