import type { Files } from '../../../world/files/files.ts';

/** Files without content, for tests and virtual worlds. */
export interface VirtualFiles extends Files {
  /** Creates or replaces the file at the path. */
  make(path: string): void;
  /** Does nothing if there is no file. */
  remove(path: string): void;
  /** Moves a file, replacing the one at `to`, if any. */
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
