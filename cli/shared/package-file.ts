import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What package.json says of this program. */
export interface PackageFile {
  /** The folder that it stands in. */
  readonly root: string;
  readonly version: string;
  /** The oldest Node that works: `22.18.0`. */
  readonly oldestNode: string;
  /** The Node that it is tested with. */
  readonly testedNode: string;
}

/** What it does not say is `unknown`. */
export function readPackageFile(): PackageFile {
  // From cli/shared/ in a checkout and from dist/cli/shared/ in the package.
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
