import { stat } from 'node:fs/promises';
import type { Files } from './files.ts';

/** Files by device and inode (POSIX stat): a file that was deleted and created again is a different one. */
export function realFiles(): Files {
  return {
    async identity(path) {
      try {
        const { dev, ino } = await stat(path, { bigint: true });
        return `${dev}:${ino}`;
      } catch (error) {
        if (
          error instanceof Error &&
          'code' in error &&
          (error.code === 'ENOENT' || error.code === 'ENOTDIR')
        )
          return undefined;
        throw error;
      }
    },
  };
}
