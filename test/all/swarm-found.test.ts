import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { plantedBugs } from '../../qa/planted/bug.ts';
import { COMMAND, copyWith, find, json } from '../../qa/planted/find.ts';

const ROOT = join(import.meta.dirname, '../..');
const bugNamed = (name: string) =>
  plantedBugs(join(ROOT, 'qa/planted'), ['first']).find((one) => one.name.includes(name));

test('what the swarm finds is written as small as it becomes, with the vehicle that was drawn', async () => {
  const copy = copyWith(bugNamed('47-flow-id-header-is-message-id'), ROOT);
  try {
    const args = ['swarm', '--runs', '3', '--seed', '1', '--jobs', '2', '--json', '--out', copy.foundFile];
    const { found } = await json(copy.folder, [COMMAND, ...args]);
    expect(found).toMatchObject({ checker: 'flows-agree', is_smallest: true });
    const written = parse(readFileSync(copy.foundFile, 'utf8')) as {
      readonly fleet: readonly Readonly<Record<string, unknown>>[];
    };
    expect(written.fleet[0]).toMatchObject({ model: expect.any(String), firmware: expect.any(String) });
  } finally {
    copy.remove();
  }
});

test('a planted bug that a story meets is found by exploring the stories in one process', async () => {
  const copy = copyWith(bugNamed('30-timestamp-after-receipt'), ROOT);
  try {
    const settings = { root: ROOT, runs: 1, draws: 1, seed: 1, cpuS: 60, isShrunk: false };
    expect(await find('explore', copy, settings)).toMatchObject({
      found: true,
      where: 'clock-jump.yaml',
      reason: 'messages-hold',
    });
  } finally {
    copy.remove();
  }
});
