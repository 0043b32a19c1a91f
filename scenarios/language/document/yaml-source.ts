import {
  CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
  YAMLParseError,
} from 'yaml';
import { languageLimits } from '../../limits.ts';
import type { DocumentPlace } from '../vary/vary.ts';
import { explainYaml } from './explain-yaml.ts';
import type { ScenarioProblem } from './problem.ts';

/** A position in a file: line and column, both from 1. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

export type YamlSource =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** The position of the value at that place, or of its name; where there is none, of the nearest parent. */
      readonly positionOf: (place: DocumentPlace, of: 'value' | 'name') => SourcePosition;
    }
  | { readonly ok: false; readonly problems: readonly ScenarioProblem[] };

/** Reads YAML 1.2 into plain data. Bounded in characters, depth, nodes and aliases. Never throws. */
export function readSource(text: string, file: string): YamlSource {
  const fail = (message: string, spot: SourcePosition = { line: 1, column: 1 }): YamlSource => ({
    ok: false,
    problems: [{ file, ...spot, message }],
  });
  if (text.length > languageLimits.characters) {
    return fail(
      `The file has ${text.length} characters. A scenario has ${languageLimits.characters} at most.`,
    );
  }
  const nested = tooDeep(text);
  if (nested) return fail(`Values are nested more than ${languageLimits.depth} deep.`);
  // Before the parser, some of whose steps take quadratic time.
  const tooMany = tooManyTokens(text);
  if (tooMany !== undefined) return fail(tooMany);
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
      // The parser's own check compares each key with all others of its map.
      uniqueKeys: false,
    });
  } catch {
    return fail('This is not valid YAML.');
  }
  const broken = [...document.errors, ...document.warnings, ...repeatedKeys(document)].sort(
    (one, other) => one.pos[0] - other.pos[0],
  );
  if (broken.length > 0) {
    return {
      ok: false,
      problems: explainYaml(broken.slice(0, languageLimits.problems), text, document).map(
        ({ offset, ...rest }) => ({ file, ...spotAt(offset), ...rest }),
      ),
    };
  }
  const lost: ScenarioProblem[] = [];
  // The visitor follows the order of the file, and an anchor counts from its node on.
  const anchors = new Set<string>();
  visit(document, {
    Value(_key, { anchor }) {
      if (anchor !== undefined) anchors.add(anchor);
    },
    Alias(_key, node) {
      if (anchors.has(node.source) || lost.length >= languageLimits.problems) return;
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
      if (path.length > languageLimits.depth * 2) {
        isDeep = true;
        return visit.BREAK;
      }
      return nodes > languageLimits.nodes ? visit.BREAK : undefined;
    },
  });
  if (isDeep) return fail(`Values are nested more than ${languageLimits.depth} deep.`);
  if (nodes > languageLimits.nodes) return fail(TOO_MANY);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: languageLimits.aliases });
  } catch {
    return fail(
      `Aliases expand to more than ${languageLimits.aliases} values, or contain themselves. Write the values out.`,
    );
  }
  const grown = countValues(value);
  if (grown === 'deep') return fail(`Values are nested more than ${languageLimits.depth} deep.`);
  if (grown > languageLimits.nodes)
    return fail(`With its aliases the file has more than ${languageLimits.nodes} values.`);
  const root = document.contents;
  const pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();
  const pairOf = (map: YAMLMap, key: string): Pair | undefined => {
    const known = pairs.get(map) ?? pairsOf(map);
    pairs.set(map, known);
    return known.get(key);
  };
  return {
    ok: true,
    value,
    positionOf: (place, of) => spotAt(offsetOf(root, place, of, (alias) => resolve(document, alias), pairOf)),
  };
}

const TOO_MANY = `The file has more than ${languageLimits.nodes} values.`;

/** Tokens of which a value has one, or one that ends it; an unquoted text has a mark before it. */
const VALUES: ReadonlySet<CST.TokenType | 'scalar' | null> = new Set([
  ...(['scalar', 'alias', 'single-quoted-scalar', 'double-quoted-scalar'] as const),
  ...(['flow-map-start', 'flow-seq-start', 'explicit-key-ind'] as const),
]);
const ENDS: ReadonlySet<CST.TokenType | null> = new Set(['flow-map-end', 'flow-seq-end'] as const);

/** Why a text has more than any scenario, as far as its tokens show: undefined if it has not. Takes linear time. */
function tooManyTokens(text: string): string | undefined {
  const counts = { values: 0, aliases: 0, ends: 0 };
  let isText = false;
  for (const source of new Lexer().lex(text)) {
    const type = isText ? null : CST.tokenType(source);
    isText = source === CST.SCALAR;
    if (VALUES.has(type)) counts.values += 1;
    if (type === 'alias') counts.aliases += 1;
    if (ENDS.has(type)) counts.ends += 1;
    if (counts.values > languageLimits.nodes || counts.ends > languageLimits.nodes) return TOO_MANY;
    if (counts.aliases > languageLimits.aliasesWritten)
      return `The file has more than ${languageLimits.aliasesWritten} aliases. Write the values out.`;
  }
  return undefined;
}

/** An error, in the parser's form, for each key that its map already has. */
function repeatedKeys(document: ReturnType<typeof parseDocument>): readonly YAMLParseError[] {
  const repeated: YAMLParseError[] = [];
  visit(document, {
    Map(_key, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const at = key.range?.[0] ?? 0;
        if (keys.has(key.value))
          repeated.push(new YAMLParseError([at, at + 1], 'DUPLICATE_KEY', 'Map keys must be unique'));
        keys.add(key.value);
      }
    },
  });
  return repeated;
}

/** The pairs of a map by their keys, as text; of equal keys the first. */
function pairsOf({ items }: YAMLMap): ReadonlyMap<string, Pair> {
  const pairs = new Map<string, Pair>();
  for (const pair of items) {
    const key = isScalar(pair.key) ? String(pair.key.value) : undefined;
    if (key !== undefined && !pairs.has(key)) pairs.set(key, pair);
  }
  return pairs;
}

/** Brackets or indentation deeper than any scenario, checked before a recursive reader. */
function tooDeep(text: string): boolean {
  // Valid files are far below both bounds, and a text that merely contains brackets too.
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
  if (depth > languageLimits.depth) return 'deep';
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const one of Object.values(value)) {
    const inside = countValues(one, depth + 1);
    if (inside === 'deep') return 'deep';
    count += inside;
    if (count > languageLimits.nodes) return count;
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
  pairOf: (map: YAMLMap, key: string) => Pair | undefined,
): number {
  let node = root;
  let offset = startOf(root);
  for (const [index, key] of place.entries()) {
    const inside = resolved(node);
    // A word for a map of one, and one value for a list of one, have the place of what they abbreviate.
    if (isSeq(inside) && typeof key === 'number') {
      const item = inside.items[key];
      if (item === undefined) break;
      node = item;
      offset = startOf(item, offset);
    } else if (isMap(inside)) {
      const pair = pairOf(inside, String(key));
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
