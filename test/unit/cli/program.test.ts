import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { makeProgram } from '../../../cli/program.ts';

/** The standard error of command lines that are refused. */
async function errorsOf(...words: readonly string[]): Promise<string> {
  const program = await makeProgram(undefined);
  const written: string[] = [];
  const quiet = (command: Command): void => {
    command.exitOverride().configureOutput({ writeErr: (text) => written.push(text) });
    for (const one of command.commands) quiet(one);
  };
  quiet(program);
  await program.parseAsync(['node', 'boxtwin', ...words]).catch(() => undefined);
  return written.join('');
}

describe('a misspelt option', () => {
  test.each([
    ['that the short help shows', '--vehicls', '--vehicles'],
    ['that only --help-all shows', '--mqtt-prt', '--mqtt-port'],
  ])('%s is recognized', async (_, given, meant) => {
    expect(await errorsOf('up', given, '3')).toContain(`Did you mean ${meant}?`);
  });
});
