import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NAVIGATION, pagesOfRow, sidebarOf, titleOf } from '../../../site/navigation.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGES = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).toSorted();
const ROWS = NAVIGATION.flatMap(({ pages }) => pages);

describe('the navigation of the site', () => {
  test('has each page of the project once', () => {
    const shown = ROWS.flatMap((row) => pagesOfRow(row, PAGES));
    expect(shown.toSorted()).toEqual(PAGES);
  });

  test('has a title for each page, which is its first heading', () => {
    const without = PAGES.filter((path) => titleOf(readFileSync(join(ROOT, path), 'utf8')) === undefined);
    expect(without).toEqual([]);
  });

  test('leaves out rows whose page is not there, and groups without any', () => {
    const groups = [
      { text: 'One', pages: ['README.md', 'docs/gone.md', 'docs/a.md'] },
      { text: 'Two', pages: ['docs/gone-too.md'] },
      { text: 'Three', pages: ['docs/decisions/'], isFolded: true as const },
    ];
    const texts = new Map([
      ['docs/decisions/0002-b.md', '# 0002 B'],
      ['docs/decisions/0001-a.md', '# 0001 `A`'],
      ['docs/a.md', 'no heading'],
      ['README.md', 'text\n\n# Home\n'],
    ]);
    expect(sidebarOf(groups, texts)).toEqual([
      {
        text: 'One',
        items: [
          { text: 'Home', link: '/' },
          { text: 'docs/a.md', link: '/docs/a' },
        ],
      },
      {
        text: 'Three',
        collapsed: true,
        items: [
          { text: '0001 A', link: '/docs/decisions/0001-a' },
          { text: '0002 B', link: '/docs/decisions/0002-b' },
        ],
      },
    ]);
  });
});
