import type { SchemaWord, SchemaWords } from './schema-words.ts';

/** Words that are valid at a position of the text, and where the one that is being typed begins. */
export interface Completion {
  readonly from: number;
  readonly words: readonly SchemaWord[];
}

const WORD = /[\w.-]*$/;

/**
 * The completions at the end of this text: after `name:` the values of that name and the names below it, otherwise the
 * names below the parent of the line, by braces or by indentation. Total.
 */
export function completionAt(before: string, schema: SchemaWords): Completion {
  const [typed = ''] = WORD.exec(before) ?? [];
  const from = before.length - typed.length;
  const head = before.slice(0, from);
  const line = head.slice(head.lastIndexOf('\n') + 1);
  const ofValue = /([\w-]+):\s*(?:\[[^\]]*)?["']?$/.exec(line)?.[1];
  if (ofValue !== undefined) {
    const values = schema.valuesOf(ofValue).map((name) => ({ name, description: '' }));
    return { from, words: [...values, ...schema.namesBelow(ofValue)] };
  }
  return { from, words: schema.namesBelow(parentOf(head, line)) };
}

/** The parent name of the position at the end of the text; empty: it is at the top. */
function parentOf(head: string, line: string): string {
  const brace = openBrace(head);
  if (brace >= 0) {
    const outside = head.slice(0, brace);
    const named = /([\w-]+):\s*$/.exec(outside)?.[1];
    return named ?? parentOf(outside, outside.slice(outside.lastIndexOf('\n') + 1));
  }
  const indent = indentOf(line);
  const lines = head.split('\n').slice(0, -1).toReversed();
  for (const above of lines) {
    const name = /^\s*(?:- )?([\w-]+):\s*$/.exec(above)?.[1];
    if (name !== undefined && indentOf(above) < indent) return name;
  }
  return '';
}

/** The position of the last open brace; -1: none is open. */
function openBrace(text: string): number {
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    if (text[at] === '}') depth += 1;
    if (text[at] !== '{') continue;
    if (depth === 0) return at;
    depth -= 1;
  }
  return -1;
}

/** A list's dash counts as indentation: what follows it is below the list's name. */
function indentOf(line: string): number {
  return /^\s*(?:- )?/.exec(line)?.[0].length ?? 0;
}
