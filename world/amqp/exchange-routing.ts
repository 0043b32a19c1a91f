/** AMQP 0-9-1 exchange types and how they choose queues (section 3.1.3 of the specification). */
export type ExchangeType = 'direct' | 'fanout' | 'topic' | 'headers';

/** The words of a routing key or pattern between its dots. As in RabbitMQ, an empty one has no words, not an empty word. */
export function topicWords(text: string): readonly string[] {
  return text === '' ? [] : text.split('.');
}

/**
 * Whether the pattern of a binding to a topic exchange matches a routing key, both as `topicWords`: `*`
 * matches exactly one word, `#` for any number of words, including none.
 */
export function matchesTopic(pattern: readonly string[], words: readonly string[]): boolean {
  // Which prefixes of the words the pattern so far matches. No combination is tried twice, however many #
  // there are.
  let reach = new Array<boolean>(words.length + 1).fill(false);
  reach[0] = true;
  for (const part of pattern) {
    const next = new Array<boolean>(words.length + 1).fill(false);
    if (part === '#') {
      const first = reach.indexOf(true);
      if (first >= 0) next.fill(true, first);
    } else {
      for (let at = 0; at < words.length; at++) {
        if (reach[at] === true && (part === '*' || part === words[at])) next[at + 1] = true;
      }
    }
    reach = next;
  }
  return reach[words.length] === true;
}
