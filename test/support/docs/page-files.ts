import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * A file as it stands on a page, in the block below `<!-- file: name -->`. `page`: its path from the root. Throws where
 * the page has no such file.
 */
export function fileOnPage(page: string, name: string): string {
  const text = readFileSync(`${ROOT}${page}`, 'utf8')
    .split(`<!-- file: ${name} -->\n\`\`\`\n`)[1]
    ?.split('\n```')[0];
  if (text === undefined) throw new Error(`${page} has no file ${name}.`);
  return `${text}\n`;
}
