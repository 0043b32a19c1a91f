import { posix } from 'node:path';
import { type Finding, importsOf, type SourceFile } from './rules.ts';

/** So many files may import each other in a circle: they have one job together, and are read together. */
export const CIRCLE_FILES = 6;

/**
 * Each set of more than `CIRCLE_FILES` files of which every one reaches every other by imports, those of types
 * included: one finding a set, at its first file by name, with all of its files. An import of a file that is not
 * among `files` is passed over.
 */
export function inspectCircles(files: readonly SourceFile[]): readonly Finding[] {
  const paths = new Set(files.map(({ path }) => path));
  const imports = new Map(files.map((file) => [file.path, reachedBy(file, paths)]));
  return circlesOf(imports)
    .filter((circle) => circle.length > CIRCLE_FILES)
    .map((circle) => {
      const [path = '', ...others] = [...circle].sort();
      const line = imports.get(path)?.find((one) => circle.includes(one.path))?.line ?? 1;
      const rule = `imports in a circle of ${circle.length} files, more than ${CIRCLE_FILES}: with ${others.join(', ')}`;
      return { path, line, rule, isWarning: false };
    });
}

interface ReachedFile {
  readonly path: string;
  readonly line: number;
}

function reachedBy(file: SourceFile, paths: ReadonlySet<string>): readonly ReachedFile[] {
  return importsOf(file)
    .filter(({ target }) => target.startsWith('.'))
    .map(({ target, line }) => ({ path: posix.join(posix.dirname(file.path), target), line }))
    .filter(({ path }) => paths.has(path));
}

/** The strongly connected components of more than one file (R. Tarjan, SIAM J. Comput. 1 (1972), 146-160). */
function circlesOf(imports: ReadonlyMap<string, readonly ReachedFile[]>): readonly (readonly string[])[] {
  const circles: string[][] = [];
  const order = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();

  /** Visits all that `path` reaches; the lowest order of a file on the stack that is reached from there. */
  function visit(path: string): number {
    const own = order.size;
    order.set(path, own);
    stack.push(path);
    onStack.add(path);
    let lowest = own;
    for (const { path: next } of imports.get(path) ?? []) {
      const seen = order.get(next);
      if (seen === undefined) lowest = Math.min(lowest, visit(next));
      else if (onStack.has(next)) lowest = Math.min(lowest, seen);
    }
    if (lowest === own) {
      const circle = stack.splice(stack.indexOf(path));
      for (const one of circle) onStack.delete(one);
      if (circle.length > 1) circles.push(circle);
    }
    return lowest;
  }

  for (const path of imports.keys()) if (!order.has(path)) visit(path);
  return circles;
}
