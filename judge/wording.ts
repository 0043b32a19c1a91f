/** The characters of a value that a sentence shows. */
const SHOWN_CHARACTERS = 200;

/** A value as short text. */
export function valueText(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value);
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}...`;
}

/** A number with its noun: `1 box`, `3 boxes`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A list in a sentence: `a, b or c`. */
export function listed(parts: readonly string[], last: 'or' | 'and' = 'or'): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} ${last} ${parts.at(-1) ?? ''}`;
}
