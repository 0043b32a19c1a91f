import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWord } from '../../../world/shell-word.ts';

test('a shell reads each text as the one word that it is', () => {
  const texts = ["it's", 'a b', '$HOME', '`x`', '"', '\\', 'amqp://a:b%2F@h/v', 'ü', ''];
  const printed = execFileSync('sh', ['-c', `printf '%s\\n' ${texts.map(shellWord).join(' ')}`], {
    encoding: 'utf8',
  });
  expect(printed).toBe(`${texts.join('\n')}\n`);
});
