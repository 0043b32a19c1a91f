// Topic filters of MQTT 3.1.1 (sections 4.7.1 to 4.7.3).

/** Section 4.7.1: `+` alone in a level, `#` alone in the last one, and no empty filter. */
export function isTopicFilter(filter: string): boolean {
  if (filter === '' || filter.includes('\0')) return false;
  if (!hasWildcard(filter)) return true;
  const levels = filter.split('/');
  return levels.every((level, at) => {
    if (level === '#') return at === levels.length - 1;
    return level === '+' || (!level.includes('+') && !level.includes('#'));
  });
}

/** A topic name for publishing contains no wildcard. */
export function isTopicName(topic: string): boolean {
  return topic !== '' && !/[+#\0]/.test(topic);
}

/** Whether `topic` matches `filter`: by the rule of section 4.7. */
export function matchesFilter(filter: string, topic: string): boolean {
  if (!hasWildcard(filter)) return filter === topic;
  // Section 4.7.2: a wildcard at the beginning does not match a topic that begins with `$`.
  if (topic.startsWith('$') && !filter.startsWith('$')) return false;
  const levels = topic.split('/');
  const wanted = filter.split('/');
  for (const [at, level] of wanted.entries()) {
    if (level === '#') return true;
    if (at >= levels.length || (level !== '+' && level !== levels[at])) return false;
  }
  return wanted.length === levels.length;
}

/** A filter without a wildcard matches the topic of the same name only. */
export function hasWildcard(filter: string): boolean {
  return filter.includes('+') || filter.includes('#');
}
