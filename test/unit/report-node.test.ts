import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const SCRIPT = join(import.meta.dirname, '../../.ci/report-node.mjs');

const run = (script: string) => execFileSync(process.execPath, [script], { encoding: 'utf8' });

test('an installation reports the Node of node_modules', () => {
  expect(run(SCRIPT)).toContain('of node_modules');
});

test('an installation without development dependencies, which has no such Node, reports nothing and goes on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-report-node-'));
  try {
    mkdirSync(join(folder, '.ci'));
    const copy = join(folder, '.ci/report-node.mjs');
    copyFileSync(SCRIPT, copy);
    expect(run(copy)).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the package has no script that npm counts as an install script of a dependency', () => {
  const ofInstallation = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare'];
  expect(Object.keys(manifest.scripts).filter((name) => ofInstallation.includes(name))).toEqual([]);
});
