import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { examples } from '../../../../cli/commands/examples.ts';

const STORIES = join('scenarios', 'stories');

describe('examples', () => {
  let folder: string;
  let said = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'boxtwin-examples-'));
    said = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  test('writes every story and every example where README and docs name them', () => {
    examples(folder, { json: false });
    expect(readdirSync(join(folder, STORIES))).toEqual(readdirSync(STORIES));
    expect(readdirSync(join(folder, 'scenarios', 'drives'))).toEqual(['commute.csv', 'commute.yaml']);
    for (const file of [
      'car-sharing/main.ts',
      'python/consumer.py',
      'java/Consumer.java',
      'dashboard/index.html',
    ])
      expect(readFileSync(join(folder, 'examples', file))).toEqual(readFileSync(join('examples', file)));
    expect(said).toContain(`npx boxtwin scenario run ${join(folder, STORIES, 'tunnel.yaml')}`);
  });

  test('leaves what is there as it is, and says so', () => {
    examples(folder, { json: false });
    const mine = join(folder, STORIES, 'tunnel.yaml');
    writeFileSync(mine, 'mine');
    rmSync(join(folder, STORIES, 'border.yaml'));
    said = '';
    examples(folder, { json: true });
    const { written, kept } = JSON.parse(said) as { readonly written: string[]; readonly kept: string[] };
    expect(written).toEqual([join(folder, STORIES, 'border.yaml')]);
    expect(kept).toContain(mine);
    expect(readFileSync(mine, 'utf8')).toBe('mine');
  });

  test('says where it cannot write', () => {
    writeFileSync(join(folder, 'scenarios'), 'a file');
    expect(() => examples(folder, { json: false })).toThrow(/cannot be written to/);
    // Where Node's recursive mkdir never returns.
    if (process.platform === 'linux')
      expect(() => examples('/proc/nope', { json: false })).toThrow(/cannot be written to/);
  });
});
