/** Texts that are remembered; with more than that the memory begins anew. */
const REMEMBERED = 4_096;
/** Longer ones are not words that come again. */
const WORD_CHARACTERS = 48;

const words = new Map<string, string>();
const names = new Map<string, string>();

/**
 * What `JSON.stringify` makes of a value. For what is written with each record: its names and words come again, and
 * their JSON is remembered, so that text is put together in place of objects that live for one call.
 */
export function jsonText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.length > WORD_CHARACTERS ? JSON.stringify(value) : remembered(words, value, '', '');
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    default:
      // What JSON has no word for would be left out of an object; as a value it is nothing.
      return JSON.stringify(value) ?? 'null';
  }
}

/** What goes before the value of that name within an object: the comma behind the last value, the name, the colon. */
export function jsonName(name: string): string {
  return remembered(names, name, ',', ':');
}

function remembered(memory: Map<string, string>, word: string, before: string, behind: string): string {
  const found = memory.get(word);
  if (found !== undefined) return found;
  if (memory.size >= REMEMBERED) memory.clear();
  const text = `${before}${JSON.stringify(word)}${behind}`;
  memory.set(word, text);
  return text;
}
