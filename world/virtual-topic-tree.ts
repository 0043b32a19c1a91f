/** Of so many topics it is remembered who wants them; beyond it the memory begins anew. */
const REMEMBERED_TOPICS = 100_000;

/**
 * Subscriptions by topic filter, with `+` and `#` as MQTT 3.1.1 section 4.7 has them. Finding who wants a topic costs
 * a look-up and, once, the depth of the topic: not the number of subscribers. Filters without wildcards, of which each
 * box has one, lie beside the tree: they change the answer for one topic, and leave all others.
 */
export class TopicTree<Subscriber> {
  readonly #exact = new Map<string, Set<Subscriber>>();
  readonly #root: Branch<Subscriber> = emptyBranch();
  readonly #remembered = new Map<string, readonly Subscriber[]>();

  add(filter: string, subscriber: Subscriber): void {
    if (!hasWildcard(filter)) {
      this.#remembered.delete(filter);
      const there = this.#exact.get(filter);
      if (there === undefined) this.#exact.set(filter, new Set([subscriber]));
      else there.add(subscriber);
      return;
    }
    this.#remembered.clear();
    let branch = this.#root;
    for (const level of filter.split('/')) {
      let next = branch.levels.get(level);
      if (next === undefined) {
        next = emptyBranch();
        branch.levels.set(level, next);
      }
      branch = next;
    }
    branch.subscribers.add(subscriber);
  }

  remove(filter: string, subscriber: Subscriber): void {
    if (hasWildcard(filter)) {
      this.#remembered.clear();
      removeBelow(this.#root, filter.split('/'), 0, subscriber);
      return;
    }
    this.#remembered.delete(filter);
    const there = this.#exact.get(filter);
    if (there?.delete(subscriber) === true && there.size === 0) this.#exact.delete(filter);
  }

  /** Everybody with a filter that matches `topic`, each once. */
  match(topic: string): readonly Subscriber[] {
    const known = this.#remembered.get(topic);
    if (known !== undefined) return known;
    const found = new Set<Subscriber>(this.#exact.get(topic));
    collect(this.#root, topic.split('/'), 0, found);
    const all = [...found];
    if (this.#remembered.size >= REMEMBERED_TOPICS) this.#remembered.clear();
    this.#remembered.set(topic, all);
    return all;
  }
}

interface Branch<Subscriber> {
  readonly levels: Map<string, Branch<Subscriber>>;
  readonly subscribers: Set<Subscriber>;
}

function emptyBranch<Subscriber>(): Branch<Subscriber> {
  return { levels: new Map(), subscribers: new Set() };
}

function collect<S>(branch: Branch<S>, levels: readonly string[], at: number, found: Set<S>): void {
  // Section 4.7.2: a wildcard at the front does not match topics that begin with `$`.
  const isHidden = at === 0 && levels[0]?.startsWith('$') === true;
  if (!isHidden) addAll(found, branch.levels.get('#')?.subscribers);
  const level = levels[at];
  if (level === undefined) {
    addAll(found, branch.subscribers);
    return;
  }
  const exact = branch.levels.get(level);
  if (exact !== undefined) collect(exact, levels, at + 1, found);
  const wild = branch.levels.get('+');
  if (wild !== undefined && !isHidden) collect(wild, levels, at + 1, found);
}

function addAll<S>(found: Set<S>, more: ReadonlySet<S> | undefined): void {
  if (more !== undefined) for (const one of more) found.add(one);
}

/** Returns whether the branch has become empty. */
function removeBelow<S>(branch: Branch<S>, levels: readonly string[], at: number, subscriber: S): boolean {
  const level = levels[at];
  if (level === undefined) branch.subscribers.delete(subscriber);
  else {
    const next = branch.levels.get(level);
    if (next !== undefined && removeBelow(next, levels, at + 1, subscriber)) branch.levels.delete(level);
  }
  return branch.levels.size === 0 && branch.subscribers.size === 0;
}

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

/** A topic to publish on holds no wildcard. */
export function isTopicName(topic: string): boolean {
  return topic !== '' && !/[+#\0]/.test(topic);
}

/** Whether `topic` matches `filter`: the rule of the tree for one filter. */
export function matchesFilter(filter: string, topic: string): boolean {
  if (!hasWildcard(filter)) return filter === topic;
  // Section 4.7.2, as above.
  if (topic.startsWith('$') && !filter.startsWith('$')) return false;
  const levels = topic.split('/');
  const wanted = filter.split('/');
  for (const [at, level] of wanted.entries()) {
    if (level === '#') return true;
    if (at >= levels.length || (level !== '+' && level !== levels[at])) return false;
  }
  return wanted.length === levels.length;
}

/** A filter without one matches the topic of its own name and no other. */
function hasWildcard(filter: string): boolean {
  return filter.includes('+') || filter.includes('#');
}
