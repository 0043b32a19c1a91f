import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { glossaryEntries, inspectGlossary } from './glossary.ts';
import { anchorsOf, inspectCommentPaths, inspectLinks, inspectPagePaths, inventoryOf } from './paths.ts';
import type { Finding } from './rules.ts';

/** What pages and comments name is there: files, folders, headings. And the glossary is one. */
const root = resolve(import.meta.dirname, '../..');
/** What is made and not written down: libraries, what is built, data. */
const MADE = /^(node_modules|dist|made|\.(?!ci$).*)$/;
const files = filesBelow('');
const there = inventoryOf(files);
const read = (path: string) => ({ path, text: readFileSync(join(root, path), 'utf8') });
const pages = files.filter((path) => /^(docs\/.*|[A-Z]+)\.md$/.test(path)).map(read);
const sources = files.filter((path) => /\.(ts|js|mjs)$/.test(path)).map(read);
const textOf = new Map(pages.map(({ path, text }) => [path, text]));

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (MADE.test(entry.name)) return [];
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

const said = (findings: readonly Finding[]) => findings.map((f) => `${f.path}:${f.line} ${f.rule}`);

describe('what pages and comments name is there', () => {
  test('pages and sources are looked at', () => {
    expect(pages.length).toBeGreaterThan(20);
    expect(sources.length).toBeGreaterThan(500);
  });

  test('every file and folder of a room that a page names', () => {
    expect(said(pages.flatMap((page) => inspectPagePaths(page, there)))).toEqual([]);
  });

  test('every file that a comment names', () => {
    expect(said(sources.flatMap((source) => inspectCommentPaths(source, there)))).toEqual([]);
  });

  test('every file and heading that a page links to', () => {
    expect(said(pages.flatMap((page) => inspectLinks(page, there, textOf)))).toEqual([]);
  });
});

describe('the glossary', () => {
  const glossary = textOf.get('docs/glossary.md') ?? '';

  test('has each word once, in alphabetical order, with what it means and where more is said', () => {
    expect(glossaryEntries(glossary).length).toBeGreaterThan(60);
    expect(inspectGlossary(glossary)).toEqual([]);
  });
});

describe('the rules themselves', () => {
  const some = inventoryOf(['backend/ingest/due-receipts.ts', 'docs/wire.md']);

  test('a path in a page is found where nothing is at it, and not within an address', () => {
    const text = 'See `backend/ingest/`,\nbackend/ingest/gone.ts and https://x/docs/gone.md, `test/` gone/.';
    expect(said(inspectPagePaths({ path: 'docs/a.md', text }, some))).toEqual([
      'docs/a.md:2 names backend/ingest/gone.ts, which does not exist',
      'docs/a.md:2 names test/, which does not exist',
    ]);
  });

  test('a name between backticks must be the end of some path', () => {
    const text =
      'In `due-receipts.ts`, `ingest/due-receipts.ts` and `gone.ts`.\n```ts\nimport `gone.ts`\n```\n';
    expect(said(inspectPagePaths({ path: 'docs/a.md', text }, some))).toEqual([
      'docs/a.md:1 names gone.ts, which does not exist',
    ]);
  });

  test('a comment may name what lies at the root or beside it; code and strings name what they like', () => {
    const text =
      "// due-receipts.ts, docs/wire.md, wire.md\nconst page = 'gone.md'; /* ingest/due-receipts.ts */";
    expect(said(inspectCommentPaths({ path: 'backend/ingest/ingest.ts', text }, some))).toEqual([
      'backend/ingest/ingest.ts:1 names wire.md, which does not exist',
      'backend/ingest/ingest.ts:2 names ingest/due-receipts.ts, which does not exist',
    ]);
  });

  test('a link to a heading that is not there is found', () => {
    const page = {
      path: 'docs/wire.md',
      text: '# The `wire`, drawn\n[a](#the-wire-drawn) [b](#gone) [c](x.md)',
    };
    expect([...anchorsOf(page.text)]).toEqual(['the-wire-drawn']);
    expect(said(inspectLinks(page, some, new Map([[page.path, page.text]])))).toEqual([
      'docs/wire.md:2 links to #gone: no such heading',
      'docs/wire.md:2 links to x.md: no such file',
    ]);
  });

  test('a glossary out of order, a word twice, and a word without meaning or link are found', () => {
    const text =
      '- **box**: One. [wire](wire.md)\n- **Box**: Two. [wire](wire.md)\n- **ack**: [wire](wire.md)\n- **zoo**: Three.';
    expect(inspectGlossary(text)).toEqual([
      'line 2: Box stands twice',
      'line 3: ack stands behind Box',
      'line 3: ack has no sentence',
      'line 4: zoo has no link',
    ]);
  });
});
