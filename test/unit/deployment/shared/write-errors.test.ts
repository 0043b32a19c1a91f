import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeErrorText } from '../../../../deployment/shared/user-errors.ts';

test.each([
  [join(tmpdir(), 'nope'), 'nothing can be made in that folder'],
  [join(tmpdir(), 'no-such-folder', 'nope'), 'its folder does not exist'],
])('of %s the reason is that %s', (path, text) => {
  const error = Object.assign(new Error('ENOENT: no such file or directory'), { code: 'ENOENT', path });
  expect(writeErrorText(error)).toBe(text);
});
