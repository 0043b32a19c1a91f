import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The data of package.json about this program. */
export interface PackageFile {
  /** The folder that contains it. */
  readonly root: string;
  readonly version: string;
  /** The oldest supported Node: `22.18.0`. */
  readonly oldestNode: string;
  /** The Node of the tests. */
  readonly testedNode: string;
}

/** A missing value is `unknown`. */
export function readPackageFile(): PackageFile {
  // From deployment/shared/ in a checkout and from dist/deployment/shared/ in the package.
  for (const place of ['../../', '../../../']) {
    const root = new URL(place, import.meta.url);
    try {
      const content: unknown = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
      const version = textAt(content, 'version');
      if (version === undefined) continue;
      return {
        root: fileURLToPath(root),
        version,
        oldestNode: textAt(content, 'engines', 'node')?.replace(/^>=\s*/, '') ?? 'unknown',
        testedNode: textAt(content, 'devDependencies', 'node') ?? 'unknown',
      };
    } catch {
      // The other place has it.
    }
  }
  return { root: '', version: 'unknown', oldestNode: 'unknown', testedNode: 'unknown' };
}

function textAt(content: unknown, ...path: readonly string[]): string | undefined {
  let at: unknown = content;
  for (const name of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined;
  return typeof at === 'string' ? at : undefined;
}
