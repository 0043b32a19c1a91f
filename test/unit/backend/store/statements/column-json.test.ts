import { expect, test } from 'vitest';
import { columnJson } from '../../../../../backend/store/statements/column-json.ts';

test.each([
  ['what JSON has anyway', { a: [1, null, true, 'ü 😀 "\\\n'] }, { a: [1, null, true, 'ü 😀 "\\\n'] }],
  ['U+0000', { a: 'x\0y\0' }, { a: 'x\ufffdy\ufffd' }],
  ['a first half of a surrogate pair', ['\ud83d', 'x\ud83dy'], ['\ufffd', 'x\ufffdy']],
  ['a second half of a surrogate pair', ['\ude00'], ['\ufffd']],
])('%s is written so that PostgreSQL can read into it', (_what, value, read) => {
  expect(JSON.parse(columnJson(value))).toEqual(read);
});
