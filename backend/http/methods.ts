/** One endpoint: a method and a path in the router's form, `/vehicles/:id`. */
export interface PathRow {
  readonly method: string;
  readonly path: string;
}

/**
 * Finds the methods of a path. A path that a parameter matches as well as a fixed segment counts as the fixed one,
 * as in the router. GET brings HEAD (RFC 9110 section 9.3.2).
 */
export function methodTable(rows: readonly PathRow[]): (path: string) => readonly string[] {
  const fixed = new Map<string, Set<string>>();
  const patterns = new Map<string, { readonly expression: RegExp; readonly methods: Set<string> }>();
  for (const { method, path } of rows) {
    const methods = path.includes(':')
      ? (patterns.get(path)?.methods ?? new Set<string>())
      : (fixed.get(path) ?? new Set<string>());
    methods.add(method.toUpperCase());
    if (method.toUpperCase() === 'GET') methods.add('HEAD');
    if (path.includes(':')) patterns.set(path, { expression: expressionOf(path), methods });
    else fixed.set(path, methods);
  }
  return (path) => {
    const known = fixed.get(path);
    if (known !== undefined) return [...known];
    for (const { expression, methods } of patterns.values()) if (expression.test(path)) return [...methods];
    return [];
  };
}

/** `/vehicles/:id` → `^/vehicles/[^/]+$` */
function expressionOf(path: string): RegExp {
  const source = path
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('/');
  return new RegExp(`^${source}$`);
}
