import { hasWildcard } from './topic-filter.ts';

/** How many topics the cache of matches holds; beyond it the cache is cleared. */
const CACHED_TOPICS = 10_000;

/**
 * Subscriptions by topic filter, with `+` and `#` (MQTT 3.1.1 section 4.7). Finding the subscribers of a
 * topic costs one look-up and, the first time, the depth of the topic: not the number of subscribers. Filters
 * without wildcards, of which each box has one, are kept outside the tree: they change the result for one
 * topic only.
 */
export class TopicTree<Subscriber> {
  /** By topic; most have one subscriber, and no set for it. */
  readonly #exact = new Map<string, Subscriber | Several<Subscriber>>();
  readonly #root: Branch<Subscriber> = emptyBranch();
  readonly #cache = new Map<string, readonly Subscriber[]>();

  add(filter: string, subscriber: Subscriber): void {
    if (!hasWildcard(filter)) {
      this.#cache.delete(filter);
      const there = this.#exact.get(filter);
      if (there === undefined) this.#exact.set(filter, subscriber);
      else if (there instanceof Several) there.add(subscriber);
      else if (there !== subscriber) this.#exact.set(filter, new Several([there, subscriber]));
      return;
    }
    this.#cache.clear();
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
      this.#cache.clear();
      removeBelow(this.#root, filter.split('/'), 0, subscriber);
      return;
    }
    this.#cache.delete(filter);
    const there = this.#exact.get(filter);
    if (there instanceof Several) there.delete(subscriber);
    if (there === subscriber || (there instanceof Several && there.size === 0)) this.#exact.delete(filter);
  }

  /** All subscribers with a filter that matches `topic`, each once. */
  match(topic: string): readonly Subscriber[] {
    const known = this.#cache.get(topic);
    if (known !== undefined) return known;
    const there = this.#exact.get(topic);
    const found = new Set<Subscriber>(there instanceof Several ? there : there === undefined ? [] : [there]);
    collect(this.#root, topic.split('/'), 0, found);
    const all = [...found];
    if (this.#cache.size >= CACHED_TOPICS) this.#cache.clear();
    this.#cache.set(topic, all);
    return all;
  }
}

/** The subscribers of one topic where there is more than one; its class distinguishes it from a subscriber. */
class Several<Subscriber> extends Set<Subscriber> {}

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
