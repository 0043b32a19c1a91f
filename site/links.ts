import { posix } from 'node:path';

/** What is at a path from the root: a page of the site, something else of the project, or nothing. */
export type PathContent = 'page' | 'other' | 'nothing';

/** The page that the site begins with. */
export const HOME = 'README.md';

/**
 * Where a link of a page leads on the site. Pages lie there as they do in the project, so most links stay as they are;
 * what the site does not have, such as a story or a source, is in the repository. `page`: the path of the page from the
 * root. `repository`: the address of its files, without a slash at the end. A link that leads to nothing stays, so that the
 * build refuses it.
 */
export function siteLink(
  link: string,
  page: string,
  repository: string,
  contentAt: (path: string) => PathContent,
): string {
  if (/^([a-z][a-z+.-]*:|#|\/)/i.test(link)) return link;
  const [file = '', anchor] = link.split('#');
  const path = posix.join(posix.dirname(page), file);
  if (path === HOME) return anchor === undefined ? '/' : `/#${anchor}`;
  return contentAt(path) === 'other' ? `${repository}/${path.replace(/\/$/, '')}` : link;
}

/** The anchor of a heading, as GitHub makes it: lower case, without punctuation, hyphens for spaces. */
export function headingAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}
