import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const checkout = join(import.meta.dirname, '..', '..');
const SENTENCE = `boxtwin needs Node 22.18 or later; this is Node 20.20.2 (${process.execPath}).`;
const ADVICE = 'In a checkout, "npm ci" brings a fitting Node along';

/** Runs this Node with these arguments as if it were an older one. */
function onOldNode(...args: readonly string[]) {
  const pretend =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
  return spawnSync(process.execPath, ['--import', `data:text/javascript,${pretend}`, ...args], {
    encoding: 'utf8',
  });
}

describe('a Node that is too old', () => {
  let installed: string;
  beforeAll(() => {
    installed = mkdtempSync(join(tmpdir(), 'boxtwin-node-'));
    mkdirSync(join(installed, 'bin'));
    cpSync(join(checkout, 'package.json'), join(installed, 'package.json'));
    cpSync(join(checkout, 'bin'), join(installed, 'bin'), { recursive: true });
  });
  afterAll(() => rmSync(installed, { recursive: true, force: true }));

  test('is refused by the command in a sentence, in a checkout with advice', () => {
    const { status, stderr } = onOldNode(join(checkout, 'bin/boxtwin.js'), '--version');
    expect(status).toBe(2);
    expect(stderr).toContain(`${SENTENCE}\n${ADVICE}`);
    expect(onOldNode(join(installed, 'bin/boxtwin.js'), '--version').stderr).toBe(`${SENTENCE}\n`);
  });

  test.each(['start', 'vitest', 'node-test', 'scenario'])(
    'is refused by library/%s.ts first of all',
    (name) => {
      const url = pathToFileURL(join(checkout, 'library', `${name}.ts`)).href;
      const { status, stderr } = onOldNode('--input-type=module', '-e', `import ${JSON.stringify(url)};`);
      expect(status).toBe(1);
      expect(stderr).toContain(`Error: ${SENTENCE}`);
    },
  );
});
