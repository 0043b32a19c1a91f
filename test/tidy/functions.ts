import { type ESTree, parseSync } from 'vite';
import type { SourceFile } from './rules.ts';

/** The most lines that a function may have, from its first to its last. */
export const FUNCTION_LINES = 100;

/** A function over the bound, as `backend/service.ts startService`. */
export interface LongFunction {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
}

/** Every function, method and arrow function of a file with more than `FUNCTION_LINES` lines; inner ones too. */
export function longFunctions({ path, text }: SourceFile): readonly LongFunction[] {
  if (text.split('\n').length <= FUNCTION_LINES) return [];
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const starts = [...text.matchAll(/^/gm)].map((match) => match.index);
  const lineAt = (index: number) => starts.findLastIndex((start) => start <= index) + 1;
  const found: LongFunction[] = [];
  visit(program, '(anonymous)');
  return found;

  /** `name`: of what the node is assigned to. */
  function visit(node: unknown, name: string): void {
    if (Array.isArray(node)) {
      for (const one of node) visit(one, name);
      return;
    }
    if (!isNode(node) || node.end - node.start < FUNCTION_LINES) return;
    const line = lineAt(node.start);
    const lines = lineAt(node.end) - line + 1;
    if (lines <= FUNCTION_LINES) return;
    const own = nameOf(node.id) ?? name;
    if (FUNCTIONS.has(node.type)) found.push({ name: `${path} ${own}`, line, lines });
    const inner = nameOf(node.id) ?? nameOf(node.key) ?? name;
    for (const [key, value] of Object.entries(node)) if (key !== 'parent') visit(value, inner);
  }
}

const FUNCTIONS: ReadonlySet<string> = new Set<ESTree.Node['type']>([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]);

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly id?: unknown;
  readonly key?: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function nameOf(value: unknown): string | undefined {
  return isNode(value) && 'name' in value && typeof value.name === 'string' ? value.name : undefined;
}
