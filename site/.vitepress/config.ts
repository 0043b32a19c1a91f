import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOME, headingAnchor, siteLink } from '../links.ts';
import { NAVIGATION, pagesOfRow, sidebarOf } from '../navigation.ts';

/** The part of markdown-it and its tokens that links pass through. */
interface Markdown {
  readonly core: { readonly ruler: { push(name: string, rule: (state: MarkdownState) => void): void } };
}
interface MarkdownState {
  readonly tokens: readonly Token[];
  readonly env: { readonly relativePath?: string };
}
interface Token {
  readonly type: string;
  readonly children: readonly Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

interface Resolver {
  resolve(id: string, importer: string, options: { readonly skipSelf: true }): Promise<unknown>;
}

const ROOT = join(import.meta.dirname, '../..');
const { description, repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly description: string;
  readonly repository: { readonly url: string };
};
const FILES = `${repository.url.replace(/^git\+/, '').replace(/\.git$/, '')}/blob/main`;

/** Pages that stand elsewhere on the site than in the project. */
const MOVED: Readonly<Record<string, string>> = {
  [HOME]: 'index.md',
  'site/decisions.md': 'docs/decisions/index.md',
};

const written = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT });
const shown = new Set(NAVIGATION.flatMap(({ pages }) => pages.flatMap((row) => pagesOfRow(row, written))));
const texts = new Map(
  written.filter((path) => shown.has(path)).map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]),
);

function contentAt(path: string): 'page' | 'other' | 'nothing' {
  const file = path.replace(/\/$/, '');
  if (texts.has(file) || existsSync(join(ROOT, file)) === false) return texts.has(file) ? 'page' : 'nothing';
  return file === 'docs/decisions' ? 'page' : 'other';
}

/** What the site does not have is linked to where it is. */
function linkOutside(markdown: Markdown): void {
  markdown.core.ruler.push('link-outside', ({ tokens, env }) => {
    const place = env.relativePath ?? '';
    const [page = place] = Object.entries(MOVED).find(([, moved]) => moved === place) ?? [];
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null;
      if (href !== null) token.attrSet('href', siteLink(href, page, FILES, contentAt));
    }
  });
}

/** Pages lie outside of the folder whose packages they are made of. */
const packagesOfSite = {
  name: 'packages-of-site',
  enforce: 'pre' as const,
  resolveId(this: Resolver, id: string, importer?: string) {
    if (!/^vue(\/|$)/.test(id) || importer?.includes('/node_modules/') !== false) return undefined;
    return this.resolve(id, join(ROOT, 'site/package.json'), { skipSelf: true });
  },
};

/** The site of docs/. What it is made of comes out of this checkout and the packages of site/; nothing is loaded later. */
export default {
  title: 'boxtwin',
  description,
  lang: 'en',
  // Below any address, and from a disk.
  base: './',
  srcDir: '..',
  // What is not in the navigation is no page; the folders of the project hold notes of their own.
  srcExclude: ['!(docs|site)/**/*.*', ...written.filter((path) => !shown.has(path))],
  outDir: './dist',
  cacheDir: './node_modules/.cache/vitepress',
  rewrites: MOVED,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  vite: { plugins: [packagesOfSite] },
  markdown: {
    config: linkOutside,
    // Links are those that GitHub makes, and its Markdown has no attributes in braces.
    anchor: { slugify: headingAnchor },
    attrs: { disable: true },
  },
  themeConfig: {
    sidebar: sidebarOf(NAVIGATION, texts),
    nav: [
      { text: 'Tutorials', link: '/docs/tutorials/first-failing-scenario' },
      { text: 'API', link: '/docs/api' },
      { text: 'Scenarios', link: '/docs/scenarios' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
    outline: [2, 3],
    search: { provider: 'local' },
  },
};
