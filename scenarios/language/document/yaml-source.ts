import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { limits } from '../limits.ts';
import type { DocumentPlace } from '../vary/vary.ts';
import { explainYaml } from './explain-yaml.ts';
import type { ScenarioProblem } from './problem.ts';

/** Where in a file something stands: line and column, both from 1. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

export type YamlSource =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** Where the value at that place stands, or the name of it; of the nearest thing around it where it is none. */
      readonly positionOf: (place: DocumentPlace, of: 'value' | 'name') => SourcePosition;
    }
  | { readonly ok: false; readonly problems: readonly ScenarioProblem[] };

/** Reads YAML 1.2 into plain data. Bounded in characters, depth, nodes and aliases. Never throws. */
export function readSource(text: string, file: string): YamlSource {
  const fail = (message: string, spot: SourcePosition = { line: 1, column: 1 }): YamlSource => ({
    ok: false,
    problems: [{ file, ...spot, message }],
  });
  if (text.length > limits.characters) {
    return fail(`The file has ${text.length} characters. A scenario has ${limits.characters} at most.`);
  }
  const nested = tooDeep(text);
  if (nested) return fail(`Values are nested more than ${limits.depth} deep.`);
  const lines = new LineCounter();
  const spotAt = (offset: number): SourcePosition => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  let document: ReturnType<typeof parseDocument>;
  try {
    document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      logLevel: 'error',
      version: '1.2',
    });
  } catch {
    return fail('This is not valid YAML.');
  }
  const broken = [...document.errors, ...document.warnings];
  if (broken.length > 0) {
    return {
      ok: false,
      problems: explainYaml(broken.slice(0, limits.problems), text, document).map(({ offset, ...said }) => ({
        file,
        ...spotAt(offset),
        ...said,
      })),
    };
  }
  const lost: ScenarioProblem[] = [];
  visit(document, {
    Alias(_key, node) {
      if (node.resolve(document) !== undefined || lost.length >= limits.problems) return;
      const message = `The alias *${node.source} has no anchor: there is no &${node.source} before it.`;
      lost.push({ file, ...spotAt(node.range?.[0] ?? 0), message });
    },
  });
  if (lost.length > 0) return { ok: false, problems: lost };
  let nodes = 0;
  let isDeep = false;
  visit(document, {
    Node(_key, _node, path) {
      nodes += 1;
      if (path.length > limits.depth * 2) {
        isDeep = true;
        return visit.BREAK;
      }
      return nodes > limits.nodes ? visit.BREAK : undefined;
    },
  });
  if (isDeep) return fail(`Values are nested more than ${limits.depth} deep.`);
  if (nodes > limits.nodes) return fail(`The file has more than ${limits.nodes} values.`);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: limits.aliases });
  } catch {
    return fail(
      `Aliases expand to more than ${limits.aliases} values, or contain themselves. Write the values out.`,
    );
  }
  const grown = countValues(value);
  if (grown === 'deep') return fail(`Values are nested more than ${limits.depth} deep.`);
  if (grown > limits.nodes) return fail(`With its aliases the file has more than ${limits.nodes} values.`);
  const root = document.contents;
  return {
    ok: true,
    value,
    positionOf: (place, of) => spotAt(offsetOf(root, place, of, (alias) => resolve(document, alias))),
  };
}

/** Brackets or indentation deeper than any scenario, before a reader that recurses sees them. */
function tooDeep(text: string): boolean {
  // The deepest that is right is far below both bounds, and a text that merely holds brackets too.
  let open = 0;
  let dashes = 0;
  for (const character of text) {
    if (character === '[' || character === '{') open += 1;
    else if ((character === ']' || character === '}') && open > 0) open -= 1;
    if (character === '\n') dashes = 0;
    else if (character === '-' || character === '?') dashes += 1;
    else if (character !== ' ') dashes = Math.min(dashes, 200);
    if (open > 500 || dashes > 500) return true;
  }
  return false;
}

function countValues(value: unknown, depth = 0): number | 'deep' {
  if (depth > limits.depth) return 'deep';
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const one of Object.values(value)) {
    const inside = countValues(one, depth + 1);
    if (inside === 'deep') return 'deep';
    count += inside;
    if (count > limits.nodes) return count;
  }
  return count;
}

function resolve(document: ReturnType<typeof parseDocument>, node: unknown): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

function offsetOf(
  root: unknown,
  place: DocumentPlace,
  of: 'value' | 'name',
  resolved: (node: unknown) => unknown,
): number {
  let node = root;
  let offset = startOf(root);
  for (const [index, key] of place.entries()) {
    const inside = resolved(node);
    // A word for a map of one, and one value for a list of one, stand where what they stand for would.
    if (isSeq(inside) && typeof key === 'number') {
      const item = inside.items[key];
      if (item === undefined) break;
      node = item;
      offset = startOf(item, offset);
    } else if (isMap(inside)) {
      const pair = inside.items.find((one) => isScalar(one.key) && String(one.key.value) === String(key));
      if (pair === undefined) continue;
      const isLast = index === place.length - 1;
      node = pair.value;
      offset = startOf(
        isLast && of === 'name' ? pair.key : (pair.value ?? pair.key),
        startOf(pair.key, offset),
      );
    }
  }
  return offset;
}

function startOf(node: unknown, otherwise = 0): number {
  return (node as Node | null | undefined)?.range?.[0] ?? otherwise;
}
