/** AMQP 0-9-1 exchange types and how they choose queues (section 3.1.3 of the specification). */
export type ExchangeType = 'direct' | 'fanout' | 'topic' | 'headers';

/** Whether a binding with `bindingKey` takes a message with `routingKey`. */
export function takes(type: ExchangeType, bindingKey: string, routingKey: string): boolean {
  switch (type) {
    case 'direct':
      return bindingKey === routingKey;
    case 'fanout':
      return true;
    case 'topic':
      return matchesPattern(bindingKey.split('.'), routingKey.split('.'));
    case 'headers':
      // The port binds without arguments, and of no conditions all hold.
      return true;
    default:
      return type satisfies never;
  }
}

/** Topic patterns: `*` is exactly one word, `#` any number of words, none included. */
function matchesPattern(pattern: readonly string[], words: readonly string[]): boolean {
  // Row by row: `reachable[n]` says whether the pattern so far takes the first n words. No backtracking.
  let reachable = [true, ...words.map(() => false)];
  for (const part of pattern) {
    const next = reachable.map(() => false);
    for (let taken = 0; taken <= words.length; taken++) {
      const isAfterWord = taken > 0 && reachable[taken - 1] === true;
      if (part === '#') next[taken] = reachable[taken] === true || (taken > 0 && next[taken - 1] === true);
      else next[taken] = isAfterWord && (part === '*' || part === words[taken - 1]);
    }
    reachable = next;
  }
  return reachable[words.length] === true;
}
