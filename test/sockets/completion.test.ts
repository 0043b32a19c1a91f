import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { PROGRAM } from '../support/run/product.ts';
import { runCommand } from '../support/sockets/up-process.ts';

/** What the scripts of all shells ask at a press of the tab key; the last line is for them. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const { code, output } = await runCommand(['complete', '--', ...words]);
  expect(code).toBe(0);
  const lines = output.trimEnd().split('\n');
  return lines.slice(0, -1).map((line) => line.split('\t')[0] ?? '');
}

describe('the completion of the command line', () => {
  const place = mkdtempSync(join(tmpdir(), 'boxtwin-completion-'));
  afterAll(() => rmSync(place, { recursive: true }));

  test('offers every command that the help lists, and those below one', async () => {
    const { output: help } = await runCommand(['--help']);
    const [commands = ''] = help.split('Examples:');
    const listed = [...commands.matchAll(/^ {2}([a-z][a-z-]+) /gm)].map(([, name = '']) => name);
    expect(listed.length).toBeGreaterThan(10);
    expect(new Set(await offered(''))).toEqual(new Set(listed));
    expect(await offered('scenario', '')).toEqual(expect.arrayContaining(['run', 'explore', 'schema']));
  });

  test('offers options by their beginning, and the words that an option takes', async () => {
    expect((await offered('up', '--mqtt')).toSorted()).toEqual(['--mqtt', '--mqtt-ca', '--mqtt-port']);
    expect(await offered('up', '--weather', '')).toEqual(['none', 'calm', 'city', 'rural', 'storm']);
    expect(await offered('config', 'fl')).toEqual(['fleet']);
  });

  test('offers shipped stories, and problems', async () => {
    expect(await offered('scenario', 'run', 'tun')).toEqual(['tunnel']);
    expect(await offered('scenario', 'new', 'mine.yaml', '--from', 'tun')).toEqual(['tunnel']);
    expect(await offered('provoke', 'no-conn')).toEqual(['no-connection']);
  });

  test('works in a real bash', async () => {
    const { output: script } = await runCommand(['completion', 'bash']);
    const file = join(place, 'boxtwin');
    writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`, { mode: 0o755 });
    // The last function of bash-completion that the script calls, for a shell without that package.
    const words = `_get_comp_words_by_ref() { cur=\${COMP_WORDS[COMP_CWORD]}; words=("\${COMP_WORDS[@]}"); }`;
    const typed = `COMP_WORDS=(boxtwin scenario run tun); COMP_CWORD=3; __boxtwin_complete; echo "\${COMPREPLY[@]}"`;
    const env = { ...process.env, PATH: `${place}:${process.env['PATH']}` };
    const printed = execFileSync('bash', ['-c', `${script}\n${words}\n${typed}`], { env, encoding: 'utf8' });
    expect(printed.trim()).toBe('tunnel');
  });

  test.each(['bash', 'zsh', 'fish', 'powershell'])('prints a script for %s', async (shell) => {
    const { code, output } = await runCommand(['completion', shell]);
    expect(code).toBe(0);
    expect(output).toMatch(/boxtwin.*complet/i);
    if (shell !== 'bash') return;
    const file = join(place, 'boxtwin.bash');
    writeFileSync(file, output);
    execFileSync('bash', ['-n', file]);
  });

  test('refuses another shell, and names those that there are', async () => {
    const { code, errors } = await runCommand(['completion', 'tcsh']);
    expect(code).toBe(2);
    expect(errors).toContain('bash');
  });
});
