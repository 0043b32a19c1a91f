import { expect, test } from 'vitest';
import { openDataDirectory } from '../../../../deployment/directory/data-directory.ts';

const create = () => Promise.reject(new Error('nothing is to be created'));

test.each(['/proc/boxtwin-cannot-be-made/deeper', `${import.meta.filename}/below-a-file`])(
  'a data directory that cannot be made (%s) is refused at once, with what to do',
  async (path) => {
    await expect(openDataDirectory({ path, isFresh: false, seed: undefined, create })).rejects.toThrow(
      /cannot be used: .*Give another one with --data\./,
    );
  },
);
