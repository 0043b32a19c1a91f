import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Hono } from 'hono';
import { afterAll, describe, expect, test } from 'vitest';
import { makePageGuard } from '../../../../console/server/page-guard.ts';
import { guardPage, servePage } from '../../../../console/server/page-routes.ts';
import { readPageFile } from '../../../../deployment/console/page-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'boxtwin-page-'));
afterAll(() => rmSync(folder, { recursive: true }));
const SECRET = 'outside of the page';
const root = join(folder, 'page');
mkdirSync(join(root, 'assets'), { recursive: true });
mkdirSync(join(folder, 'page-of-another'));
writeFileSync(join(root, 'index.html'), 'the page');
writeFileSync(join(root, 'assets', 'index.js'), 'a script');
writeFileSync(join(root, 'state.json'), SECRET);
for (const name of ['outside.html', 'outside.js', 'page-of-another/index.html', 'page.html'])
  writeFileSync(join(folder, name), SECRET);

const app = new Hono();
const guard = makePageGuard('secret', 'loopback');
guardPage(app, guard);
servePage(app, guard, (path) => readPageFile(root, path));

/** Parts of paths that lead out of a folder where they are not taken for names. */
const part = fc.constantFrom(
  ...['..', '.', '', '/', '\\', '%2e%2e', '%2e', '..%2f', '%2f', '%5c', '%252e%252e', '..;', '%00', '%c0%ae'],
  ...[
    'assets',
    'page',
    'page-of-another',
    'outside.html',
    'outside.js',
    'index.html',
    'index.js',
    'page.html',
  ],
  ...['state.json', folder, 'file:', '~'],
);
const path = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join('/'));

describe('the files of the page', () => {
  test('are found in its folder', async () => {
    expect(await (await app.request('/')).text()).toBe('the page');
    const script = await app.request('/assets/index.js');
    expect(await script.text()).toBe('a script');
    expect(script.headers.get('cache-control')).toMatch(/immutable$/);
  });

  test('are all that is read, whatever path is asked for', async () => {
    await fc.assert(
      fc.asyncProperty(path, async (asked) => {
        const file = await readPageFile(root, asked);
        expect(new TextDecoder().decode(file?.bytes)).toMatch(/^(?:the page|a script)?$/);
        if (!URL.canParse(`http://127.0.0.1/${asked}`)) return;
        const answer = await app.request(`http://127.0.0.1/${asked}`);
        expect([200, 404]).toContain(answer.status);
        expect(await answer.text()).not.toContain(SECRET);
      }),
      { numRuns: 400 },
    );
  });

  test.each([
    '../outside.html',
    '../page-of-another/index.html',
    'assets/../../outside.js',
    '..\\outside.html',
    '../page.html',
    'state.json',
    'index.html\u0000.js',
    'assets',
  ])('are not %s', async (asked) => {
    expect(await readPageFile(root, asked)).toBeUndefined();
  });
});
