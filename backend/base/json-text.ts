/** Texts that are cached; beyond that the cache is cleared. */
const REMEMBERED = 4_096;
/** Longer texts are not worth caching: they do not recur. */
const WORD_CHARACTERS = 48;

const words = new Map<string, string>();
const names = new Map<string, string>();

/**
 * `JSON.stringify` of a value, for what is written with each record: names and words recur, and their JSON is
 * cached, so that text is composed without temporary objects.
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
      // A value that JSON cannot express is omitted in an object; as a value it is null.
      return JSON.stringify(value) ?? 'null';
  }
}

/** The text before a value of that name within an object: comma, name, colon. */
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
