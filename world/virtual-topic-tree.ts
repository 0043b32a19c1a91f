/**
 * Subscriptions by topic filter, with `+` and `#` as MQTT 3.1.1 section 4.7 has them. Finding who wants a topic costs
 * the depth of the topic, not the number of subscribers.
 */
export class TopicTree<Subscriber> {
  readonly #root: Branch<Subscriber> = emptyBranch();

  add(filter: string, subscriber: Subscriber): void {
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
    removeBelow(this.#root, filter.split('/'), 0, subscriber);
  }

  /** Everybody with a filter that matches `topic`, each once. */
  match(topic: string): ReadonlySet<Subscriber> {
    const found = new Set<Subscriber>();
    collect(this.#root, topic.split('/'), 0, found);
    return found;
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
  const tree = new TopicTree<true>();
  tree.add(filter, true);
  return tree.match(topic).size > 0;
}
