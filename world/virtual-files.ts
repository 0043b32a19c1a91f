import type { Files } from './files.ts';

/** Files that are nothing but names, for tests and virtual worlds. */
export interface VirtualFiles extends Files {
  /** Makes the file at the path, or another one in its place. */
  make(path: string): void;
  /** A file that is not there stays away. */
  remove(path: string): void;
  /** Moves a file, over another one where there is one. */
  move(from: string, to: string): void;
}

export function virtualFiles(): VirtualFiles {
  const files = new Map<string, number>();
  let made = 0;
  return {
    identity: async (path) => files.get(path)?.toString(),
    make(path) {
      made += 1;
      files.set(path, made);
    },
    remove: (path) => void files.delete(path),
    move(from, to) {
      const file = files.get(from);
      if (file === undefined) return;
      files.delete(from);
      files.set(to, file);
    },
  };
}
