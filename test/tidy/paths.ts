import { posix } from 'node:path';
import { headingAnchor } from '../../site/links.ts';
import { COMMENT_OR_STRING, isComment } from './blank.ts';
import type { Finding, SourceFile } from './rules.ts';

/** What there is in the project: files and folders from its root, folders with a slash at the end. */
export type Inventory = ReadonlySet<string>;

/** The inventory of these files (paths from the root) and of every folder that holds one of them. */
export function inventoryOf(files: readonly string[]): Inventory {
  const all = new Set(files);
  for (const file of files) {
    for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder))
      all.add(`${folder}/`);
  }
  return all;
}

/** Pages name these as an example; they are not there on purpose. */
const EXAMPLES: ReadonlySet<string> = new Set([
  // docs/vehicle-models.md has the reader make it.
  'protocol/models/small-pickup.ts',
]);

/**
 * A file or folder of a room, as `backend/ingest/` or `backend/ingest/due-receipts.ts`; not a part of a longer path.
 */
const IN_A_ROOM =
  /(?<![\w/.:@-])(?:world|protocol|simulator|backend|brokers|scenarios|deployment|cli|test|bench|docs)\/(?:[\w-][\w.-]*\/)*(?:[\w-][\w.-]*\.(?:ts|js|md|json|ya?ml|mahi)\b|(?<=\/)(?![\w.*<{[-]))/g;

/** A file by the end of its path alone, between backticks: `rules.ts`. */
const BY_ITS_NAME = /(?<=`)[\w-]+(?:\/[\w-]+)*\.ts(?=`)/g;

/** Every path of a page that leads to nothing, and every name that no file has. */
export function inspectPagePaths({ path, text }: SourceFile, there: Inventory): readonly Finding[] {
  const prose = withoutCode(text);
  const paths = [...text.matchAll(IN_A_ROOM)].filter(([named]) => !there.has(named));
  const names = [...prose.matchAll(BY_ITS_NAME)].filter(
    ([named]) => named.match(IN_A_ROOM) === null && !isEndOfAny(named, there),
  );
  return [...paths, ...names]
    .filter(([named]) => !EXAMPLES.has(named))
    .map((match) => findingAt(path, text, match.index, `names ${match[0]}, which does not exist`));
}

function isEndOfAny(named: string, there: Inventory): boolean {
  return there.has(named) || [...there].some((path) => path.endsWith(`/${named}`));
}

/** A file that a comment names: a page, or TypeScript, with the folders before it. */
const IN_A_COMMENT = /(?<![\w/.*<>@-])(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.(?:ts|md)\b/g;

/**
 * Every file that a comment names and a reader does not find. He looks from the project's root (`docs/wire.md`) and
 * beside the file in which the comment stands (`blank.ts`).
 */
export function inspectCommentPaths({ path, text }: SourceFile, there: Inventory): readonly Finding[] {
  const findings: Finding[] = [];
  for (const token of text.matchAll(COMMENT_OR_STRING)) {
    if (!isComment(token[0])) continue;
    for (const named of [...token[0].matchAll(IN_A_COMMENT), ...token[0].matchAll(IN_A_ROOM)]) {
      const beside = posix.normalize(posix.join(posix.dirname(path), named[0]));
      if (there.has(named[0]) || there.has(beside) || EXAMPLES.has(named[0])) continue;
      const index = token.index + named.index;
      findings.push(findingAt(path, text, index, `names ${named[0]}, which does not exist`));
    }
  }
  return findings;
}

const LINK = /(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g;

/** Every link of a page to a file or a heading that does not exist. `pages`: the text of each page by its path. */
export function inspectLinks(
  { path, text }: SourceFile,
  there: Inventory,
  pages: ReadonlyMap<string, string>,
): readonly Finding[] {
  const findings: Finding[] = [];
  const prose = withoutCode(text);
  for (const match of prose.matchAll(LINK)) {
    const [, target = ''] = match;
    if (/^[a-z]+:/.test(target)) continue;
    const [file = '', anchor] = target.split('#');
    const reached = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), file));
    const rule = judgeLink(reached, anchor, there, pages);
    if (rule !== undefined) findings.push(findingAt(path, prose, match.index, `links to ${target}: ${rule}`));
  }
  return findings;
}

function judgeLink(
  reached: string,
  anchor: string | undefined,
  there: Inventory,
  pages: ReadonlyMap<string, string>,
): string | undefined {
  if (!there.has(reached) && !there.has(`${reached.replace(/\/$/, '')}/`)) return 'no such file';
  if (anchor === undefined) return undefined;
  const page = pages.get(reached);
  if (page === undefined) return 'only a page has headings';
  return anchorsOf(page).has(anchor) ? undefined : 'no such heading';
}

/** The anchors of a page's headings, as GitHub makes them; of headings alike all but the first are numbered. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutCode(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = headingAnchor(heading);
    let anchor = slug;
    for (let again = 1; anchors.has(anchor); again += 1) anchor = `${slug}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Fenced code blanked out, line breaks kept: a `#` in it is no heading. */
function withoutCode(page: string): string {
  return page.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ' '));
}

function findingAt(path: string, text: string, index: number, rule: string): Finding {
  return { path, line: text.slice(0, index).split('\n').length, rule, isWarning: false };
}
