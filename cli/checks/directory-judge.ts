import type { StoreLook } from '../../backend/store/sqlite/look-into.ts';
import { failed, type Judgement, ok, warning } from './check.ts';

export interface DirectoryFacts {
  readonly path: string;
  readonly isThere: boolean;
  /** A file, or something else that is no folder, is at the path. */
  readonly isFile: boolean;
  /** `yes`; or the folder that takes no files of this user. */
  readonly writable: string;
  /** What is wrong with the file of its identity, and what to do; undefined: nothing, or there is none. */
  readonly identity: string | undefined;
  /** Undefined: there is none yet. A text: it cannot be read, and why. */
  readonly store: StoreLook | string | undefined;
}

const OTHER = 'Give another directory with --data.';

/** Whether `up` can use the data directory, or make it. */
export function judgeDirectory(facts: DirectoryFacts): Judgement {
  const { path, isThere, isFile, writable, identity, store } = facts;
  if (isFile) return failed(`${path} is no directory.`, OTHER);
  if (writable !== 'yes')
    return failed(`This user may not write into ${writable}.`, `Permit it (chmod u+rwx), or: ${OTHER}`);
  if (identity !== undefined) return failed(`${path} cannot be used.`, identity);
  if (!isThere) return ok(`${path} will be made.`);
  if (store === undefined) return ok(`${path} is there, without a fleet.`);
  if (typeof store === 'string')
    return failed(store, 'Mend the file or restore a copy, or use --fresh to start anew.');
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
